/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The collectives and their traits. Code asks for a trait rather than for a collective by its name. Exceptions: engines,
 * formulas of their algorithms and traffic, and tables with a row for each collective.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* In the order of rows in records, messages and tables. */
enum collective { COLL_BCAST, COLL_REDUCE, COLL_SCAN, COLL_EXSCAN, COLL_ALLREDUCE, COLLECTIVES };
#define COLLECTIVE_WORDS "bcast, reduce, scan, exscan, allreduce"

/* The ranks whose data are in a rank's result. */
enum data_flow {
    FLOW_ONE_TO_ALL, /* the root's data are in all results */
    FLOW_ALL_TO_ONE, /* all data are in the root's result */
    FLOW_ALL_TO_ALL, /* all data are in all results */
    FLOW_PREFIX      /* data of ranks 0 to r are in rank r's result; 0 to r-1 if `exclusive` */
};

struct traits {
    const char *name;
    const char *function;
    enum data_flow flow;
    bool reduces;   /* it has an operation */
    bool exclusive; /* without the rank's own data; rank 0 has no result */
};

extern const struct traits collective_traits[COLLECTIVES];

const char *collective_name(enum collective c);

/* NULL behind the last. */
static inline const char *collective_word(int i)
{
    return i < COLLECTIVES ? collective_name((enum collective)i) : NULL;
}

/* Reads a name in any case, with or without "MPI_". Returns false if it is unknown. */
bool collective_parse(const char *name, enum collective *c);

static inline enum data_flow collective_flow(enum collective c)
{
    return collective_traits[c].flow;
}

static inline bool collective_rooted(enum collective c)
{
    return collective_flow(c) == FLOW_ONE_TO_ALL || collective_flow(c) == FLOW_ALL_TO_ONE;
}

/* Has it an operation? Then IN has its data, which are elements. */
static inline bool collective_reduces(enum collective c)
{
    return collective_traits[c].reduces;
}

/* Does it only move data? Then its units are bytes, and OUT is its only buffer. */
static inline bool collective_streams(enum collective c)
{
    return !collective_reduces(c);
}

/* Does the order of ranks matter even if the operation commutes? */
static inline bool collective_prefix(enum collective c)
{
    return collective_flow(c) == FLOW_PREFIX;
}

/*
 * The last rank whose data rank's result combines; -1 for rank 0 of an exclusive scan. In a reduction, all ranks count as if
 * they had the root's result. For collectives with an operation.
 */
static inline int collective_last(enum collective c, int rank, int ranks)
{
    return collective_prefix(c) ? rank - collective_traits[c].exclusive : ranks - 1;
}

/* Does OUT have the data from the start? */
static inline bool collective_source(enum collective c, int rank, int root)
{
    return collective_flow(c) == FLOW_ONE_TO_ALL && rank == root;
}

/* Does the rank have a receive buffer, with or without a result? */
static inline bool collective_receives(enum collective c, int rank, int root)
{
    return collective_rooted(c) ? (collective_flow(c) == FLOW_ALL_TO_ONE) == (rank == root) : true;
}

/* May its receive buffer be written? */
static inline bool collective_writes(enum collective c, int rank, int root)
{
    return collective_receives(c, rank, root) && !(collective_traits[c].exclusive && rank == 0);
}

static inline bool collective_in_place(enum collective c, int rank, int root)
{
    return collective_reduces(c) && collective_receives(c, rank, root);
}
