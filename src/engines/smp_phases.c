/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Smp-phases: a scan within each node, an exclusive scan over the nodes, and its result passed to all ranks of each node.
 * For short messages, and for networks that are very slow compared with the nodes' memory. doc/clusters says more.
 *
 * The "simple hierarchical decomposition" of P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI",
 * EuroPVM/MPI 2006, Sect. 4. Each of the P nodes has k ranks; the last node may have fewer. Rank k*y + x is number x on
 * node y. The phases of a block:
 *
 *     node     the (exclusive) scan over the ranks of each node; the node's last rank then has all operands combined
 *     nodes    the exclusive scan of the nodes' combinations over the nodes' last ranks
 *     spread   the last rank passes the result, the combination of all nodes before, to the other ranks of its node
 *
 * All three phases work by doubling, as in doubling.c. The spread goes from the end of the node: in round t the last 2^t
 * ranks have the result and pass it to the 2^t ranks before them. The spread takes l = ceil(log2 k) rounds. A block is done
 * before the next one comes. Rounds: (2l + e(P)) n for a scan and (l + e(k) + e(P)) n for an exclusive scan, where e(1) = 0
 * and e(c) = ceil(log2(4(c-1)/3)).
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
    OWN = SLOT_T0,     /* this rank's operand of an exclusive scan */
    ARRIVED = SLOT_T1, /* an operand that comes in */
    BEFORE = SLOT_T2   /* the combination of all nodes before */
};

/* Steps of each phase. */
struct phases {
    int node, nodes, spread;
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

/* Pushes round t of the broadcast of `slot` from position 0. */
static void spread_round(struct cursor *c, const struct schedule *s, const struct team *team, int t, int slot)
{
    int v = team->v, skip = 1 << t;
    doubling_exchange(c, s, team, skip, v < skip && skip < team->count - v, slot, v >= skip && v - skip < skip, slot);
}

/* Pushes step t of the current block, 0 <= t <= period. Step `period` has no exchange, only the last fold. */
static void step(struct cursor *c, const struct schedule *s, int t)
{
    const struct shape *shape = &s->shape;
    const struct phases f = phases_of(shape);
    const int64_t when = c->state[BLOCK] * period_of(&f) + t;
    const struct smp_position position = smp_position(shape->ranks, shape->node_ranks, s->rank);
    int k = shape->node_ranks, nodes = smp_nodes(shape->ranks, k), head = s->rank - position.x;
    bool scan = shape->collective == COLL_SCAN, last = position.x == position.count - 1;
    int before = scan || position.x > 0 ? BEFORE : SLOT_OUT;
    struct team team = {head, 1, position.count, position.x, when, ARRIVED};

    if (t < f.node || t == 0)
        doubling_round(c, s, &team, t);
    if (t >= f.node && t < f.node + f.nodes && last) {
        team = (struct team){k - 1, k, nodes, position.y, when, ARRIVED};
        if (t == f.node && position.y < nodes - 1 && (scan || position.x > 0)) /* the combination of the node */
            cursor_push_act(c, s, scan ? STEP_COPY : STEP_FOLD, SLOT_OUT, OWN, c->state[BLOCK]);
        doubling_exscan(c, s, &team, t - f.node, scan ? OWN : doubling_input(s), before);
    } else if (t >= f.node + f.nodes && t < period_of(&f) && position.y > 0) {
        team = (struct team){head + position.count - 1, -1, position.count, position.count - 1 - position.x, when, ARRIVED};
        spread_round(c, s, &team, t - f.node - f.nodes, before);
    }
    if (t == period_of(&f) && position.y > 0 && before == BEFORE)
        cursor_push_act(c, s, STEP_FOLD, BEFORE, SLOT_OUT, c->state[BLOCK]);
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    const struct phases f = phases_of(&s->shape);
    return doubling_refill(c, s, period_of(&f), step);
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
    .scratch = 3,
    .serves = {[COLL_SCAN] = {PHASES, .text.rounds = "2ceil(log2 k)n+e(P)n"},
               [COLL_EXSCAN] = {PHASES, .text.rounds = "ceil(log2 k)n+e(k)n+e(P)n"}},
};
