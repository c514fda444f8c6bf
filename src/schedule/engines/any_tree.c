/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of broadcast and reduction over one tree of any degree. doc/trees says more.
 *
 * Rank v gets block 0 in step d(v), where d(root) = -1. Its k-th child gets the block in step d(v) + k, k = 1, 2, .. The
 * period c is the largest number of children of any rank, but at least 1: each block follows the one before c steps later.
 * No period can be shorter, as a rank with c children sends each block c times. Such a rank sends block j to its last child
 * while it receives block j+1. Rounds: t + c(n-1), where t = max d + 1.
 *
 * Reduction: the broadcast with time reversed, for commutative operations. A rank receives a block from its last child
 * first. Partial results lie in T0 and T1 by turns. Two slots suffice, as block j is done before block j+2 begins. The
 * first operand of a block comes into its partial result's slot, and all later ones into T2. The root has its partial
 * results in OUT, and all operands come into its T2. A rank without children sends IN.
 *
 * Invariant: the order of operands depends on the tree alone, not on n.
 */
#include "any_tree.h"

#include "events.h"
#include "workshop.h"

#include <string.h>

/*
 * The use of schedule.number; a rank's children are numbered in the order in which they are served. A rank has width()
 * events for each block. If its last child gets a block while the next one comes in, it has one more event at the end.
 */
enum {
    PERIOD,
    ROUNDS, /* all rounds of the operation */
    WHEN,   /* d of this rank */
    PARENT, /* or NOBODY */
    USED
};

static int width(const struct schedule *s)
{
    return s->children < s->number[PERIOD] ? s->children + 1 : (int)s->number[PERIOD];
}

static int child_of(const struct schedule *s, int k)
{
    int child;
    any_tree_children(s, k, 1, &child);
    return child;
}

static int64_t events(const struct schedule *s)
{
    return s->shape.blocks * width(s) + (s->children == s->number[PERIOD]);
}

/* Returns the step of event e in the broadcast, and sets the message that comes in and the one that goes out. */
static int64_t event(const struct schedule *s, int64_t e, struct event_message *in, struct event_message *out)
{
    const int64_t *number = s->number, block = e / width(s);
    int turn = (int)(e % width(s)), k = turn;
    *in = *out = (struct event_message){NOBODY, 0};
    if (turn == 0 && block < s->shape.blocks)
        *in = (struct event_message){(int)number[PARENT], block};
    if (turn == 0 && block > 0 && s->children == number[PERIOD])
        k = s->children;
    if (k > 0)
        *out = (struct event_message){child_of(s, k - 1), block - (turn == 0)};
    return number[WHEN] + number[PERIOD] * block + turn;
}

static bool bcast_refill(struct cursor *c, const struct schedule *s)
{
    return events_bcast(c, s, events(s), event);
}

static bool reduce_refill(struct cursor *c, const struct schedule *s)
{
    const bool root = s->number[PARENT] == NOBODY, leaf = s->children == 0;
    struct event_message up, below;
    int64_t when;
    if (!events_reversed(c, s, events(s), event, &when, &up, &below))
        return false;
    const bool first = below.peer != NOBODY && below.peer == child_of(s, s->children - 1);
    const int sum = root ? SLOT_OUT : SLOT_T0 + (int)(below.block & 1);
    const int arrived = first && !root ? sum : SLOT_T2;
    cursor_push(c, s,
                (struct step){.kind = STEP_EXCHANGE,
                              .when = s->number[ROUNDS] - 1 - when,
                              .to = up.peer,
                              .from = below.peer,
                              .a = {leaf ? SLOT_IN : SLOT_T0 + (int)(up.block & 1), up.block},
                              .b = {arrived, below.block}});
    if (first && root)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, below.block);
    if (below.peer != NOBODY)
        cursor_push_act(c, s, STEP_FOLD, arrived == sum ? SLOT_IN : SLOT_T2, sum, below.block);
    return true;
}

void any_tree_generate(struct schedule *s)
{
    const struct tree *t = tree_cache_make(&workshop_enter()->cache, &s->shape, s->trees->maker);
    s->refill = s->shape.collective == COLL_BCAST ? bcast_refill : reduce_refill;
    s->numbers = USED;
    s->number[PERIOD] = t->period;
    s->number[ROUNDS] = t->rounds + t->period * (s->shape.blocks - 1);
    s->number[WHEN] = t->when[s->rank];
    s->number[PARENT] = s->rank == t->root ? NOBODY : t->parent[s->rank];
    for (int x = t->child[s->rank]; x != NOBODY; x = t->next[x])
        s->children++;
    workshop_leave();
}

/* A rank may have any number of children: a schedule leaves their list in the workshop, and a copy has it. */
void any_tree_children(const struct schedule *s, int first, int count, int *child)
{
    if (s->child) {
        memcpy(child, s->child + first, (size_t)count * sizeof *child);
    } else if (count > 0) {
        const struct tree *t = tree_cache_make(&workshop_enter()->cache, &s->shape, s->trees->maker);
        memcpy(child, t->order + t->served[s->rank] + first, (size_t)count * sizeof *child);
        workshop_leave();
    }
}

struct round_bound any_tree_round_bound(const struct trees *x, const struct shape *shape)
{
    if (shape->ranks == 1)
        return (struct round_bound){.slope = 0};
    const struct tree *t = tree_cache_make(&workshop_enter()->cache, shape, x->maker);
    const struct round_bound bound = {.slope = t->period, .latency = t->rounds - t->period};
    workshop_leave();
    return bound;
}

double any_tree_first(const struct shape *shape, tree_maker *make)
{
    const double seconds = tree_cache_make(&workshop_enter()->cache, shape, make)->seconds;
    workshop_leave();
    return seconds;
}
