/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smp-phases: a scan within each node, an exclusive scan over the nodes, and its result passed to all ranks of each node.
 * It serves short messages, and networks that are very slow beside the nodes' memory. doc/clusters says more.
 *
 * The "simple hierarchical decomposition" of P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI",
 * EuroPVM/MPI 2006, Sect. 4. Each of the P nodes has k ranks, the last one maybe fewer. Rank k*y + x is number x on node y.
 * The phases of a block:
 *
 *     node     the (exclusive) scan over the ranks of each node; its last rank then has the combination of them all
 *     nodes    the exclusive scan of these over the last ranks
 *     spread   the last rank passes the result, the combination of all nodes before, to the other ranks of its node
 *
 * All three phases work by doubling, as in doubling.c. The spread goes from the end of the node: in round t the last 2^t
 * ranks have the result and pass it to the 2^t ranks before them. It takes l = ceil(log2 k) rounds. A block is done before
 * the next one comes. Rounds: (2l + e(P)) n for a scan and (l + e(k) + e(P)) n for an exclusive scan, where e(1) = 0 and
 * e(c) = ceil(log2(4(c-1)/3)).
 *
 * Example, scan, p = 6 on nodes of k = 2, n = 1; the block received / the block sent:
 *
 *     step     0    1    2    3
 *     rank 0  -/0
 *     rank 1  0/-  -/0  -/0
 *     rank 2  -/0            0/-
 *     rank 3  0/-  0/0       -/0
 *     rank 4  -/0            0/-
 *     rank 5  0/-  0/-  0/-  -/0
 *
 * Invariants: OUT holds the (exclusive) prefix within the node, until the combination of the nodes before is folded into it.
 * That fold is the block's last action. In an exclusive scan the first rank of a node has no prefix within it: the
 * combination of the nodes before comes into its OUT. Where OUT is written before the input is sent, T0 keeps the input, as
 * MPI_IN_PLACE makes IN and OUT the same memory.
 */
#include "doubling.h"
#include "smp.h"

/* The use of the scratch slots. */
enum {
    OWN = SLOT_T0,     /* what this rank puts into an exclusive scan */
    ARRIVED = SLOT_T1, /* comes in to be folded */
    BEFORE = SLOT_T2   /* the combination of all nodes before */
};

/* The use of cursor.state. */
enum { BLOCK, STEP };

/* Steps of each phase. */
struct phases {
    int node, nodes, spread;
};

/* The ranks that take part in a phase. Position v of `count` is rank first + v*stride, but at most p-1. */
struct team {
    int64_t first;
    int stride, count;
    int v; /* this rank's position */
};

static struct phases phases_of(const struct shape *s)
{
    int k = smp_count(s->ranks, s->node_ranks, 0), l = ceil_log2(k);
    return (struct phases){.node = s->collective == COLL_SCAN ? l : exscan_rounds(k),
                           .nodes = exscan_rounds(smp_nodes(s->ranks, s->node_ranks)),
                           .spread = l};
}

static int period_of(const struct phases *f)
{
    return f->node + f->nodes + f->spread;
}

static struct piece piece(const struct cursor *c, int slot)
{
    return (struct piece){.slot = slot, .block = c->state[BLOCK]};
}

static int rank_at(const struct schedule *s, const struct team *team, int v)
{
    int64_t rank = team->first + (int64_t)v * team->stride;
    return rank < s->shape.ranks ? (int)rank : s->shape.ranks - 1;
}

/* Pushes this step's exchange: slot a goes to the position `skip` ahead, and slot b comes from the one `skip` before. */
static void exchange(struct cursor *c, const struct schedule *s, const struct team *team, int skip, bool sends, int a,
                     bool receives, int b)
{
    const struct phases f = phases_of(&s->shape);
    if (sends || receives)
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE,
                                  .when = c->state[BLOCK] * period_of(&f) + c->state[STEP],
                                  .to = sends ? rank_at(s, team, team->v + skip) : NOBODY,
                                  .from = receives ? rank_at(s, team, team->v - skip) : NOBODY,
                                  .a = piece(c, a),
                                  .b = piece(c, b)});
}

/* Pushes a round of a scan over the positions from `low` on. `slot` holds the operand and then the partial result. */
static void scan_round(struct cursor *c, const struct schedule *s, const struct team *team, int low, int skip, int slot)
{
    int v = team->v;
    bool receives = v - skip >= low;
    exchange(c, s, team, skip, v >= low && skip < team->count - v, slot, receives, ARRIVED);
    if (receives)
        cursor_push_act(c, s, STEP_FOLD, ARRIVED, slot, c->state[BLOCK]);
}

