/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All constants of the cost model and of the history, each with its meaning, unit and source. The constants of native calls
 * are in native_model.h.
 *
 * "By hand": no measurement gave the value. BENCHMARKS, "Losses", shows the price of wrong values.
 */
#ifndef PLEACH_CONSTANTS_H
#define PLEACH_CONSTANTS_H

/* Figures where nothing was measured; struct figures, seconds and seconds a byte. By hand, as of common machines. */
#define NOMINAL_NODE .alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6    /* through memory */
#define NOMINAL_NETWORK .alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6 /* 10 Gbit/s */
#define NOMINAL_SEGMENT .wait = 0.1e-6, .copy = 0.06e-9, .stream = 0.06e-9, .spread = 0.06e-9, .fold = 0.06e-9

/*
 * Machines for choices that nothing measured may decide: the choice is an engine that is far from the best on none of them.
 * Networks of 1, 1, 10, 10, 25, 100 and 400 Gbit/s, with the steps of TCP, of clouds and of adapters that bypass the kernel;
 * nodes whose memory moves 2 to 20 GB/s. struct figures: alpha, beta, gamma, hop, gap. By hand. Ranks that all exchange at
 * once wait for each other: a hop takes less than a step. The gap is the processors' work, in scripts/lab 4 to 9 us.
 */
/* clang-format off */
#define PLAUSIBLE_NETWORKS \
    {100e-6, 8e-9, 0.2e-9, 70e-6, 5e-6, 0}, \
    {10e-6, 8e-9, 0.2e-9, 7e-6, 2e-6, 0}, \
    {20e-6, 0.8e-9, 0.2e-9, 14e-6, 4e-6, 0}, \
    {5e-6, 0.8e-9, 0.2e-9, 3.5e-6, 1e-6, 0}, \
    {8e-6, 0.32e-9, 0.1e-9, 5.6e-6, 2e-6, 0}, \
    {2e-6, 0.08e-9, 0.1e-9, 1.4e-6, 0.4e-6, 0}, \
    {1e-6, 0.02e-9, 0.1e-9, 0.7e-6, 0.2e-6, 0}
#define PLAUSIBLE_NODES \
    {5e-6, 0.5e-9, 0.3e-9, 3.5e-6, 1e-6, 0}, \
    {1e-6, 0.2e-9, 0.2e-9, 0.7e-6, 0.5e-6, 0}, \
    {1e-6, 0.1e-9, 0.05e-9, 0.7e-6, 0.2e-6, 0}, \
    {0.3e-6, 0.05e-9, 0.1e-9, 0.21e-6, 0.1e-6, 0}
/* The segments of these nodes; struct segment_figures: wait, copy, stream, spread, fold. */
#define PLAUSIBLE_SEGMENTS \
    {0.5e-6, 0.15e-9, 0.15e-9, 0.15e-9, 0.09e-9}, \
    {0.1e-6, 0.06e-9, 0.06e-9, 0.06e-9, 0.06e-9}, \
    {0.1e-6, 0.03e-9, 0.03e-9, 0.03e-9, 0.015e-9}, \
    {0.03e-6, 0.015e-9, 0.015e-9, 0.015e-9, 0.03e-9}
/* clang-format on */

/*
 * The time of a round in which blocks go both ways between sites, over the time of the way between them. By hand.
 */
#define FAR_TURN (1 / 64.0)

/*
 * Bytes of a call for whose sake ranks come to share memory at once, because the order of its operands counts: every such
 * call has to take the same way. By hand: sharing takes milliseconds, and programs have single sums of a few numbers on many
 * communicators.
 */
#define SEGMENT_LEAST 256

/* Places are far apart if a message between them takes more than so many times as long as one inside. By hand. */
#define FAR_LEVELS 4

/* Factors between predicted times, by hand: the error of predictions. */
#define NATIVE_MARGIN 1.1 /* an engine serves if native takes more than so many times as long */
#define LATER_MARGIN 1.05 /* a later row serves if the best row before it does so: simple rows come first */

/* An engine has no trials if its predicted time is more than so many times the best one's. By hand. */
#define CANDIDATE_FACTOR 3

/*
 * Bytes of a block if no setting says them. The largest, by hand: it bounds the scratch memory and keeps a block in cache
 * between its arrival and its folding. The smallest: a shorter message costs hardly less than one of this size, and a
 * straight line through the times of two sizes does not show that; by hand, after trials in scripts/lab.
 */
#define LARGEST_BLOCK (256 << 10)
#define SMALLEST_BLOCK (8 << 10)

enum { PIECE_BLOCKS = 8 }; /* blocks that fill a piece at least, if it has several; by hand: a ninth of it may stay empty */

/*
 * A pipeline has blocks of SMALLEST_BLOCK if they take at most so many times as long as the best: predictions do not resolve
 * such a difference, and small blocks are sooner out of each other's way. In scripts/lab, a circulant broadcast takes
 * 1.03 beta m with 8 KiB and 1.15 with 11 KiB, with equal predictions.
 */
#define SMALLER_MARGIN 1.01

#define LARGEST_SETTING (1 << 30) /* bytes of a block, whatever the settings say, but see set_blocks(): counts are int */
#define LEAST_ROUND 1e-9          /* seconds of a round; by hand: free rounds would ask for endless blocks */
enum { SETTLE_TURNS = 8 };        /* turns until blocks and round bound stay; by hand */

/*
 * The history. FAR_BEHIND: by the model, the candidates are at most that far apart. SETTLE_MARGIN: native, which has the
 * right to stay, may lose that much. The others are promises that pleach(7) makes.
 */
#define FAR_BEHIND 1.5     /* the shortest time of a candidate that is dropped, over the best one's longest; by hand */
#define SETTLE_MARGIN 1.05 /* native takes so many times as long as an engine that beats it clearly; by hand */
#define DRIFT 1.5          /* a settled kind has new trials if its time has grown, or shrunk, by this factor */
#define TRIALS_SHARE 0.01  /* trials lose at most this share of the time in calls .. */
#define TRIALS_CALLS 10    /* .. or the time of so many calls, whichever is more */
enum { FIRST_CHECK = 64 }; /* a settled kind is timed again at this call, at twice as many calls, and so on */
#define FAR_APART 2.0      /* three times tell little if the longest is so many times the shortest; by hand */
enum { NOISY_CHECK = 8 };  /* FIRST_CHECK of a kind whose times were so far apart */

/* The time of shadow trials is lost altogether, so there are few. They take twice the memory of the message. By hand. */
enum { SHADOW_CANDIDATES = 2, SHADOW_MOST = 64 << 20 /* bytes */ };

#endif
