/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collectives that Pleach does not serve, without persistent and neighbourhood ones. libpleach-others.so, for `pleach
 * advise`, times them; libpleach.so reports. A nonblocking call's time is its start's.
 */
#pragma once

#include "native.h"

/* What a rank sends, by a count and a datatype among the arguments. */
enum sent {
    SENT_NONE,
    SENT_ONE,        /* count elements */
    SENT_EACH,       /* count elements to each rank */
    SENT_LIST,       /* the sum of an array of counts */
    SENT_OWN,        /* this rank's count in an array */
    SENT_TYPES,      /* the sum of an array of counts, with an array of datatypes */
    SENT_AT_ROOT = 8 /* flag: the root alone sends */
};

/*
 * X(function, number of arguments, enum sent, index of the count, of the datatype, and these three for MPI_IN_PLACE). The
 * communicator is last, or before a request; the root is before it.
 */
/* clang-format off */
#define OTHERS(X) \
    X(Allgather,             7, SENT_ONE,   1, 2, SENT_ONE,   4, 5) \
    X(Allgatherv,            8, SENT_ONE,   1, 2, SENT_OWN,   4, 6) \
    X(Alltoall,              7, SENT_EACH,  1, 2, SENT_EACH,  4, 5) \
    X(Alltoallv,             9, SENT_LIST,  1, 3, SENT_LIST,  5, 7) \
    X(Alltoallw,             9, SENT_TYPES, 1, 3, SENT_TYPES, 5, 7) \
    X(Barrier,               1, SENT_NONE,  0, 0, SENT_NONE,  0, 0) \
    X(Gather,                8, SENT_ONE,   1, 2, SENT_NONE,  0, 0) \
    X(Gatherv,               9, SENT_ONE,   1, 2, SENT_NONE,  0, 0) \
    X(Reduce_scatter,        6, SENT_LIST,  2, 3, SENT_LIST,  2, 3) \
    X(Reduce_scatter_block,  6, SENT_EACH,  2, 3, SENT_EACH,  2, 3) \
    X(Scatter,               8, SENT_EACH | SENT_AT_ROOT, 1, 2, SENT_NONE, 0, 0) \
    X(Scatterv,              9, SENT_LIST | SENT_AT_ROOT, 1, 3, SENT_NONE, 0, 0) \
    X(Iallgather,            8, SENT_ONE,   1, 2, SENT_ONE,   4, 5) \
    X(Iallgatherv,           9, SENT_ONE,   1, 2, SENT_OWN,   4, 6) \
    X(Iallreduce,            7, SENT_ONE,   2, 3, SENT_ONE,   2, 3) \
    X(Ialltoall,             8, SENT_EACH,  1, 2, SENT_EACH,  4, 5) \
    X(Ialltoallv,           10, SENT_LIST,  1, 3, SENT_LIST,  5, 7) \
    X(Ialltoallw,           10, SENT_TYPES, 1, 3, SENT_TYPES, 5, 7) \
    X(Ibarrier,              2, SENT_NONE,  0, 0, SENT_NONE,  0, 0) \
    X(Ibcast,                6, SENT_ONE | SENT_AT_ROOT, 1, 2, SENT_NONE, 0, 0) \
    X(Iexscan,               7, SENT_ONE,   2, 3, SENT_ONE,   2, 3) \
    X(Igather,               9, SENT_ONE,   1, 2, SENT_NONE,  0, 0) \
    X(Igatherv,             10, SENT_ONE,   1, 2, SENT_NONE,  0, 0) \
    X(Ireduce,               8, SENT_ONE,   2, 3, SENT_ONE,   2, 3) \
    X(Ireduce_scatter,       7, SENT_LIST,  2, 3, SENT_LIST,  2, 3) \
    X(Ireduce_scatter_block, 7, SENT_EACH,  2, 3, SENT_EACH,  2, 3) \
    X(Iscan,                 7, SENT_ONE,   2, 3, SENT_ONE,   2, 3) \
    X(Iscatter,              9, SENT_EACH | SENT_AT_ROOT, 1, 2, SENT_NONE, 0, 0) \
    X(Iscatterv,            10, SENT_LIST | SENT_AT_ROOT, 1, 3, SENT_NONE, 0, 0)
/* clang-format on */

#define OTHER_ROW(name, ...) OTHER_##name,
enum other { OTHERS(OTHER_ROW) OTHERS_END };
#undef OTHER_ROW

/*
 * Exported by libpleach.so: counts a call that has succeeded. `large`: the _c form. `arguments`: as they came. `caller`: the
 * return address.
 */
typedef void pleach_other_fn(enum other which, bool large, const argument *arguments, double seconds, void *caller);
#define OTHER_SYMBOL "pleach_other"
