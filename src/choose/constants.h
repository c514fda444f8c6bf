/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every constant of the cost model and of tuning: its meaning, its unit, its source.
 *
 * "By hand": no measurement gave the value. What a wrong one costs shows in BENCHMARKS, "Where the choice". [a, b] tells
 * how much hangs on it: in how many of a hundred calls the engine or the blocks change where the value is halved, and where
 * it is doubled (of a margin: what it has above 1). The calls were 108511 random ones for which the model chose, on random
 * machines, half of them measured.
 */
#ifndef PLEACH_CONSTANTS_H
#define PLEACH_CONSTANTS_H

/*
 * Figures where nothing was measured, or where no measurement may count; struct figures, seconds and seconds a byte. By
 * hand, as of common machines: [2, 2] each of a node, [10, 14] each of a network.
 */
#define NOMINAL_NODE .alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6    /* through memory */
#define NOMINAL_NETWORK .alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6 /* 10 Gbit/s */

/*
 * Seconds of the native call over those of its formula (native.c), on one node where nothing was measured. By hand.
 */
#define NATIVE_NODE_BCAST 0.5        /* MPICH's broadcast goes through shared memory, faster than messages [0.4, 1.7] */
#define NATIVE_NODE_USER_REDUCE 1.25 /* it waits for whole messages; no cache holds them when it folds [0.02, 0.05] */

/* Factors between predicted times, by hand: predictions err by so much. */
#define NATIVE_MARGIN 1.1 /* an engine is taken where native takes more than so many times as long [1.6, 6.4] */
#define LATER_MARGIN 1.05 /* a later row, where the best before it does so: the registry has simple ones first [3.0, 4.0] */

/*
 * Bytes of a block where no setting says them. The largest, by hand: it bounds the scratch memory and keeps a block in cache
 * between its arrival and its folding [11, 7]. The smallest: below, a message costs hardly less than one of this size, which
 * no straight line through the times of two sizes tells; by hand, after trials in scripts/lab [12, 18].
 */
#define LARGEST_BLOCK (256 << 10)
#define SMALLEST_BLOCK (8 << 10)

/*
 * In a pipeline where blocks of SMALLEST_BLOCK take at most so many times as long, they are taken: a prediction does not
 * tell such a difference, and small blocks are sooner out of each other's way. In scripts/lab, a circulant broadcast takes
 * 1.03 beta m with 8 KiB, 1.15 with 11 KiB, of which the predictions are equal. [1.0, 1.5]
 */
#define SMALLER_MARGIN 1.01

#define LARGEST_SETTING (1 << 30) /* bytes of a block, whatever the settings say: every count stays inside an int */
#define LEAST_ROUND 1e-9          /* seconds of a round; by hand: free rounds would ask for endless blocks [0, 0] */
enum { SETTLE_TURNS = 8 };        /* turns until blocks and pace stay; by hand [0, 0] */

/*
 * Tuning: factors between measured times, and a number of repetitions. By hand; in BENCHMARKS, native calls measured twice
 * differ by factors from 0.93 to 1.02.
 */
#define CLEAR_MARGIN 1.08       /* native takes so many times as long as an engine that beats it clearly */
#define EQUAL_MARGIN 1.03       /* engines that take at most so many times as long as the best are as good */
#define CLEAR_SPREAD 0.5        /* above, the best took less than half the median, or a quarter half as much again */
enum { CLEAR_REPETITIONS = 3 }; /* with fewer, nothing is clear */

#endif
