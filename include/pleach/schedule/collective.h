/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The collectives that Pleach knows, and their traits. One table has all differences between collectives. The inline
 * functions below read it: code asks for a trait rather than for a collective by its name. The exceptions are engines, which
 * name the collectives that they serve; formulas, which name those whose algorithms or traffic they describe; and tables
 * with a row for each collective.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The order is that of rows in records, messages and tables. */
enum collective { COLL_BCAST, COLL_REDUCE, COLL_SCAN, COLL_EXSCAN, COLL_ALLREDUCE, COLLECTIVES };
#define COLLECTIVE_WORDS "bcast, reduce, scan, exscan, allreduce" /* all names, for messages */

/* The ranks whose data are in a rank's result. */
enum data_flow {
    FLOW_ONE_TO_ALL, /* the root's data are in the results of all */
    FLOW_ALL_TO_ONE, /* the data of all are in the root's result */
    FLOW_ALL_TO_ALL, /* the data of all are in the results of all */
    FLOW_PREFIX      /* the data of ranks 0 to r are in the result of rank r; 0 to r-1 if `exclusive` */
};

struct traits {
    const char *name;     /* "bcast", as in records, settings and on the command line */
    const char *function; /* "MPI_Bcast", as in messages */
    enum data_flow flow;
    bool reduces;   /* it has an operation; else it only moves data */
    bool exclusive; /* a prefix without the rank's own data; rank 0 has no result */
};

extern const struct traits collective_traits[COLLECTIVES];

const char *collective_name(enum collective c);

/* The name of collective number i; NULL behind the last. */
static inline const char *collective_word(int i)
{
    return i < COLLECTIVES ? collective_name((enum collective)i) : NULL;
}

/* Reads a collective's name in any case, with or without "MPI_". Returns false if the name is unknown. */
bool collective_parse(const char *name, enum collective *c);

static inline enum data_flow collective_flow(enum collective c)
{
    return collective_traits[c].flow;
}

static inline bool collective_rooted(enum collective c)
{
    return collective_flow(c) == FLOW_ONE_TO_ALL || collective_flow(c) == FLOW_ALL_TO_ONE;
}

/* Does the collective have an operation? Then IN has its data, which are elements, and OUT gets the result. */
static inline bool collective_reduces(enum collective c)
{
    return collective_traits[c].reduces;
}

/* Does the collective only move data, as a stream of bytes? Then its units are bytes, and OUT is its only buffer. */
static inline bool collective_streams(enum collective c)
{
    return !collective_reduces(c);
}

/*
 * Does a rank's result combine the data of lower ranks alone and, in a scan, its own? Then the order of the ranks matters
 * even if the operation commutes.
 */
static inline bool collective_prefix(enum collective c)
{
    return collective_flow(c) == FLOW_PREFIX;
}

/*
 * For a collective with an operation. Returns r if the rank's result combines the data of ranks 0 to r; -1 for rank 0 of an
 * exclusive scan. In a reduction, all ranks count as if they had the root's result.
 */
static inline int collective_last(enum collective c, int rank, int ranks)
{
    return collective_prefix(c) ? rank - collective_traits[c].exclusive : ranks - 1;
}

/* Is the rank a broadcast's root, whose OUT has the data from the start? */
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
