/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Binomial: recursive doubling, one block after the other. This file has its scans, which go up one tree and then down.
 * src/trees/binomial_tree.c has its broadcast and its reduction. doc/scans says more.
 *
 * "Binomial tree" in P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.1.
 * The paper's n is f = floor(log2 p) here. The paper counts 2 ceil(log2 p) rounds, more than its phases have.
 *
 *     up, round k = 0 .. f-1     a rank j whose lower k+1 bits are all 1 receives from j - 2^k
 *     down, round k = f .. 1     a rank j whose lower k bits are all 1 sends to j + 2^(k-1), if there is such a rank
 *
 * Let t be the number of 1 bits at the low end of j. Then rank j has at most 2t+2 messages, which doc/scans lists. The rank
 * leaves out each message whose peer does not exist.
 *
 * Example, scan, p = 7, n = 1 (f = 2); the block received / the block sent:
 *
 *     step     0    1    2    3
 *     rank 0  -/0
 *     rank 1  0/-  -/0       -/0
 *     rank 2  -/0            0/-
 *     rank 3  0/-  0/-  -/0  -/0
 *     rank 4  -/0            0/-
 *     rank 5  0/-       0/-  -/0
 *     rank 6                 0/-
 *
 * Invariants. A block is done before the next one comes: 2f*n rounds. The ranks of an arriving operand end where those of
 * the partial result begin, so the operand is prepended in place: b = a (+) b. In the scan the partial result lies in OUT.
 * In the exclusive scan OUT combines the lower ranks alone, and T1 combines these ranks and this one. IN is not read after
 * OUT is written.
 */
#include "binomial_tree.h"

/* The use of cursor.state. BEGUN: the last block that a scan copied from IN to OUT, or an exclusive scan began to send. */
enum { BLOCK, MESSAGE, BEGUN };

static int phase(int p)
{
    return ceil_log2((int64_t)p + 1) - 1; /* floor(log2 p) */
}

static int trailing_ones(int j)
{
    return __builtin_ctz(~(unsigned)j);
}

/* Without its slots. Returns the number of its message; -1: the end. */
static int next_message(struct cursor *c, const struct schedule *s, struct step *x)
{
    int64_t *state = c->state;
    int f = phase(s->shape.ranks), t = trailing_ones(s->rank);
    *x = (struct step){.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY};
    for (; state[BLOCK] < s->shape.blocks; state[BLOCK]++, state[MESSAGE] = 0)
        while (state[MESSAGE] < 2 * t + 2) {
            int i = (int)state[MESSAGE]++;
            bool sends = i == t || i > t + 1;
            int64_t distance = (int64_t)1 << (i <= t ? i : 2 * t + 1 - i);
            int64_t peer = s->rank + (sends ? distance : -distance);
            if (peer < 0 || peer >= s->shape.ranks)
                continue;
            *(sends ? &x->to : &x->from) = (int)peer;
            x->when = 2 * f * state[BLOCK] + (i <= t ? i : 2 * (f - t - 1) + i);
            x->a.block = x->b.block = state[BLOCK];
            return i;
        }
    return -1;
}

static bool scan_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    if (next_message(c, s, &x) < 0)
        return false;
    int64_t block = x.a.block;
    if (c->state[BEGUN] != block)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, block);
    c->state[BEGUN] = block;
    x.a.slot = SLOT_OUT;
    x.b.slot = SLOT_T0;
    cursor_push(c, s, x);
    if (x.from != NOBODY)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, block);
    return true;
}

static bool exscan_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    int t = trailing_ones(s->rank), i = next_message(c, s, &x);
    if (i < 0)
        return false;
    int64_t block = x.a.block;
    bool inner = t > 0 && s->rank < s->shape.ranks - 1; /* both receives and sends on */
    if (inner && i == 0)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_T1, block);
    if (x.to != NOBODY) {
        if (inner && c->state[BEGUN] != block)
            cursor_push_act(c, s, STEP_FOLD, SLOT_OUT, SLOT_T1, block);
        c->state[BEGUN] = block;
        x.a.slot = inner ? SLOT_T1 : SLOT_IN;
        cursor_push(c, s, x);
        return true;
    }
    bool first = i == (t > 0 ? 0 : 1); /* the first message that comes in */
    x.b.slot = first ? SLOT_OUT : SLOT_T0;
    cursor_push(c, s, x);
    if (!first)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, block);
    if (inner && c->state[BEGUN] == block)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_T1, block);
    return true;
}

static void generate(struct schedule *s)
{
    s->refill = s->shape.collective == COLL_SCAN ? scan_refill : exscan_refill;
    s->start[BEGUN] = -1;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 2 * phase(s->ranks), .latency = 0};
}

#define TREE                                                                                                                \
    .model.reference = true, .model.as_native = true, .text.rounds = "qn", .round_bound = binomial_round_bound,             \
    .generate = binomial_tree
#define SCAN .text.rounds = "2hn", .round_bound = round_bound, .generate = generate

const struct engine engine_binomial = {
    .name = "binomial",
    .summary = "recursive doubling, one block after the other",
    .scratch = 2,
    .serves = {[COLL_BCAST] = {TREE},
               [COLL_REDUCE] = {TREE, .text.interior = "qn+n"},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN}},
};
