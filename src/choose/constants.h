/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The constants of the cost model, each with its meaning, unit and source. native_model.h has the constants of native calls,
 * history.h those of trials.
 *
 * "By hand" means that no measurement gave the value. The tables "Losses" of BENCHMARKS show the price of wrong values.
 */
#pragma once

/*
 * Figures of a machine that was not measured, in seconds and seconds per byte: the fields of struct figures and, in the last
 * line, of struct segment_figures. By hand, after common machines.
 */
#define NOMINAL_NODE .alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6    /* messages within a node */
#define NOMINAL_NETWORK .alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6 /* 10 Gbit/s */
#define NOMINAL_SEGMENT .wait = 0.1e-6, .copy = 0.06e-9, .stream = 0.06e-9, .spread = 0.06e-9, .fold = 0.06e-9

/*
 * Seconds of a wait in a segment where there are more ranks than cores, for each of the ranks that share a core: a rank that
 * waits yields its core to the other ranks in turn. Also the least alpha and hop of messages inside such a node. By hand: in
 * short all-reduces by node-ring of 4 and 8 ranks on two cores, a wait took 0.6 to 0.7 us for each rank that shares the
 * core. On a slower machine, node-flat took three times as long.
 */
#define CROWDED_WAIT 1e-6

/*
 * The least seconds of a wait in a segment with more than two ranks, if it was not measured. By hand: the waits of 3 to 16
 * ranks on 16 cores take 0.25 to 0.34 us, and their copies and folds 1.3 to 1.5 times as long as the nominal figures say.
 */
#define SEVERAL_WAIT 0.2e-6

/* The most seconds of a look at a counter that has been set, even if waits take longer as ranks share cores. By hand. */
#define LONGEST_LOOK 0.3e-6

/*
 * Bytes that a node loads and stores in a second, for all its ranks, if it was not measured: in its memory, and in a
 * segment, whose cells fit its caches. By hand; 16 ranks on 16 cores copy 170 to 400 GB/s through a segment.
 */
#define NOMINAL_MEMORY 200e9
#define CELLS_MEMORY 400e9

/*
 * Plausible machines. If no measurement may decide about a call, the choice is the engine whose largest regret on these
 * machines is the least. The networks have 1, 1, 10, 10, 25, 100 and 400 Gbit/s, and latencies of TCP, of clouds and of
 * adapters that bypass the kernel. The nodes have memory that moves 2 to 20 GB/s. The numbers in a line are the fields of
 * struct figures: alpha, beta, gamma, hop, gap, jump. By hand.
 *
 * A hop takes less time than a step, in which all ranks exchange at once and wait for each other. The gap is the work of the
 * processors; it takes 4 to 9 us in scripts/lab.
 *
 * A longer list makes some calls faster and about as many slower. So does a mean of the regrets, weighted by how common the
 * networks are, in place of the largest regret. With 15 us and 400 Gbit/s, the best engines are not those that are the best
 * with 60 us and 1 Gbit/s. A rule that gives the figures (alpha=, hop= ..) helps in both cases. A coarse class of the
 * machine that a run tells to the next one does not: if alpha over beta, in powers of 4, decides, calls of 4 to 64 KiB take
 * 5 per cent longer than by the best engine, and 7 of 100 take over 25 per cent longer; by this list, 2 per cent and 2 of
 * 100.
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
/*
 * The segments of these nodes. Where several ranks lie on each of several nodes, a network is plausible with each of these
 * nodes. The numbers are the fields of struct segment_figures: wait, copy, stream, spread, fold.
 */
#define PLAUSIBLE_SEGMENTS \
    {0.5e-6, 0.15e-9, 0.15e-9, 0.15e-9, 0.09e-9}, \
    {0.1e-6, 0.06e-9, 0.06e-9, 0.06e-9, 0.06e-9}, \
    {0.1e-6, 0.03e-9, 0.03e-9, 0.03e-9, 0.015e-9}, \
    {0.03e-6, 0.015e-9, 0.015e-9, 0.015e-9, 0.03e-9}
/* clang-format on */

/*
 * The least time from one message of a card to the next, divided by the gap of a rank: so many ranks keep a card busy. By
 * hand: with the gaps of the plausible networks, cards take 1.6 to 40 million messages in a second.
 */
#define CARD_GAP (1 / 8.0)

/* The extra time of a round in which blocks go both ways between sites, divided by the alpha between the sites. By hand. */
#define FAR_TURN (1 / 64.0)

