/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gates: ordered reduction over sites in a line, each boundary crossed once. The construction is ours; doc/places has the
 * steps and proofs.
 *
 * A site's gate is its first rank, the source of a pair over the site (pair.c). A gate sends its own input (+) the sum of
 * the other ranks of its site (+) the sum from the next gate to the gate before. For root p-1 all is mirrored.
 *
 * The slots of a gate, for the blocks from its site and from the next gate. Each tree of a site carries one half h = 0, 1:
 *
 *     site  T2: IN (+) T2 -> T2                 mirrored  T0: IN -> T(2+h), T0 (+) T(2+h) -> T(2+h)
 *     next  T(h): T2 (+) T(h) -> T(h)                     T1: T1 (+) T(2+h) -> T(2+h)
 *
 * Where one of both is missing, the block comes into T(h), mirrored into T0 or T1. A mirrored root's sum is in OUT.
 */
#include "pair.h"

struct stand {
    int site;
    int gate;
    int nearer, beyond; /* the gates next to it, towards the root's end and away; or NOBODY */
};

static bool mirrored(const struct shape *s)
{
    return s->root == s->ranks - 1;
}

static struct stand stand_of(const struct shape *s, int rank)
{
    const struct place *place = s->places->place;
    struct stand x = {0, NOBODY, NOBODY, NOBODY};
    int sites = 0;
    for (int row = places_part(0), before = NOBODY; row < place[0].next; row = place[row].next, sites++) {
        int gate = mirrored(s) ? place[row].end - 1 : place[row].first;
        if (places_has(s->places, row, rank))
            x = (struct stand){sites, gate, before, NOBODY};
        else if (x.gate != NOBODY && x.beyond == NOBODY)
            x.beyond = gate;
        before = gate;
    }
    if (mirrored(s))
        x = (struct stand){sites - 1 - x.site, x.gate, x.beyond, x.nearer};
    return x;
}

/* ---- The tree pair: a pair for each site. Its span, an odd number, is the rounds less 2n ----------------------------- */

/* For root 0 or p-1, from which sites are counted. */
static void make(struct tree_pair *b, const struct places *t, int root)
{
    const struct place *place = t->place;
    const int sites = places_parts(t, 0);
    pair_sites(b, t, root > 0);
    tree_pair_down(b);
    b->span = 1;
    for (int row = places_part(0), i = 0; row < place[0].next; row = place[row].next, i++)
        for (int rank = place[row].first; rank < place[row].end; rank++) {
            const int *down = b->node[rank].down;
            int last = down[TREE_U] > down[TREE_V] ? down[TREE_U] : down[TREE_V];
            int span = 2 * (root > 0 ? sites - 1 - i : i) + 2 * last + 1;
            b->span = span > b->span ? span : b->span;
        }
}

static int source_of(const struct shape *s)
{
    return mirrored(s) ? s->root : 0;
}

/* ---- Lanes ----------------------------------------------------------------------------------------------------------- */

static int64_t end_of(const struct tree_pair_view *x, const struct shape *s)
{
    return 2 * s->blocks + x->span;
}

/* Reverses the chain's edge into gate i; for i = 0, that from an interior root. */
static struct lane chain_edge(const struct tree_pair_view *x, const struct shape *s, int half, int i)
{
    struct lane lane = tree_share(s, 4, 2, half);
    lane.when = end_of(x, s) - 1 - (2 * i - 1 + 2 * half + 4 * (lane.left - 1));
    return lane;
}

/* A lane brings blocks into `into`; `sum` is the half's sum so far, or IN. Returns the new sum's slot. */
static int fold_in(struct lane *in, int sum, int into)
{
    in->slot = (uint8_t)into;
    in->after[0] = (struct act){STEP_FOLD, (uint8_t)sum, in->slot};
    return into;
}

/* The same from the left, into `arrived`; the sum stays in `sum`, or before the `first` operand in IN. */
static int fold_in_mirrored(struct lane *in, bool first, int arrived, int sum)
{
    in->slot = (uint8_t)arrived;
    if (first)
        in->after[0] = (struct act){STEP_COPY, SLOT_IN, (uint8_t)sum};
    in->after[first] = (struct act){STEP_FOLD, in->slot, (uint8_t)sum};
    return sum;
}

static void pass_gate(const struct tree_pair_view *x, struct schedule *s, const struct stand *at, const struct clock *site,
                      int half)
{
    const struct shape *shape = &s->shape;
    bool root = at->nearer == NOBODY, mirror = mirrored(shape);
    int t = half == 0 ? x->front : 1 - x->front, side = mirror ? LEFT : RIGHT, slot = SLOT_IN;
    int sum = root ? SLOT_OUT : SLOT_T2 + half;
    struct lane local = trees_timed(tree_share(shape, 2, 2, half), site, half),
                next = chain_edge(x, shape, half, at->site + 1);
    struct lane to = chain_edge(x, shape, half, at->site);

    local.leg = next.leg = LEG_RECV;
    local.peer = x->tree[t].child[side].peer;
    next.peer = at->beyond;
    if (local.peer != NOBODY)
        slot = mirror ? fold_in_mirrored(&local, true, SLOT_T0, sum)
                      : fold_in(&local, SLOT_IN, next.peer != NOBODY ? SLOT_T2 : SLOT_T0 + half);
    if (next.peer != NOBODY)
        slot = mirror ? fold_in_mirrored(&next, slot == SLOT_IN, SLOT_T1, sum) : fold_in(&next, slot, SLOT_T0 + half);
    to.leg = LEG_SEND;
    to.peer = root ? shape->root : at->nearer;
    to.slot = (uint8_t)slot;
    if (to.peer == s->rank && !mirror)
        next.after[1] = (struct act){STEP_COPY, (uint8_t)slot, SLOT_OUT};
    if (local.peer != NOBODY)
        schedule_lane(s, local);
    if (next.peer != NOBODY)
        schedule_lane(s, next);
    if (to.peer != s->rank)
        schedule_lane(s, to);
}

void gates_generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const struct tree_pair_view x = tree_pair_view(shape->places, make, source_of(shape), s->rank);
    const struct stand at = stand_of(shape, s->rank);
    const struct clock site = {.end = (end_of(&x, shape) - 1) / 2 - at.site, .dilation = 2};

    for (int half = 0; half < 2; half++)
        if (s->rank == at.gate)
            pass_gate(&x, s, &at, &site, half);
        else
            tree_pair_reduce(&x, s, &site, half);
    if (s->rank == shape->root && shape_interior(shape))
        for (int half = 0; half < 2; half++) {
            struct lane in = chain_edge(&x, shape, half, 0);
            in.leg = LEG_RECV;
            in.peer = 0;
            in.slot = SLOT_OUT;
            schedule_lane(s, in);
        }
}

bool gates_fit(const struct shape *s)
{
    return s->places->place[0].line && (!shape_interior(s) || stand_of(s, s->root).gate != s->root);
}

struct round_bound gates_round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 2, .latency = tree_pair_span(s->places, make, source_of(s)) + shape_interior(s)};
}
