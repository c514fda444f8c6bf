/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-ring: all-reduces and reductions in any order, through memory that all ranks share. All ranks fold all the time.
 *
 * The message has a part for each of the q ranks. A round has a block of each part; the block of part j is accumulated in
 * the cell of rank j. Rank j+1 copies its operand in, then ranks j+2, .., j (mod q) fold their operands into the cell, one
 * after the other. So in beat t = 0 .. q-1 rank i works on part i-1-t (mod q), after rank i-1 has finished its beat t-1. If
 * rank j gets the result, it folds into OUT. In an all-reduce, it then copies the block from there into its cell. Then the
 * ranks that get the result copy the other blocks of the round out.
 *
 * With two ranks, a block of a cell has one reader at a time. The last reader writes the cell next, so it gains by taking
 * over the cell's cache lines when it reads (copies.h). All-reduces of two ranks fold in the order of ranks, so there
 * operations need not commute.
 *
 * A reduction may have a root for each of L <= q parts of the message. Then part j < L ends at its root, rank root + j (mod
 * q), which folds it into OUT: nobody copies a result out. All rank numbers above then count from `root`. A rank has nothing
 * to do in the beats of parts that do not exist.
 *
 * The order of an element's operands follows from its part, so from q and the count alone. All ranks get the same bits.
 *
 * Example, q = 3; the parts on which ranks work:
 *
 *     beat     0  1  2
 *     rank 0   2  1  0
 *     rank 1   0  2  1
 *     rank 2   1  0  2
 *
 * Invariants: in each beat the ranks work on different parts. The first writer of a cell is not its owner, so all ranks wait
 * for free cells.
 */
#include "node_steps.h"

static int parts(const struct shape *s)
{
    return s->roots ? s->roots : s->ranks;
}

static int owner(const struct shape *s, int j)
{
    return s->roots ? rank_after(s, s->root, j) : j;
}

/* None if there is no such part, or if it has fewer blocks. */
static struct node_blocks block_of(const struct shape *s, int j, int64_t round)
{
    return j < parts(s) ? node_block_of_part(s, parts(s), j, round) : (struct node_blocks){0, 0};
}

/* Of a round: that of its own part. In an all-reduce, the copy into the cell follows. */
static void fold_own(struct cursor *c, const struct schedule *s, int64_t k, struct node_blocks x)
{
    const int own = slot_cell(s->rank);
    const bool all = !collective_rooted(s->shape.collective), left = s->shape.ranks == 2 && all && s->rank == 1;
    if (!shape_writes(&s->shape, s->rank, x.first))
        node_act(c, s, STEP_FOLD, k, x, SLOT_IN, own);
    else
        node_fold_into(c, s, k, x.first, left ? own : SLOT_IN, left ? SLOT_IN : own, SLOT_OUT);
    if (all)
        node_act(c, s, STEP_COPY, k, x, SLOT_OUT, own);
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int q = shape->ranks;
    const bool out = beat >= q;
    const int at = rank_after(shape, s->rank, -owner(shape, 0)), j = (out ? at + beat - q + 1 : at - 1 - beat + 2 * q) % q;
    const struct node_blocks x = block_of(shape, j, k);
    if (x.count > 0 && out) {
        node_await(c, s, k, owner(shape, j), q);
        node_act(c, s, STEP_COPY, k, x, slot_cell(owner(shape, j)), SLOT_OUT);
    } else if (x.count > 0) {
        if (beat == 0)
            node_await_free(c, s, k);
        else
            node_await(c, s, k, (s->rank + q - 1) % q, beat);
        if (beat == q - 1)
            fold_own(c, s, k, x);
        else
            node_act(c, s, beat == 0 ? STEP_COPY : STEP_FOLD, k, x, SLOT_IN, slot_cell(owner(shape, j)));
        node_tell(c, s, k, beat + 1);
    }
}

static void generate(struct schedule *s)
{
    const int q = s->shape.ranks;
    const bool out = !s->shape.roots && collective_writes(s->shape.collective, s->rank, s->shape.root);
    node_begin(s, steps, ceil_div(s->shape.blocks, parts(&s->shape)), q, out ? q - 1 : 0, 1);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = s->roots ? (double)s->ranks / s->roots : 2, .latency = 4 * s->ranks};
}

/* A round is q blocks: a rank works on each, and copies each out. With L roots it is L blocks, and L ranks work at once. */
static struct segment_work work(const struct shape *s)
{
    const double q = s->ranks;
    if (s->roots)
        return (struct segment_work){.copied = 1.0 / s->roots, .folded = (q - 1) / s->roots, .waits = q};
    return (struct segment_work){.copied = 1 + 1 / q, .folded = 1 - 1 / q, .waits = 2 * q - 1};
}

#define SERVICE(needed, one_reader, staged)                                                                                 \
    .needs = needed, .round_bound = round_bound, .segment = {CELLS_PARTS, work, one_reader, staged}, .generate = generate,  \
    .text.rounds = "2n+4p"

const struct engine engine_node_ring = {
    .name = "node-ring",
    .summary = "parts of the result pass from rank to rank in shared memory, and each rank folds its operand into them",
    .serves = {[COLL_REDUCE] = {SERVICE(NEED_SEGMENT_COMMUTATIVE, 0, true)},
               [COLL_ALLREDUCE] = {SERVICE(NEED_SEGMENT_COMMUTATIVE_OR_TWO, 2, false)}},
};
