/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Simplex (half-duplex) variants of engines; here that of the two trees. See doc/simplex.
 *
 * The paper that two_tree.c cites, Sect. 5.2. A *couple* of ranks plays one duplex rank, in twice the steps.
 *
 * The root stays single. The other ranks, x = (rank - root - 1) mod p, form floor((p-1)/2) couples of an *upper* rank (x
 * even), which exchanges with the couple's parents, and a *lower* rank (x odd), with its children. Couple floor(x/2) plays
 * rank floor(x/2) + 1 of p' = ceil(p/2) ranks with root 0. If p is even, x = p-2 is left over, and exchanges with the root
 * in free steps.
 *
 * Example, two-tree broadcast, p = 8, root 0, n = 3: couples 1 2, 3 4 and 5 6 play ranks 1, 2 and 3 of 4, and rank 7 is left
 * over:
 *
 *     step     0    1    2    3    4    5    6    7    8    9
 *     rank 0  -/0  -/0  -/2  -/1  -/1  -/2
 *     rank 1            0/-  -/0  2/-  -/2  1/-  -/1
 *     rank 2                 0/-  -/0  2/-       1/-  -/1
 *     rank 3            2/-  -/2  0/-  -/0            1/-  -/1
 *     rank 4                 2/-  -/2  0/-  -/2            1/-
 *     rank 5  0/-  -/0            1/-  -/1  2/-  -/2
 *     rank 6       0/-  -/0            1/-  -/1  2/-
 *     rank 7       0/-       1/-       2/-
 */
#include "simplex.h"

#include <string.h>

enum role { ROOT, UPPER, LOWER, LEFT_OVER };

/* In schedule.number; two-tree uses none. */
enum { ROLE, MATE, LEFT, USED };
enum { SENT }; /* in cursor.state: blocks between the root and the rank left over */

static int duplex_ranks(int p)
{
    return (p + 1) / 2;
}

static struct shape duplex_shape(const struct shape *s)
{
    struct shape duplex = *s;
    duplex.ranks = duplex_ranks(s->ranks);
    duplex.root = 0;
    return duplex;
}

/* ---- The couples --------------------------------------------------------------------------------------------------- */

static int member(const struct schedule *s, int duplex, enum role role)
{
    if (duplex == 0)
        return s->shape.root;
    return rank_after(&s->shape, s->shape.root, 2 * duplex - (role == UPPER));
}

static void push_send(struct cursor *c, const struct schedule *s, int64_t when, int to, struct piece a)
{
    cursor_push(c, s, (struct step){.kind = STEP_EXCHANGE, .when = when, .to = to, .from = NOBODY, .a = a});
}

static void push_recv(struct cursor *c, const struct schedule *s, int64_t when, int from, struct piece b)
{
    cursor_push(c, s, (struct step){.kind = STEP_EXCHANGE, .when = when, .to = NOBODY, .from = from, .b = b});
}

/* This rank's part of the exchange x of the duplex broadcast. */
static void bcast_exchange(struct cursor *c, const struct schedule *s, const struct step *x)
{
    const int64_t *number = s->number;
    const int64_t even = 2 * x->when, odd = even + 1;
    int mate = (int)number[MATE];
    if ((number[ROLE] == ROOT || number[ROLE] == LOWER) && x->to != NOBODY)
        push_send(c, s, even, member(s, x->to, UPPER), x->a);
    if (number[ROLE] == UPPER && x->from != NOBODY) {
        push_recv(c, s, even, member(s, x->from, LOWER), x->b);
        push_send(c, s, odd, mate, x->b);
    }
    if (number[ROLE] == LOWER && x->from != NOBODY)
        push_recv(c, s, odd, mate, x->b);
    if (number[LEFT] == NOBODY)
        return;
    if (number[ROLE] == ROOT)
        push_send(c, s, odd, (int)number[LEFT], one_block(SLOT_OUT, c->state[SENT]++));
    if (number[ROLE] == LEFT_OVER)
        push_recv(c, s, odd, s->shape.root, one_block(SLOT_OUT, c->state[SENT]++));
}