/* Pushes round t of an exclusive scan of the operands in slot `own`, into slot `slot`. */
static void exscan_round(struct cursor *c, const struct schedule *s, const struct team *team, int t, int own, int slot)
{
    int v = team->v;
    if (t == 0) {
        exchange(c, s, team, 1, 1 < team->count - v, own, v > 0, slot);
    } else if (t == 1) {
        bool sends = 2 < team->count - v;
        if (sends && v > 0)
            cursor_push_act(c, s, STEP_FOLD, slot, own, c->state[BLOCK]);
        exchange(c, s, team, 2, sends, own, v >= 2, ARRIVED);
        if (v >= 2)
            cursor_push_act(c, s, STEP_FOLD, ARRIVED, slot, c->state[BLOCK]);
    } else {
        scan_round(c, s, team, 1, 3 << (t - 2), slot);
    }
}

/* Pushes round t of the broadcast of `slot` from position 0. */
static void spread_round(struct cursor *c, const struct schedule *s, const struct team *team, int t, int slot)
{
    int v = team->v, skip = 1 << t;
    exchange(c, s, team, skip, v < skip && skip < team->count - v, slot, v >= skip && v - skip < skip, slot);
}

/* Pushes step t of the current block, 0 <= t <= period. Step `period` is no exchange, but the last fold. */
static void step(struct cursor *c, const struct schedule *s, const struct phases *f, int t)
{
    const struct shape *shape = &s->shape;
    const struct smp_position position = smp_position(shape->ranks, shape->node_ranks, s->rank);
    int k = shape->node_ranks, nodes = smp_nodes(shape->ranks, k), head = s->rank - position.x;
    bool scan = shape->collective == COLL_SCAN, last = position.x == position.count - 1;
    /* An exclusive scan sends the input, or a copy where this rank receives too. */
    int own = s->rank > 0 && s->rank < shape->ranks - 1 ? OWN : SLOT_IN;
    int before = scan || position.x > 0 ? BEFORE : SLOT_OUT;

    if (t == 0 && (scan || own == OWN))
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, scan ? SLOT_OUT : OWN, c->state[BLOCK]);
    if (t < f->node) {
        const struct team team = {.first = head, .stride = 1, .count = position.count, .v = position.x};
        if (scan)
            scan_round(c, s, &team, 0, 1 << t, SLOT_OUT);
        else
            exscan_round(c, s, &team, t, own, SLOT_OUT);
    } else if (t < f->node + f->nodes && last) {
        const struct team team = {.first = k - 1, .stride = k, .count = nodes, .v = position.y};
        if (t == f->node && position.y < nodes - 1 && (scan || position.x > 0)) /* the combination of the node */
            cursor_push_act(c, s, scan ? STEP_COPY : STEP_FOLD, SLOT_OUT, OWN, c->state[BLOCK]);
        exscan_round(c, s, &team, t - f->node, scan ? OWN : own, before);
    } else if (t >= f->node + f->nodes && t < period_of(f) && position.y > 0) {
        const struct team team = {
            .first = head + position.count - 1, .stride = -1, .count = position.count, .v = position.count - 1 - position.x};
        spread_round(c, s, &team, t - f->node - f->nodes, before);
    }
    if (t == period_of(f) && position.y > 0 && before == BEFORE)
        cursor_push_act(c, s, STEP_FOLD, BEFORE, SLOT_OUT, c->state[BLOCK]);
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const struct phases f = phases_of(&s->shape);
    while (c->state[BLOCK] < s->shape.blocks) {
        step(c, s, &f, (int)c->state[STEP]);
        if (c->state[STEP]++ == period_of(&f)) {
            c->state[BLOCK]++;
            c->state[STEP] = 0;
        }
        if (c->last > 0)
            return true;
    }
    return false;
}

static void generate(struct schedule *s)
{
    s->refill = refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    const struct phases f = phases_of(s);
    return (struct round_bound){.slope = period_of(&f), .latency = 0};
}

#define PHASES .needs = NEED_EQUAL_NODES, .round_bound = round_bound, .generate = generate

const struct engine engine_smp_phases = {
    .name = "smp-phases",
    .summary = "scans within each node, then over the nodes' last ranks",
    .made_for = MADE_FOR_MANY_A_NODE,
    .trees = 1,
    .scratch = 3,
    .serves = {[COLL_SCAN] = {PHASES, .text.rounds = "2ceil(log2 k)n+e(P)n"},
               [COLL_EXSCAN] = {PHASES, .text.rounds = "ceil(log2 k)n+e(k)n+e(P)n"}},
};
