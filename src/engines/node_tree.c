/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-tree: short reductions and scans of many ranks through memory that all ranks share, in two phases.
 *
 * The q ranks form groups of at most g consecutive ranks, where g is the least number with g * g >= q. The last rank of a
 * group leads it. Each other rank of the group copies its operand into its cell. The leader folds these operands into its
 * own cell, from the highest rank down, and so makes the group's total. A rank that gets a result folds what it needs into
 * this result, again from the highest rank down: in a reduction all totals; in a scan the operands of its group up to its
 * own, then the totals of the groups before. In a scan a leader has its own total instead of these operands; in an exclusive
 * scan it folds them once more. So operands stay in the order of ranks. No rank needs many more than 2g cells of others; in
 * node-flat, which has one phase, a rank needs up to q - 1 of them.
 *
 * Where the shape has domains, a group lies in one domain or has several whole ones; a domain of more than g ranks is cut
 * into groups. So most cells that a leader reads are near.
 *
 * Example, a reduction to rank 0 of q = 7, so g = 3: rank 2 folds 1 and 0, rank 5 folds 4 and 3; rank 0 copies 6 out and
 * folds 5 and 2, which are the totals 3..5 and 0..2.
 *
 * A rank makes its result of round k after its work on round k+1, so it seldom waits. Where a fold has two operands and a
 * third place for the result, the second operand is the rank's own, in IN, so the fold destroys no cell.
 *
 * Invariant: one rank writes to a cell, its owner, and does so before it tells its only turn of the round.
 */
#include "node_steps.h"

#include <limits.h>

enum { HAS_OPERAND = 1, HAS_TOTAL }; /* the turn of a rank that does not lead, and that of a leader */

/* Each `row` ranks are cut into groups of `size`. The last row, and the last group of a row, may have fewer. */
struct groups {
    int ranks, row, size;
};

/* More numbers of the schedule. */
enum { ROW = NODE_NUMBERS, SIZE, NUMBERS };

static struct groups groups_of(const struct shape *s)
{
    const int q = s->ranks, d = s->domain > 1 ? s->domain : q;
    int g = 1;
    while (g * g < q)
        g++;
    if (d < g)
        return (struct groups){q, q, g / d * d};
    return (struct groups){q, d, d < q ? (int)ceil_div(d, ceil_div(d, g)) : g};
}

static struct groups groups_in(const struct schedule *s)
{
    return (struct groups){s->shape.ranks, (int)s->number[ROW], (int)s->number[SIZE]};
}

/* Groups in a whole row. */
static int row_groups(struct groups g)
{
    return (int)ceil_div(g.row, g.size);
}

static int group_of(struct groups g, int rank)
{
    return rank / g.row * row_groups(g) + rank % g.row / g.size;
}

static int number_in_group(struct groups g, int rank)
{
    return rank % g.row % g.size;
}

static bool leads(struct groups g, int rank)
{
    return rank == g.ranks - 1 || number_in_group(g, rank + 1) == 0;
}

static int leader(struct groups g, int group)
{
    const int row = group / row_groups(g) * g.row, end = (group % row_groups(g) + 1) * g.size;
    const int next = row + (end < g.row ? end : g.row);
    return (next < g.ranks ? next : g.ranks) - 1;
}

/* The operands that the rank folds into its cell besides its own; 0 unless it leads other ranks. */
static int members(struct groups g, int rank)
{
    return leads(g, rank) ? number_in_group(g, rank) : 0;
}

/* What ranks 0 .. last contribute: the totals of whole groups, then single operands. */
struct operands {
    int totals, singles;
};

static struct operands operands_of(struct groups g, int last)
{
    if (last < 0 || leads(g, last))
        return (struct operands){.totals = last < 0 ? 0 : group_of(g, last) + 1};
    return (struct operands){group_of(g, last), number_in_group(g, last) + 1};
}

/* Does the rank make its result by a fold of its own operand, from IN, before all others? */
static bool begins_with_own(const struct shape *s, struct operands x, int rank)
{
    return collective_prefix(s->collective) && !collective_traits[s->collective].exclusive && x.singles > 0 && rank > 0;
}

/* In an exclusive scan the last operand has no part. */
static bool is_read(const struct shape *s, int rank)
{
    return !collective_traits[s->collective].exclusive || rank < s->ranks - 1;
}

