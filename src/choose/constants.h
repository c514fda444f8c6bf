/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every constant of the cost model and of tuning, with its unit, its meaning, and its source.
 *
 * "By hand" means that no measurement gave the value. Then the last column tells how much hangs on it: of 200000 random
 * calls, on random machines, for which the model chose, the share whose engine changes where the constant is halved, or
 * doubled (of a factor: what it has above 1).
 */
#ifndef PLEACH_CONSTANTS_H
#define PLEACH_CONSTANTS_H

/* ---- Figures where nothing was measured, or where no measurement may count: struct figures, seconds and seconds a byte. */

/* Messages through the memory of a node. */
#define NOMINAL_NODE                                                                                                        \
    {                                                                                                                       \
        .alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6                                            \
    }
/* Messages between nodes. beta is 10 Gbit/s. */
#define NOMINAL_NETWORK                                                                                                     \
    {                                                                                                                       \
        .alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6                                            \
    }

/* ---- The native call: its seconds over those of its formula (native.c), on one node where nothing was measured. ---- */

#define NATIVE_NODE_BCAST 0.5        /* MPICH's broadcast goes through shared memory, faster than messages would */
#define NATIVE_NODE_USER_REDUCE 1.25 /* it waits for whole messages, which no cache holds before it folds them */

/* ---- Which engine. Factors between predicted times. ---- */

#define NATIVE_MARGIN 1.1 /* an engine is taken where native takes so many times as long: predictions err */
#define LATER_MARGIN 1.05 /* a later row of the registry is taken where all before take so many times as long */

/* ---- How many blocks. ---- */

#define LARGEST_BLOCK (256 << 10) /* bytes, where the model sizes blocks */
#define LARGEST_SETTING (1 << 30) /* bytes, whatever the settings say */
#define SMALLEST_BLOCK (8 << 10)  /* bytes, where the model sizes blocks */
#define SMALLER_MARGIN 1.01       /* blocks of SMALLEST_BLOCK are taken where they take at most so many times as long */
#define LEAST_ROUND 1e-9          /* seconds of a round at least: free rounds would ask for endless blocks */
enum { SETTLE_TURNS = 8 };        /* turns in which blocks and pace may come to an agreement */

/* ---- Tuning. ---- */

#define CLEAR_MARGIN 1.08       /* native takes so many times as long as an engine that beats it clearly */
#define EQUAL_MARGIN 1.03       /* of engines that take at most so many times as long as the best, any may win */
enum { CLEAR_REPETITIONS = 3 }; /* with fewer, nothing is clear */
#endif
