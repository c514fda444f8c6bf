/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The collectives that Pleach knows, and their traits. All that is true of one collective and not of another stands in one
 * table, which the inline functions below read: code asks for a trait, not for a collective by its name. The exceptions are
 * engines, each for the collectives that it serves, and the formulas of MPI's own algorithms.
 */
#ifndef PLEACH_COLLECTIVE_H
#define PLEACH_COLLECTIVE_H

#include <stdbool.h>

/* The order is that of rows in records, messages and tables. */
enum collective { COLL_BCAST, COLL_REDUCE, COLL_SCAN, COLL_EXSCAN, COLL_ALLREDUCE, COLLECTIVES };

/* Which ranks' data are in which ranks' results. */
enum data_flow {
    FLOW_ONE_TO_ALL, /* the root's, in those of all */
    FLOW_ALL_TO_ONE, /* those of all, in the root's */
    FLOW_ALL_TO_ALL, /* those of all, in those of all */
    FLOW_PREFIX      /* those of the ranks up to this one */
};

struct traits {
    const char *name;     /* "bcast", as in records, settings and on the command line */
    const char *function; /* "MPI_Bcast", as in messages */
    enum data_flow flow;
    bool reduces;   /* it has an operation; else its data are moved as they are */
    bool exclusive; /* of a prefix: without this rank's own data, so rank 0 has no result */
};

extern const struct traits collective_traits[COLLECTIVES];

/* Lower-case name of a collective ("bcast"), as in records, settings and on the command line. */
const char *collective_name(enum collective c);

/* Reads a collective's name in any case, with or without "MPI_"; false if it is none. */
bool collective_parse(const char *name, enum collective *c);

/* All names, as "bcast, reduce, ..", in `text`, which is returned. */
enum { COLLECTIVE_LIST = 64 };
const char *collective_list(char text[COLLECTIVE_LIST]);

/* Which ranks' data go to which. */
static inline enum data_flow collective_flow(enum collective c)
{
    return collective_traits[c].flow;
}

/* Does the collective have a root? */
static inline bool collective_rooted(enum collective c)
{
    return collective_flow(c) == FLOW_ONE_TO_ALL || collective_flow(c) == FLOW_ALL_TO_ONE;
}

/* Does the collective have an operation? Then its data are elements, which come in IN; the result is in OUT. */
static inline bool collective_reduces(enum collective c)
{
    return collective_traits[c].reduces;
}

/* Are its data a stream of bytes, as no operation looks into them? Then its units are bytes, and OUT is its only buffer. */
static inline bool collective_streams(enum collective c)
{
    return !collective_reduces(c);
}

/* Is the result of a rank that of the ranks up to it? Then the order of the ranks counts with every operation. */
static inline bool collective_prefix(enum collective c)
{
    return collective_flow(c) == FLOW_PREFIX;
}

/* Where there is an operation: the last rank whose data are in a rank's result, which begin with rank 0's; -1: no result. */
static inline int collective_last(enum collective c, int rank, int ranks)
{
    return collective_prefix(c) ? rank - collective_traits[c].exclusive : ranks - 1;
}

/* Does the rank have the data in OUT, where the others receive them? */
static inline bool collective_source(enum collective c, int rank, int root)
{
    return collective_flow(c) == FLOW_ONE_TO_ALL && rank == root;
}

/* Does the rank have a receive buffer, whether or not it gets a result? */
static inline bool collective_receives(enum collective c, int rank, int root)
{
    return collective_rooted(c) ? (collective_flow(c) == FLOW_ALL_TO_ONE) == (rank == root) : true;
}

/* Does the rank get a result, so that MPI lets its receive buffer be written? */
static inline bool collective_writes(enum collective c, int rank, int root)
{
    return collective_receives(c, rank, root) && !(collective_traits[c].exclusive && rank == 0);
}

/* May the rank pass MPI_IN_PLACE, which makes IN and OUT the same memory? */
static inline bool collective_in_place(enum collective c, int rank, int root)
{
    return collective_reduces(c) && collective_receives(c, rank, root);
}

#endif
