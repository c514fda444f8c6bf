/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-flat: short reductions and scans through memory that all ranks share, in one phase.
 *
 * All ranks copy their operands into their cells. Each rank that gets a result folds the cells that it needs into its own
 * result, from the highest rank down, so in the order of ranks. It begins with its own operand if this is the operand of
 * the highest rank. No rank writes to the cell of another.
 *
 * Invariant: a rank waits only for the ranks whose operands are in its result.
 */
#include "node_steps.h"

#include <limits.h>

/*
 * Does a rank read this rank's cell? The last rank's operand is in no other rank's prefix, and a root that is the last rank
 * begins with its own operand.
 */
static bool is_read(const struct shape *s, int rank)
{
    return rank < s->ranks - 1 ||
           (!collective_prefix(s->collective) && !(collective_rooted(s->collective) && s->root == rank));
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const int last = collective_last(s->shape.collective, s->rank, s->shape.ranks);
    int64_t k;
    int beat;
    if (!node_next(c, s, &k, &beat))
        return false;
    if (beat == 0 && is_read(&s->shape, s->rank)) {
        node_await_free(c, s, k);
        node_act(c, s, STEP_COPY, k, node_block(k), SLOT_IN, slot_cell(s->rank));
        node_tell(c, s, k, 1);
    } else if (beat == 1 && last == s->rank) {
        node_act(c, s, STEP_COPY, k, node_block(k), SLOT_IN, SLOT_OUT);
    } else if (beat > 0) {
        const int from = last + 1 - beat;
        node_await(c, s, k, from, 1);
        node_act(c, s, beat == 1 ? STEP_COPY : STEP_FOLD, k, node_block(k), slot_cell(from), SLOT_OUT);
    }
    if (node_work_ends(s, beat))
        node_leave(c, s, k);
    return true;
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const bool gets = collective_writes(shape->collective, s->rank, shape->root);
    node_begin(s, shape->blocks, 1 + (gets ? 1 + collective_last(shape->collective, s->rank, shape->ranks) : 0), 0, 1);
    s->refill = refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = s->ranks + 1, .latency = s->ranks};
}

/* A fold first fetches the cell, as a copy does. */
static struct segment_work work(const struct shape *s)
{
    return (struct segment_work){.copied = 1 + s->ranks, .folded = s->ranks - 1, .waits = s->ranks};
}

#define SERVICE(one_reader)                                                                                                 \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, work, one_reader}, .generate = generate,    \
    .text.rounds = "pn+n+p"

const struct engine engine_node_flat = {
    .name = "node-flat",
    .summary = "all ranks copy short operands into shared memory; the ranks that get a result fold all of these",
    .trees = 1,
    .serves = {[COLL_REDUCE] = {SERVICE(INT_MAX)},
               [COLL_ALLREDUCE] = {SERVICE(0)},
               [COLL_SCAN] = {SERVICE(2)},
               [COLL_EXSCAN] = {SERVICE(2)}},
};
