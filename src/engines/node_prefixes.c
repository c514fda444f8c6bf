/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-prefixes: scans, and reductions in the order of ranks, through memory that all q ranks share. A round has three
 * phases, however many ranks there are.
 *
 * A round has at most q blocks; block number i of a round is slice i, that of rank i. All ranks copy their operands of the
 * round into their cells. After that, rank i makes all prefixes of slice i: for r = 1, 2, .., it folds slice i of cell r-1
 * from the left into slice i of cell r. When all ranks have done so, each copies its prefix out. In a reduction, rank i
 * folds slice i of the cells q-2, .., 0 from the left into slice i of cell q-1, and the ranks that get the result copy that
 * cell out.
 *
 * Example, a scan of q = 3; the contents of the cells, one column for each slice, after each of the first two phases:
 *
 *     cell 0   0  0  0     0..0  0..0  0..0
 *     cell 1   1  1  1     0..1  0..1  0..1
 *     cell 2   2  2  2     0..2  0..2  0..2
 *
 * Invariant: between two phases each rank waits for all, except a rank that copies cell 0 out: no rank folds into cell 0.
 */
#include "node_steps.h"

enum { COPIED_IN = 1, FOLDED };

/*
 * The number of folds of a slice: all cells but one are folded into others; in an exclusive scan all but two, as the last
 * operand has no part in it.
 */
static int folds(const struct shape *s)
{
    return s->ranks - 1 - collective_traits[s->collective].exclusive;
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int q = shape->ranks, me = s->rank;
    const bool prefix = collective_prefix(shape->collective);
    const int64_t first = part_offset(shape->blocks, s->rounds, k), end = part_offset(shape->blocks, s->rounds, k + 1);
    const struct node_blocks all = {first, end - first}, slice = {first + me, first + me < end};
    if (beat == 0) {
        node_await_free(c, s, k);
        if (me <= folds(shape))
            node_act(c, s, STEP_COPY, k, all, SLOT_IN, slot_cell(me));
        node_tell(c, s, k, COPIED_IN);
        node_push(c, s, STEP_AWAIT_ALL, k, NOBODY, COPIED_IN);
    } else if (beat <= folds(shape)) {
        const int from = prefix ? beat - 1 : q - 1 - beat, to = prefix ? beat : q - 1;
        node_act(c, s, STEP_FOLD, k, slice, slot_cell(from), slot_cell(to));
    } else if (node_work_ends(s, beat)) {
        node_tell(c, s, k, FOLDED);
    } else {
        const int last = collective_last(shape->collective, me, q);
        if (last > 0) /* cell 0 has no folds */
            node_push(c, s, STEP_AWAIT_ALL, k, NOBODY, FOLDED);
        node_act(c, s, STEP_COPY, k, all, slot_cell(last), SLOT_OUT);
    }
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    node_begin(s, steps, ceil_div(shape->blocks, shape_wide(shape)), folds(shape) + 2,
               collective_writes(shape->collective, s->rank, shape->root), 1);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 2 + (double)(s->ranks - 1) / (double)shape_wide(s), .latency = 3 * s->ranks};
}

/*
 * A copy into a cell, and a fold, first fetch lines that other ranks have changed; a fetch takes as long as a copy. A rank
 * waits three times for all. A look at all counters takes half as long as a look at each.
 */
static struct segment_work work(const struct shape *s)
{
    const double q = s->ranks;
    return (struct segment_work){.copied = 4 - 2 / q, .folded = 1 - 1 / q, .waits = 3, .looks = 1.5 * q - 3};
}

#define SERVICE                                                                                                             \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_SLICES, work}, .generate = generate,               \
    .text.rounds = "2n+n(p-1)/w+3p"

const struct engine engine_node_prefixes = {
    .name = "node-prefixes",
    .summary = "all ranks copy operands into shared memory, fold a slice each in the order of ranks, and copy results out",
    .serves = {[COLL_REDUCE] = {SERVICE}, [COLL_ALLREDUCE] = {SERVICE}, [COLL_SCAN] = {SERVICE}, [COLL_EXSCAN] = {SERVICE}},
};
