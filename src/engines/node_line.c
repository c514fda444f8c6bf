/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-line: reductions, all-reduces and scans through memory that all q ranks share, along a line of ranks.
 *
 * Reduction: each block has one accumulator, in the cell of the rank where the line begins or, in a long line, of one of the
 * next ranks. The line goes q-1, q-2, .., 0. The first rank copies its operand in. Each other rank waits for the rank before
 * it, and folds its own operand from the left into the cell, in place. In an all-reduce, all ranks copy the result out. In a
 * reduction, the root copies it out, unless the line ends at the root: then the root folds the cell and its own operand into
 * its result, and every rank moves the message once. The line ends at the root in two cases: if the root is rank 0, and if
 * the order is free. A free line goes from root-1 down to the root, around the end.
 *
 * A rank copies a block's result out some rounds after its own work on the block, when the block has come to the line's end.
 *
 * Scan: rank i waits for the prefix in the cell of rank i-1. It folds this prefix and its own operand into its result, and
 * copies the result into its own cell. In an exclusive scan the prefix itself is the result, and the fold goes into the
 * rank's own cell. Only rank i+1 reads that cell, so rank i waits for no other rank before it writes the cell anew.
 *
 * Example, a reduction to rank 0 of q = 3, in order, n = 2; a rank's work on each block:
 *
 *     rank 2   copies 0 in   copies 1 in
 *     rank 1                 folds 0       folds 1
 *     rank 0                               folds 0     folds 1
 *
 * Invariant: a cell has one writer at a time. Each writer waits for the one before it, and so for all earlier ones.
 */
#include "node_steps.h"

#include <limits.h>

/* ---- reductions ------------------------------------------------------------------------------------------------------ */

static int head(const struct shape *s)
{
    const bool free = collective_rooted(s->collective) && !s->ordered;
    return free ? rank_after(s, s->root, -1) : s->ranks - 1;
}

static int tail(const struct shape *s)
{
    return rank_after(s, head(s), 1 - s->ranks);
}

/* And is that the only rank with a result? */
static bool ends_at_root(const struct shape *s)
{
    return collective_rooted(s->collective) && tail(s) == s->root;
}

/*
 * Blocks of a round. A line of q ranks has q blocks under way. A line of more ranks than cells would wait for free cells, so
 * its rounds have blocks in the cells of several ranks; half of the rounds for which there are cells are then under way.
 */
static int columns(const struct shape *s)
{
    return s->ranks <= s->depth ? 1 : (int)ceil_div(2 * s->ranks, s->depth);
}

static void steps_of_reduction(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int q = shape->ranks, first = head(shape), last = tail(shape), position = rank_after(shape, first, -s->rank);
    const int work = s->number[NODE_WORK];
    const int column = beat % work, cell = slot_cell(rank_after(shape, first, -column)), turn = column + 1;
    const int64_t block = k * work + column;
    if (block < shape->blocks && beat >= work) {
        node_await(c, s, k, last, turn);
        node_act(c, s, STEP_COPY, k, node_block(block), cell, SLOT_OUT);
    } else if (block < shape->blocks) {
        if (position > 0)
            node_await(c, s, k, rank_after(shape, s->rank, 1), turn);
        else if (beat == 0)
            node_await_free(c, s, k);
        if (position == 0)
            node_act(c, s, STEP_COPY, k, node_block(block), SLOT_IN, cell);
        else if (position == q - 1 && ends_at_root(shape))
            node_fold_into(c, s, k, block, SLOT_IN, cell, SLOT_OUT);
        else
            node_act(c, s, STEP_FOLD, k, node_block(block), SLOT_IN, cell);
        node_tell(c, s, k, turn);
    }
}

/*
 * Rounds that a block takes from the rank to the end of the line. With a longer lag a rank would keep cells too long, with a
 * shorter one wait for the end of the line.
 */
