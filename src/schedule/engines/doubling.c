/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Doubling: simultaneous binomial trees, the scans for small messages. doc/scans says more.
 *
 * Every rank sends its partial result to higher ranks, over distances that double, and prepends what comes from lower
 * ranks. The rounds are few, but every rank sends and receives the message about log2 p times.
 *
 * Scan: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms", CACM 29 (1986); "simultaneous binomial tree" in P.
 * Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.2 (its test "0 >= j -
 * 2^k" must read 0 <= j - 2^k). In round k, rank j sends to j + 2^k and receives from j - 2^k, if there are such ranks.
 * Rounds: q.
 *
 * Exclusive scan: the 1-2-3 doubling of J. L. Traeff, arXiv 2507.04785 (2025). W is the partial result of the ranks
 * before rank r, x its own input. The distances are 1, 2, 3, 6, 12, .. A range that would begin below 0 begins at 0:
 *
 *     round 0      sends x to r+1                          then W = x of rank r-1
 *     round 1      sends W (+) x to r+2 (rank 0: x)        then W combines r-3 .. r-1
 *     round k > 1  sends W to r + 3*2^(k-2)                then W combines r - 3*2^(k-1) .. r-1
 *
 * From round 2 on rank 0 takes no part, as it has no W. Rounds: ceil(log2(4(p-1)/3)), which is q or q+1.
 *
 * Example, exclusive scan, p = 8, n = 1 (distances 1, 2, 3, 6); the block received / the block sent:
 *
 *     step     0    1    2    3
 *     rank 0  -/0  -/0
 *     rank 1  0/0  -/0  -/0  -/0
 *     rank 2  0/0  0/0  -/0
 *     rank 3  0/0  0/0  -/0
 *     rank 4  0/0  0/0  0/0
 *     rank 5  0/0  0/0  0/-
 *     rank 6  0/0  0/-  0/-
 *     rank 7  0/-  0/-  0/-  0/-
 *
 * Invariants. A block is done before the next one comes. The ranks of an arriving operand end where those of the partial
 * result begin, so the operand is prepended in place: b = a (+) b. The partial result lies in OUT. IN may be the same
 * memory, so the exclusive scan copies x before it writes OUT. After OUT is written neither scan reads IN.
 */
#include "doubling.h"

#include "engine.h"

/* The use of cursor.state. */
enum { BLOCK, ROUND };

int exscan_rounds(int p)
{
    return ceil_log2((4 * ((int64_t)p - 1) + 2) / 3); /* ceil(log2 x) = ceil(log2 ceil(x)) */
}

/* Rounds of one block. */
static int rounds(const struct shape *s)
{
    return s->collective == COLL_SCAN ? ceil_log2(s->ranks) : exscan_rounds(s->ranks);
}

/*
 * Sets the rank's next exchange but for its slots. Returns its round, or -1 at the end. As the distances grow, a rank that
 * has no peer in a round is done with the block.
 */
static int next_exchange(struct cursor *c, const struct schedule *s, struct step *x)
{
    bool exclusive = s->shape.collective == COLL_EXSCAN;
    int64_t *state = c->state, r = s->rank;
    for (; state[BLOCK] < s->shape.blocks; state[BLOCK]++, state[ROUND] = 0) {
        int k = (int)state[ROUND]++;
        int64_t distance = !exclusive ? (int64_t)1 << k : k < 2 ? k + 1 : (int64_t)3 << (k - 2);
        int first = exclusive && k > 1; /* rank that sends */
        *x = (struct step){.kind = STEP_EXCHANGE,
                           .when = state[BLOCK] * rounds(&s->shape) + k,
                           .to = r >= first && r + distance < s->shape.ranks ? (int)(r + distance) : NOBODY,
                           .from = r - distance >= first ? (int)(r - distance) : NOBODY,
                           .a.block = state[BLOCK],
                           .b.block = state[BLOCK]};
        if (x->to != NOBODY || x->from != NOBODY)
            return k;
    }
    return -1;
}

static bool scan_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    int k = next_exchange(c, s, &x);
    if (k < 0)
        return false;
    if (k == 0)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, x.a.block);
    x.a.slot = SLOT_OUT;
    x.b.slot = SLOT_T0;
    cursor_push(c, s, x);
    if (x.from != NOBODY)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, x.b.block);
    return true;
}

/* OUT holds W. In a rank that both sends and receives, T0 holds x and then W (+) x. */
static bool exscan_refill(struct cursor *c, const struct schedule *s)
{
    struct step x;
    int k = next_exchange(c, s, &x);
    if (k < 0)
        return false;
    if (k == 0 && x.to != NOBODY && x.from != NOBODY)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_T0, x.a.block);
    if (k == 1 && x.to != NOBODY && s->rank > 0)
        cursor_push_act(c, s, STEP_FOLD, SLOT_OUT, SLOT_T0, x.a.block);
    x.a.slot = k > 1 ? SLOT_OUT : s->rank > 0 ? SLOT_T0 : SLOT_IN;
    x.b.slot = k > 0 ? SLOT_T1 : SLOT_OUT;
    cursor_push(c, s, x);
    if (k > 0 && x.from != NOBODY)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T1, SLOT_OUT, x.b.block);
    return true;
}

static void generate(struct schedule *s)
{
    s->refill = s->shape.collective == COLL_SCAN ? scan_refill : exscan_refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = rounds(s), .latency = 0};
}

const struct engine engine_doubling = {
    .name = "doubling",
    .summary = "simultaneous binomial trees, one block after the other",
    .trees = 1,
    .scratch = 2,
    .made_for = MADE_FOR_ONE_A_NODE,
    .serves = {[COLL_SCAN] = {.text.rounds = "qn", .round_bound = round_bound, .generate = generate},
               [COLL_EXSCAN] = {.text.rounds = "e(p)n", .round_bound = round_bound, .generate = generate}},
};