/*
 * An engine with a segment may round otherwise than other engines, and equal calls must have equal bits. So if the order of
 * operands counts, the ranks of a node share memory before the first such call, not after many. They do so only for calls of
 * at least this number of bytes. By hand: sharing takes milliseconds, and programs make single sums of a few numbers on many
 * communicators.
 */
#define SEGMENT_LEAST 256

/*
 * The model takes lanes for calls of at least LANES_FROM bytes, whatever calls came before: the first such call makes the
 * segments. Shorter calls whose bits do not depend on the engine do not make segments before a communicator is busy. Every
 * node must have at least LANES_RANKS ranks: in scripts/lab, with two on each of 8 hosts, all-reduces take 1.9 to 2.1 beta m
 * by lanes and 1.8 to 1.9 by butterfly. Broadcasts and reductions there gain nothing. By hand.
 */
#define LANES_FROM (64 << 10)
enum { LANES_RANKS = 4 };

/*
 * Bounds on the bytes of a slice, if no setting gives the size of blocks. By hand: making a stage takes some 0.3 us, in
 * which a core copies a few KiB. A rank keeps a slice between stages, so LARGEST_SLICE bounds the scratch memory.
 */
#define SMALLEST_SLICE (64 << 10)
#define SMALLEST_PART (16 << 10) /* smallest slice if a reduction on a node has one stage for the slices of all lanes */
#define LARGEST_SLICE (4 << 20)

/*
 * Most lanes, and most chunks, of a call in which some nodes work on one chunk while others work on the next. Eight ranks
 * copy as fast as a card moves bytes. By hand, after trials in scripts/wind-tunnel.
 */
enum { RELAY_LANES = 8, RELAY_CHUNKS = 16 };

/*
 * From so many ranks a node on, the root of a reduction is in no lane, and the call has two chunks. With fewer ranks, one
 * lane less would cost more time in folds than it saves at the root. By hand, after trials in scripts/wind-tunnel.
 */
enum { SPARED_RANKS = 12 };

/* Calls in a row, as programs make them. By hand; see pick_least(). */
enum { PROGRAM_CALLS = 8 };

/* Factors between predicted times. Predictions do not resolve smaller differences. By hand. */
#define NATIVE_MARGIN 1.1  /* an engine serves only if native takes longer by more than this factor; see pick_least() */
#define LATER_MARGIN 1.05  /* a later row serves only if the best earlier row takes longer by more than this factor */
#define RETURN_MARGIN 1.05 /* likewise an engine that has lost for a smaller size; see axis.h */

/*
 * For short calls, trials for a file of rules compare engines whose predicted times differ by more than this factor.
 * Engines with smaller differences mostly do the same. In scripts/lab with --wire, reductions of 16 KiB take 4.5 ms by
 * circulant and 6.2 ms by fractional, and their predictions differ by 4 per cent. By hand.
 */
#define EQUAL_PREDICTION 1.001

/* An engine is no candidate if its predicted time exceeds the best one by more than this factor. By hand. */
#define CANDIDATE_FACTOR 3

/* Takes the place of SMALLEST_BLOCK if calls share a network card, as those of lanes do: a block then takes longer. */
#define SMALLEST_SHARED (2 << 10)

/*
 * Seconds of a step over those of a byte, where a message is halved, exchanged and gathered, for operations that give other
 * bits if operands are swapped: there the number of halvings decides about bits. By hand: the plausible networks have 1 to
 * 50 KB.
 */
#define HALVED_STEP 20e3

/* A piece of several blocks has room for at least this many, so that at most a ninth of it stays empty. By hand. */
enum { PIECE_BLOCKS = 8 };

/*
 * A pipeline has blocks of the smallest size if its predicted time then exceeds the best one by at most this factor.
 * Predictions do not resolve such a difference, and small blocks are sooner out of each other's way. In scripts/lab, a
 * circulant broadcast takes 1.03 beta m with blocks of 8 KiB and 1.15 beta m with 11 KiB; the predictions are equal.
 */
#define SMALLER_MARGIN 1.01

/* Most bytes of a block, whatever the settings say, as MPI's counts are int. set_blocks() makes an exception. */
#define LARGEST_SETTING (1 << 30)

/* Least seconds of a round. If rounds took no time, the model would cut messages into endless blocks. By hand. */
#define LEAST_ROUND 1e-9

/* Most turns of the search for a number of blocks and a round bound that belong together. By hand. */
enum { SETTLE_TURNS = 8 };
