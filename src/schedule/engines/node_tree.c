/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-tree: short reductions and scans of many ranks through memory that all ranks share, in two phases.
 *
 * The q ranks form groups of g consecutive ranks, where g is the least number with g * g >= q; the last group may have
 * fewer. The last rank of a group leads it. Each other rank of the group copies its operand into its cell. The leader folds
 * these operands into its own cell, from the highest rank down, and so makes the group's total. A rank that gets a result
 * folds what it needs into this result, again from the highest rank down: in a scan the operands of its group, then the
 * totals of the groups before; in a reduction all totals. So operands stay in the order of ranks, and no rank reads more
 * than 2g cells. In node-flat, which has one phase, a rank reads up to q cells.
 *
 * Example, a reduction to rank 0 of q = 7, so g = 3: rank 2 folds 1 and 0, rank 5 folds 4 and 3; rank 0 copies 6 out and
 * folds 5 and 2, which are the totals 3..5 and 0..2.
 *
 * A rank makes its result of round k after its work on round k+1, so it seldom waits.
 *
 * Invariant: one rank writes to a cell, its owner, and does so before it tells its only turn of the round.
 */
#include "node_steps.h"

#include <limits.h>

/* The ranks of a group; the last group may have fewer. */
static int group_size(const struct shape *s)
{
    int g = 1;
    while (g * g < s->ranks)
        g++;
    return g;
}

static int leader(const struct shape *s, int group)
{
    const int end = (group + 1) * group_size(s);
    return (end < s->ranks ? end : s->ranks) - 1;
}

/* The operands that the rank folds into its cell before its own one: those of its group, if it leads that. */
static int members(const struct shape *s, int rank)
{
    const int g = group_size(s);
    return leader(s, rank / g) == rank ? rank % g : 0;
}

/* The operands of ranks 0 .. last: totals of whole groups, then those of single ranks. */
struct operands {
    int totals, singles;
};

static struct operands operands_of(const struct shape *s, int last)
{
    const int g = group_size(s), count = last + 1;
    if (count == s->ranks)
        return (struct operands){.totals = (int)ceil_div(count, g)};
    return (struct operands){count / g, count % g};
}

/* Does the rank make its result by a fold of its own operand, from IN, before all others? */
static bool begins_with_own(const struct shape *s, struct operands x, int rank)
{
    return collective_prefix(s->collective) && !collective_traits[s->collective].exclusive && x.singles > 0 && rank > 0;
}

/* Is the rank's cell read? In an exclusive scan the last operand has no part. */
static bool is_read(const struct shape *s, int rank)
{
    return !collective_traits[s->collective].exclusive || rank < s->ranks - 1;
}

/* The rank's work on a round: its operand or, if it leads its group, the group's total goes into its cell. */
static void work_on(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const int own = s->rank, from = own - 1 - beat;
    if (beat == 0)
        node_await_free(c, s, k);
    if (members(&s->shape, own) == 0)
        node_act(c, s, STEP_COPY, k, node_block(k), SLOT_IN, slot_cell(own));
    else {
        node_await(c, s, k, from, 1);
        if (beat == 0)
            node_fold_into(c, s, k, k, slot_cell(from), SLOT_IN, slot_cell(own));
        else
            node_act(c, s, STEP_FOLD, k, node_block(k), slot_cell(from), slot_cell(own));
    }
    if (node_work_ends(s, beat))
        node_tell(c, s, k, 1);
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const int own = s->rank, last = collective_last(shape->collective, own, shape->ranks);
    const int64_t work = s->number[NODE_WORK];
    int64_t k;
    int beat;
    if (!node_next(c, s, &k, &beat))
        return false;
    if (beat < work) {
        if (is_read(shape, own))
            work_on(c, s, k, beat);
    } else {
        const struct operands x = operands_of(shape, last);
        const bool begins = begins_with_own(shape, x, own);
        const int i = beat - (int)work + begins; /* number of the operand, from the last one down */
        const int from = i < x.singles ? last - i : leader(shape, x.totals - 1 - (i - x.singles));
        node_await(c, s, k, from, 1);
        if (begins && i == 1)
            node_fold_into(c, s, k, k, slot_cell(from), SLOT_IN, SLOT_OUT);
        else
            node_act(c, s, i == 0 ? STEP_COPY : STEP_FOLD, k, node_block(k),
                     i == 0 && last == own && x.singles > 0 ? SLOT_IN : slot_cell(from), SLOT_OUT);
    }
    if (beat == work + s->number[NODE_OUT] - 1)
        node_leave(c, s, k);
    return true;
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const int own = s->rank, folds = members(shape, own);
    const int last = collective_last(shape->collective, own, shape->ranks);
    const struct operands x = operands_of(shape, last);
    const bool gets = last >= 0 && collective_writes(shape->collective, own, shape->root);
    const int results = x.totals + x.singles - begins_with_own(shape, x, own);
    node_begin(s, shape->blocks, folds > 0 ? folds : 1, gets ? results : 0, 1);
    s->refill = refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    const int g = group_size(s);
    return (struct round_bound){.slope = 2 * g + 1, .latency = 2 * g};
}

static struct segment_work work(const struct shape *s)
{
    const int g = group_size(s);
    return node_reading(s, 2, g - 1 + (int)ceil_div(s->ranks, g));
}

#define SERVICE(one_reader)                                                                                                 \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, work, one_reader}, .generate = generate,    \
    .text.rounds = "2gn+n+2g"

const struct engine engine_node_tree = {
    .name = "node-tree",
    .summary = "groups of ranks fold short operands in shared memory; the ranks that get a result fold the groups' totals",
    .trees = 1,
    .serves = {[COLL_REDUCE] = {SERVICE(INT_MAX)},
               [COLL_ALLREDUCE] = {SERVICE(0)},
               [COLL_SCAN] = {SERVICE(0)},
               [COLL_EXSCAN] = {SERVICE(0)}},
};