/* Its operand goes into its cell; the group's total, if it leads. */
static void work_on(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct groups g = groups_in(s);
    const int own = s->rank, from = own - 1 - beat;
    const bool folds = members(g, own) > 0;
    if (beat == 0)
        node_await_free(c, s, k);
    if (folds)
        node_await(c, s, k, from, HAS_OPERAND);
    if (!folds)
        node_act(c, s, STEP_COPY, k, node_block(k), SLOT_IN, slot_cell(own));
    else if (beat == 0)
        node_fold_into(c, s, k, k, slot_cell(from), SLOT_IN, slot_cell(own));
    else
        node_act(c, s, STEP_FOLD, k, node_block(k), slot_cell(from), slot_cell(own));
    if (node_work_ends(s, beat))
        node_tell(c, s, k, leads(g, own) ? HAS_TOTAL : HAS_OPERAND);
}

static void put_result(struct cursor *c, const struct schedule *s, int64_t k, int i)
{
    const struct shape *shape = &s->shape;
    const struct groups g = groups_in(s);
    const int own = s->rank, last = collective_last(shape->collective, own, shape->ranks);
    const struct operands x = operands_of(g, last);
    const bool begins = begins_with_own(shape, x, own);
    const int n = i + begins; /* number of the operand, from the last one down */
    const bool single = n < x.singles;
    const int from = single ? last - n : leader(g, x.totals - 1 - (n - x.singles));
    node_await(c, s, k, from, single ? HAS_OPERAND : HAS_TOTAL);
    if (i == 0 && begins)
        node_fold_into(c, s, k, k, slot_cell(from), SLOT_IN, SLOT_OUT);
    else if (i == 0)
        node_act(c, s, STEP_COPY, k, node_block(k), single && from == own ? SLOT_IN : slot_cell(from), SLOT_OUT);
    else
        node_act(c, s, STEP_FOLD, k, node_block(k), slot_cell(from), SLOT_OUT);
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const int work = (int)s->number[NODE_WORK];
    if (beat >= work)
        put_result(c, s, k, beat - work);
    else if (is_read(&s->shape, s->rank))
        work_on(c, s, k, beat);
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const struct groups g = groups_of(shape);
    const int own = s->rank;
    const struct operands x = operands_of(g, collective_last(shape->collective, own, shape->ranks));
    const bool gets = collective_writes(shape->collective, own, shape->root);
    const int folds = is_read(shape, own) ? members(g, own) : 0;
    const int results = x.totals + x.singles - begins_with_own(shape, x, own);
    node_begin(s, steps, shape->blocks, folds ? folds : 1, gets ? results : 0, 1);
    s->number[ROW] = g.row;
    s->number[SIZE] = g.size;
    s->numbers = NUMBERS;
}

/* In an exclusive scan a leader folds its group's operands twice: for the total, and without its own for its result. */
static struct round_bound round_bound(const struct shape *s)
{
    const struct groups g = groups_of(s);
    const int groups = group_of(g, s->ranks - 1) + 1, larger = groups > g.size ? groups : g.size;
    const int most = (collective_traits[s->collective].exclusive ? 3 : 2) * larger;
    return (struct round_bound){.slope = most + 1, .latency = most};
}

static struct segment_work work(const struct shape *s)
{
    const struct groups g = groups_of(s);
    return node_reading(s, 2, g.size + group_of(g, s->ranks - 1));
}

#define SERVICE(one_reader, bound)                                                                                          \
    .needs = NEED_SEGMENT, .round_bound = round_bound, .segment = {CELLS_BLOCK, work, one_reader}, .generate = generate,    \
    .text.rounds = bound

const struct engine engine_node_tree = {
    .name = "node-tree",
    .summary = "groups of ranks fold short operands in shared memory; the ranks that get a result fold the groups' totals",
    .serves = {[COLL_REDUCE] = {SERVICE(INT_MAX, "2gn+n+2g")},
               [COLL_ALLREDUCE] = {SERVICE(0, "2gn+n+2g")},
               [COLL_SCAN] = {SERVICE(0, "2gn+n+2g")},
               [COLL_EXSCAN] = {SERVICE(0, "3gn+n+3g")}},
};