static int lag(const struct shape *s, int position)
{
    const int left = s->ranks - 1 - position;
    return left > 1 ? (int)ceil_div(left, columns(s)) : 1;
}

static void generate_reduction(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const bool out = collective_writes(shape->collective, s->rank, shape->root) && !ends_at_root(shape);
    const int width = columns(shape);
    node_begin(s, steps_of_reduction, ceil_div(shape->blocks, width), width, out * width,
               lag(shape, rank_after(shape, head(shape), -s->rank)));
}

/* ---- scans ----------------------------------------------------------------------------------------------------------- */

static void steps_of_scan(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const bool exclusive = collective_traits[s->shape.collective].exclusive, first = s->rank == 0,
               last = s->rank == s->shape.ranks - 1;
    const int own = slot_cell(s->rank), before = slot_cell(s->rank - 1);
    (void)beat;
    if (!last)
        node_await_reader(c, s, k, s->rank + 1);
    if (!first)
        node_await(c, s, k, s->rank - 1, 1);
    if (!first && !exclusive)
        node_fold_into(c, s, k, k, before, SLOT_IN, SLOT_OUT);
    if (!last && !first && exclusive)
        node_fold_into(c, s, k, k, before, SLOT_IN, own);
    else if (!last)
        node_act(c, s, STEP_COPY, k, node_block(k), first ? SLOT_IN : SLOT_OUT, own);
    if (!last)
        node_tell(c, s, k, 1);
    if (first != exclusive) /* a scan copies rank 0's operand out, an exclusive scan the other ranks' prefixes */
        node_act(c, s, STEP_COPY, k, node_block(k), first ? SLOT_IN : before, SLOT_OUT);
}

static void generate_scan(struct schedule *s)
{
    node_begin(s, steps_of_scan, s->shape.blocks, 1, 0, 1);
}

/* ---- cost ------------------------------------------------------------------------------------------------------------ */

/*
 * A rank that copies results out also works in the line, where the first rank copies and the others fold. While the pipeline
 * fills, nothing is copied out. A rank waits for the rank before it and then for the block that this rank has changed; later
 * blocks have come by then. All ranks copy out of the same cell: COPIED_OUT.
 */
static struct segment_work reduction_work(const struct shape *s)
{
    static const double COPIED_OUT = 1.25;
    const bool out = !ends_at_root(s);
    return (struct segment_work){.copied = out * COPIED_OUT,
                                 .folded = !out,
                                 .either = out,
                                 .waits = 1 + out,
                                 .fill = (s->ranks - 1) / (1.0 + out),
                                 .hops = s->ranks - 1};
}

/*
 * In an exclusive scan of two ranks, one copies in what the other copies out. In the other scans the first rank only copies,
 * and each rank between the first and the last one copies and folds. The last rank only folds in a scan, and only copies in
 * an exclusive scan. So the first and the last rank together count as one of the ranks between them.
 */
static struct segment_work scan_work(const struct shape *s)
{
    const bool folds = s->ranks > 2 || !collective_traits[s->collective].exclusive;
    return (struct segment_work){
        .copied = 1, .folded = folds, .waits = 1, .fill = s->ranks - 1 - folds, .hops = s->ranks - 1};
}

/* With two or three cells, a rank waits for free ones. */
static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = s->depth < 4 ? 3 : 2, .latency = 2 * s->ranks};
}

#define REDUCTION(one_reader)                                                                                               \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, reduction_work, one_reader},                \
    .generate = generate_reduction, .text.rounds = "2n+2p"
#define SCAN                                                                                                                \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, scan_work, INT_MAX},                        \
    .generate = generate_scan, .text.rounds = "2n+2p"

const struct engine engine_node_line = {
    .name = "node-line",
    .summary = "each rank folds its operand into blocks in shared memory, after the rank before it",
    .serves = {[COLL_REDUCE] = {REDUCTION(INT_MAX)},
               [COLL_ALLREDUCE] = {REDUCTION(0)},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN}},
};
