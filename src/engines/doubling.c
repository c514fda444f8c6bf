/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Doubling: simultaneous binomial trees, the scans for small messages. doc/scans says more.
 *
 * Every rank sends its partial result to higher ranks, over distances that double, and prepends what comes from lower
 * ranks. The rounds are few, but every rank sends and receives the message about log2 p times.
 *
 * Scan: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms", CACM 29 (1986); "simultaneous binomial tree" in P. Sanders,
 * J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.2 (its test "0 >= j - 2^k" must read
 * 0 <= j - 2^k). In round k, rank j sends to j + 2^k and receives from j - 2^k, if there are such ranks. Rounds: q.
 *
 * Exclusive scan: the 1-2-3 doubling of J. L. Traeff, arXiv 2507.04785 (2025). W is the partial result of the ranks
 * before rank r, x the input of rank r. The distances are 1, 2, 3, 6, 12, .. A range that would begin below 0 begins at 0:
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

int exscan_rounds(int p)
{
    return ceil_log2((4 * ((int64_t)p - 1) + 2) / 3); /* ceil(log2 x) = ceil(log2 ceil(x)) */
}

/* Rounds of one block. */
static int rounds(const struct shape *s)
{
    return s->collective == COLL_SCAN ? ceil_log2(s->ranks) : exscan_rounds(s->ranks);
}

/* ---- Rounds of a team ------------------------------------------------------------------------------------------------ */

bool doubling_refill(struct cursor *c, const struct schedule *s, int steps,
                     void (*step)(struct cursor *c, const struct schedule *s, int t))
{
    while (c->state[BLOCK] < s->shape.blocks) {
        step(c, s, (int)c->state[STEP]);
        if (c->state[STEP]++ == steps) {
            c->state[BLOCK]++;
            c->state[STEP] = 0;
        }
        if (c->last > 0)
            return true;
    }
    return false;
}

static int rank_at(const struct schedule *s, const struct team *team, int v)
{
    int64_t rank = team->first + (int64_t)v * team->stride;
    return rank < s->shape.ranks ? (int)rank : s->shape.ranks - 1;
}

void doubling_exchange(struct cursor *c, const struct schedule *s, const struct team *team, int skip, bool sends, int a,
                       bool receives, int b)
{
    if (sends || receives)
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE,
                                  .when = team->when,
                                  .to = sends ? rank_at(s, team, team->v + skip) : NOBODY,
                                  .from = receives ? rank_at(s, team, team->v - skip) : NOBODY,
                                  .a = one_block(a, c->state[BLOCK]),
                                  .b = one_block(b, c->state[BLOCK])});
}

/* Pushes a round of a scan over the positions from `low` on. `slot` holds the operand and then the partial result. */
static void scan_round(struct cursor *c, const struct schedule *s, const struct team *team, int low, int skip, int slot)
{
    int v = team->v;
    bool receives = v - skip >= low;
    doubling_exchange(c, s, team, skip, v >= low && skip < team->count - v, slot, receives, team->arrived);
    if (receives)
        cursor_push_act(c, s, STEP_FOLD, team->arrived, slot, c->state[BLOCK]);
}

void doubling_exscan(struct cursor *c, const struct schedule *s, const struct team *team, int t, int own, int slot)
{
    int v = team->v;
    bool sends = t + 1 < team->count - v;
    if (t > 1) {
        scan_round(c, s, team, 1, 3 << (t - 2), slot);
        return;
    }
    if (t == 1 && sends && v > 0)
        cursor_push_act(c, s, STEP_FOLD, slot, own, c->state[BLOCK]);
    doubling_exchange(c, s, team, t + 1, sends, own, v > t, t == 0 ? slot : team->arrived);
    if (t == 1 && v > t)
        cursor_push_act(c, s, STEP_FOLD, team->arrived, slot, c->state[BLOCK]);
}

int doubling_input(const struct schedule *s)
{
    return s->rank > 0 && s->rank < s->shape.ranks - 1 ? SLOT_T0 : SLOT_IN;
}

/* In an exclusive scan OUT holds W; in a rank that both sends and receives, T0 holds x and then W (+) x. */
void doubling_round(struct cursor *c, const struct schedule *s, const struct team *team, int t)
{
    const bool scan = s->shape.collective == COLL_SCAN;
    const int own = doubling_input(s), copy = scan ? SLOT_OUT : own;
    if (t == 0 && copy != SLOT_IN)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, copy, c->state[BLOCK]);
    if (scan)
        scan_round(c, s, team, 0, 1 << t, SLOT_OUT);
    else
        doubling_exscan(c, s, team, t, own, SLOT_OUT);
}

/* ---- All ranks ------------------------------------------------------------------------------------------------------- */

static void step(struct cursor *c, const struct schedule *s, int t)
{
    const struct team all = {.stride = 1,
                             .count = s->shape.ranks,
                             .v = s->rank,
                             .when = c->state[BLOCK] * rounds(&s->shape) + t,
                             .arrived = s->shape.collective == COLL_SCAN ? SLOT_T0 : SLOT_T1};
    if (t < rounds(&s->shape))
        doubling_round(c, s, &all, t);
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    return doubling_refill(c, s, rounds(&s->shape), step);
}

static void generate(struct schedule *s)
{
    s->refill = refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = rounds(s), .latency = 0};
}

const struct engine engine_doubling = {
    .name = "doubling",
    .summary = "simultaneous binomial trees, one block after the other",
    .scratch = 2,
    .made_for = MADE_FOR_ONE_A_NODE,
    .serves = {[COLL_SCAN] = {.text.rounds = "qn", .round_bound = round_bound, .generate = generate},
               [COLL_EXSCAN] = {.text.rounds = "e(p)n", .round_bound = round_bound, .generate = generate}},
};