/* This rank's part of the reduction's exchange x; `completes`: an action after it completes the block. */
static void reduce_exchange(struct cursor *c, const struct schedule *s, const struct step *x, bool completes)
{
    const int64_t *number = s->number;
    const int64_t even = 2 * x->when, odd = even + 1;
    int mate = (int)number[MATE];
    if (number[ROLE] == UPPER && x->to != NOBODY) {
        struct piece sum = one_block(SLOT_T0, x->a.block);
        push_recv(c, s, even, mate, sum);
        cursor_push_act(c, s, STEP_FOLD, SLOT_IN, SLOT_T0, sum.block);
        push_send(c, s, odd, member(s, x->to, LOWER), sum);
    }
    if (number[ROLE] == LOWER && x->to != NOBODY)
        push_send(c, s, even, mate, x->a);
    if (number[ROLE] == LEFT_OVER && completes)
        push_send(c, s, even, s->shape.root, one_block(SLOT_IN, x->b.block));
    if (number[ROLE] == ROOT && completes && number[LEFT] != NOBODY)
        push_recv(c, s, even, (int)number[LEFT], one_block(SLOT_T3, x->b.block));
    if ((number[ROLE] == ROOT || number[ROLE] == LOWER) && x->from != NOBODY)
        push_recv(c, s, odd, member(s, x->from, UPPER), x->b);
}

/* Replaces a duplex step of two-tree's lanes by this rank's part. */
static bool refill(struct cursor *c, const struct schedule *s)
{
    const int64_t *number = s->number;
    do {
        struct step duplex[PENDING];
        if (!refill_from_lanes(c, s))
            return false;
        int steps = c->last;
        bool keeps = number[ROLE] == ROOT || number[ROLE] == LOWER;
        const struct step *done = NULL;
        memcpy(duplex, c->pending, (size_t)steps * sizeof duplex[0]);
        c->last = 0;
        for (int i = 0; i < steps; i++)
            if (duplex[i].kind != STEP_EXCHANGE && duplex[i].b.slot == SLOT_OUT)
                done = &duplex[i];
        for (int i = 0; i < steps; i++)
            if (duplex[i].kind != STEP_EXCHANGE && keeps)
                cursor_push(c, s, duplex[i]);
            else if (duplex[i].kind == STEP_EXCHANGE && s->shape.collective == COLL_REDUCE)
                reduce_exchange(c, s, &duplex[i], done != NULL);
            else if (duplex[i].kind == STEP_EXCHANGE)
                bcast_exchange(c, s, &duplex[i]);
        if (done && number[ROLE] == ROOT && number[LEFT] != NOBODY)
            cursor_push_act(c, s, STEP_FOLD, SLOT_T3, SLOT_OUT, done->b.block);
    } while (c->last == 0);
    return true;
}

static void generate(struct schedule *s)
{
    const struct shape shape = s->shape, duplex = duplex_shape(&shape);
    int p = shape.ranks, rank = s->rank, x = rank_after(&shape, rank, -shape.root - 1);
    enum role role = x == p - 1 ? ROOT : x == p - 2 && p % 2 == 0 ? LEFT_OVER : x % 2 == 0 ? UPPER : LOWER;
    if (p == 2) {
        engine_find("chain")->serves[shape.collective].generate(s);
        return;
    }
    engine_make(engine_find("two-tree"), s, &duplex, role == UPPER || role == LOWER ? x / 2 + 1 : 0);
    s->shape = shape;
    s->rank = rank;
    s->refill = refill;
    s->numbers = USED;
    s->number[ROLE] = role;
    s->number[MATE] = rank_after(&shape, rank, role == UPPER ? 1 : -1);
    s->number[LEFT] = p % 2 == 0 ? rank_after(&shape, shape.root, -1) : NOBODY;
}

/* ---- The engines --------------------------------------------------------------------------------------------------- */

static struct round_bound round_bound(const struct shape *shape)
{
    const struct shape duplex = duplex_shape(shape);
    struct round_bound half = service_round_bound(&engine_find("two-tree")->serves[shape->collective], &duplex);
    int64_t rounds = (int64_t)(half.slope * (double)shape->blocks + half.latency);
    if (shape->ranks <= 2)
        return (struct round_bound){.slope = 1};
    return (struct round_bound){.slope = 2, .latency = 2 * (double)(rounds - shape->blocks)};
}

#define SERVICE                                                                                                             \
    {                                                                                                                       \
        .text.rounds = "4q-6+2n (p = 2: n)", .needs = NEED_COMMUTATIVE, .round_bound = round_bound, .generate = generate    \
    }

static const struct engine two_tree_simplex = {
    .name = "two-tree-simplex",
    .summary = "two-tree between couples of ranks; no rank sends and receives in the same step",
    .halves = true,
    .scratch = 4,
    .serves = {[COLL_BCAST] = SERVICE, [COLL_REDUCE] = SERVICE},
};

static const struct {
    const char *duplex;
    const struct engine *engine;
} variants[] = {{"two-tree", &two_tree_simplex}, {"fractional", &engine_fractional_simplex}};

bool engine_is_simplex(const struct engine *e)
{
    return e == &two_tree_simplex || e == &engine_fractional_simplex;
}

const struct engine *simplex_engine(const struct engine *e)
{
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (strcmp(variants[i].duplex, e->name) == 0)
            return variants[i].engine;
    return NULL;
}
