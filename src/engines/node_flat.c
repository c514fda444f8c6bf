/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-flat: short reductions and scans through memory that all ranks share, in one phase.
 *
 * Each rank copies its operand into its cell, if anyone reads it there. Each rank that gets a result folds the operands that
 * it needs into its own result, from the highest rank down, so in the order of ranks. No rank writes to the cell of another.
 * If the first of these folds has the rank's own operand, the fold takes this operand from IN.
 *
 * A rank folds the operands of round k after it has copied its operand of round k+1 in, so it seldom waits.
 *
 * Invariant: a rank waits only for the ranks whose operands are in its result.
 */
#include "node_steps.h"

#include <limits.h>

/*
 * A fold into OUT destroys its second operand if that lies in a cell. So that is either the rank's own, in IN, or in a cell
 * that no other rank reads. `last`: the result has the operands of ranks 0 .. last.
 */
static bool begins_with_own(const struct shape *s, int rank, int last)
{
    const bool alone = s->ranks == 2 || collective_rooted(s->collective);
    return last > 0 && (rank == last || (rank == last - 1 && alone));
}

/* The last rank's operand is in no other rank's prefix. */
static bool is_read(const struct shape *s, int rank)
{
    if (collective_prefix(s->collective))
        return rank < s->ranks - 1;
    return !collective_rooted(s->collective) || s->root != rank || !begins_with_own(s, rank, s->ranks - 1);
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int own = s->rank, last = collective_last(shape->collective, own, shape->ranks);
    const bool begins = begins_with_own(shape, own, last);
    const int from = last + 1 - beat - (begins && (beat > 1 || own == last));
    if (beat == 0 && is_read(shape, own)) {
        node_put(c, s, k, node_block(k), SLOT_IN);
    } else if (beat > 0) {
        const int slot = from == own && beat == 1 ? SLOT_IN : slot_cell(from);
        node_await(c, s, k, from, 1);
        if (beat == 1 && begins)
            node_fold_into(c, s, k, k, own == last ? slot : SLOT_IN, own == last ? SLOT_IN : slot, SLOT_OUT);
        else
            node_act(c, s, beat == 1 ? STEP_COPY : STEP_FOLD, k, node_block(k), slot, SLOT_OUT);
    }
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const int last = collective_last(shape->collective, s->rank, shape->ranks);
    const bool gets = collective_writes(shape->collective, s->rank, shape->root);
    node_begin(s, steps, shape->blocks, 1, gets ? last + 1 - begins_with_own(shape, s->rank, last) : 0, 1);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = s->ranks + 1, .latency = s->ranks};
}

/*
 * Of two ranks, neither copies its own operand to OUT. A fold by a kernel takes half as long as the fetch of the cell; an
 * operation of the program is slower. Each rank waits for the other's operand and for a free cell. In an exclusive scan, one
 * rank copies in, and then the other copies out.
 */
static struct segment_work work(const struct shape *s)
{
    if (s->ranks == 2 && collective_traits[s->collective].exclusive)
        return (struct segment_work){.copied = 1, .waits = 1, .fill = 1};
    if (s->ranks == 2)
        return (struct segment_work){.copied = s->ordered ? 2 : 1.5, .folded = 1, .waits = 2};
    return node_reading(s, 1, s->ranks - 1);
}

#define SERVICE(one_reader)                                                                                                 \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, work, one_reader}, .generate = generate,    \
    .text.rounds = "pn+n+p"

const struct engine engine_node_flat = {
    .name = "node-flat",
    .summary = "all ranks copy short operands into shared memory; the ranks that get a result fold those that they need",
    .serves = {[COLL_REDUCE] = {SERVICE(INT_MAX)},
               [COLL_ALLREDUCE] = {SERVICE(2)},
               [COLL_SCAN] = {SERVICE(2)},
               [COLL_EXSCAN] = {SERVICE(2)}},
};
