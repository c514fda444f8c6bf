/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants of the cost model; doc/constants has what gave them their values. history.h has those of trials. */
#pragma once

/* Figures of a machine that was not measured: seconds, and seconds per byte. */
#define NOMINAL_NODE .alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6    /* within a node */
#define NOMINAL_NETWORK .alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6 /* 10 Gbit/s */
#define NOMINAL_SEGMENT .wait = 0.1e-6, .copy = 0.06e-9, .stream = 0.06e-9, .spread = 0.06e-9, .fold = 0.06e-9

/* Seconds of a wait in a segment for each rank that shares a core. Also the least alpha and hop inside such a node. */
#define CROWDED_WAIT 1e-6

/* The least seconds of a wait of more than two ranks in a segment that was not measured. */
#define SEVERAL_WAIT 0.2e-6

/* The most seconds of a look at a counter that has been set. */
#define LONGEST_LOOK 0.3e-6

/* Bytes per second that all ranks of a node load and store, in its memory and in the cells of a segment. */
#define NOMINAL_MEMORY 200e9
#define CELLS_MEMORY 400e9

/*
 * Machines on which the largest regret of a choice is to be the least, if no measurement may decide: struct figures (alpha,
 * beta, gamma, hop, gap, jump).
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
/* Of these nodes: struct segment_figures (wait, copy, stream, spread, fold). Any network is plausible with any node. */
#define PLAUSIBLE_SEGMENTS \
    {0.5e-6, 0.15e-9, 0.15e-9, 0.15e-9, 0.09e-9}, \
    {0.1e-6, 0.06e-9, 0.06e-9, 0.06e-9, 0.06e-9}, \
    {0.1e-6, 0.03e-9, 0.03e-9, 0.03e-9, 0.015e-9}, \
    {0.03e-6, 0.015e-9, 0.015e-9, 0.015e-9, 0.03e-9}
/* clang-format on */

/* Time between messages of a card, over the gap of a rank: so many ranks keep it busy. */
#define CARD_GAP (1 / 8.0)

/* Extra time of a round with blocks both ways between sites, over the alpha between them. */
#define FAR_TURN (1 / 64.0)

/* Bytes from which a call shares memory at once if the order of operands counts: equal calls, equal bits. */
#define SEGMENT_LEAST 256

/* The model takes lanes from so many bytes on, even before segments are made, on nodes of at least so many ranks. */
#define LANES_FROM (64 << 10)
enum { LANES_RANKS = 4 };

/* Bounds on a slice, if no setting gives the size of blocks. A rank keeps a slice between stages. */
#define SMALLEST_SLICE (64 << 10)
#define LARGEST_SLICE (4 << 20)

/* Most lanes and chunks of a call in which some nodes work on one chunk while others work on the next. */
enum { RELAY_LANES = 8, RELAY_CHUNKS = 16 };

/* Slices of lanes that have one stage on a node: the smallest, and those that are not small. */
enum { SMALLEST_PART = 1 << 10, LARGE_PART = 16 << 10 };

/* From so many ranks a node on, if parts are large, the root of a reduction is in no lane, and the call has two chunks. */
enum { SPARED_RANKS = 12 };

/* The calls of a row, as programs make them; see pick_least(). */
enum { PROGRAM_CALLS = 8 };

/* Factors of predicted times. */
#define NATIVE_MARGIN 1.1  /* native must take longer by more than this */
#define LATER_MARGIN 1.05  /* the best earlier row must take longer by more than this */
#define RETURN_MARGIN 1.05 /* the same for an engine that has lost for a smaller size; axis.h */

/* In short trials for a file, engines with closer predictions are taken to do the same. */
#define EQUAL_PREDICTION 1.001

/* No candidate takes longer than the best by more, as predicted. */
#define CANDIDATE_FACTOR 3

/* In place of SMALLEST_BLOCK where calls share a network card. */
#define SMALLEST_SHARED (2 << 10)

/* Bytes that take as long as a step, where the number of halvings decides about bits. */
#define HALVED_STEP 20e3

/* The least blocks in a piece, so that at most a ninth of it stays empty. */
enum { PIECE_BLOCKS = 8 };

/* The smallest blocks are taken if they take at most so many times the best time. */
#define SMALLER_MARGIN 1.01

/* MPI's counts are int. set_blocks() makes an exception. */
#define LARGEST_SETTING (1 << 30)

/* Least seconds of a round, else a message would have endless blocks. */
#define LEAST_ROUND 1e-9

/* Most turns of settle_blocks(). */
enum { SETTLE_TURNS = 8 };
