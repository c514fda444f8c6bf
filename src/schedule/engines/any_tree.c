/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of broadcast and reduction over one tree of any degree. doc/trees says more.
 *
 * A rank v gets block 0 in step d(v), and its k-th child gets it in step d(v) + k, k = 1, 2, ..; d(root) = -1. The next
 * block follows c steps later, c being the most children of any rank, or 1: no period can be less, as a rank has so much to
 * send. Blocks in a rank with c children meet: it sends block j to its last child while it receives block j+1. With t
 * = max d + 1, rounds: t + c(n-1).
 *
 * Reduction: the broadcast with time reversed, for commutative operations. A rank receives a block from its last child
 * first. A block is combined in T0 or T1, by turns: at most two are under way, as a block is done before that after
 * the next begins. What is not the first part of its block comes in by T2. A rank without children sends IN.
 *
 * Invariant: the order of operands depends on the tree alone, not on n.
 */
#include "any_tree.h"

#include <assert.h>

/*
 * The use of schedule.state. A rank has events, each a step in which it may receive or send: WIDTH of them for each block;
 * and one more at the end, if its last child gets a block while the next one comes in.
 */
enum {
    PERIOD,
    ROUNDS,   /* all rounds of the operation */
    WHEN,     /* d of this rank */
    PARENT,   /* or NOBODY */
    CHILDREN, /* their number */
    SERVED,   /* for tree_cache_child(), if they are more than KEPT_CHILDREN */
    EVENT,    /* the next one's number */
    CHILD     /* the children, if they are not */
};
_Static_assert((int)CHILD + (int)KEPT_CHILDREN <= (int)STATES, "the state fits");

static int width(const struct schedule *s)
{
    const int64_t *state = s->state;
    return (int)(state[CHILDREN] < state[PERIOD] ? state[CHILDREN] + 1 : state[PERIOD]);
}

static int64_t events(const struct schedule *s)
{
    return s->shape.blocks * width(s) + (s->state[CHILDREN] == s->state[PERIOD]);
}

/* The k-th child, k = 1 .. */
static int child(const struct schedule *s, int k)
{
    const int64_t *state = s->state;
    return state[CHILDREN] <= KEPT_CHILDREN ? (int)state[CHILD + k - 1]
                                            : tree_cache_child(&s->shape, (int)state[SERVED], k - 1);
}

/* A message: the other end, and the block. */
struct tree_message {
    int peer; /* or NOBODY */
    int64_t block;
};

/* The event's step in the broadcast, what comes in, what goes out, and to which child: k, or 0. */
static int64_t event(const struct schedule *s, int64_t e, struct tree_message *in, struct tree_message *out)
{
    const int64_t *state = s->state, block = e / width(s);
    int turn = (int)(e % width(s)), k = turn;
    *in = *out = (struct tree_message){NOBODY, 0};
    if (turn == 0 && block < s->shape.blocks)
        *in = (struct tree_message){(int)state[PARENT], block};
    if (turn == 0 && block > 0 && state[CHILDREN] == state[PERIOD])
        k = (int)state[PERIOD];
    if (k > 0)
        *out = (struct tree_message){child(s, k), block - (turn == 0)};
    return state[WHEN] + state[PERIOD] * block + turn;
}

static bool bcast_refill(struct schedule *s)
{
    while (s->state[EVENT] < events(s)) {
        struct tree_message in, out;
        int64_t when = event(s, s->state[EVENT]++, &in, &out);
        if (in.peer == NOBODY && out.peer == NOBODY)
            continue;
        schedule_push(s, (struct step){.kind = STEP_EXCHANGE,
                                       .when = when,
                                       .to = out.peer,
                                       .from = in.peer,
                                       .a = {SLOT_OUT, out.block},
                                       .b = {SLOT_OUT, in.block}});
        return true;
    }
    return false;
}

/* The broadcast's events from the last to the first; block j here is block n-1-j there. */
static bool reduce_refill(struct schedule *s)
{
    const int64_t *state = s->state, last = s->shape.blocks - 1;
    bool root = state[PARENT] == NOBODY, leaf = state[CHILDREN] == 0;
    while (state[EVENT] < events(s)) {
        struct tree_message up, below; /* received and sent there, sent and received here */
        int64_t when = event(s, events(s) - 1 - s->state[EVENT]++, &up, &below);
        if (up.peer == NOBODY && below.peer == NOBODY)
            continue;
        up.block = last - up.block;
        below.block = last - below.block;
        bool first = below.peer != NOBODY && below.peer == child(s, (int)state[CHILDREN]);
        int sum = root ? SLOT_OUT : SLOT_T0 + (int)(below.block & 1);
        int arrived = first && !root ? sum : SLOT_T2;
        schedule_push(s, (struct step){.kind = STEP_EXCHANGE,
                                       .when = state[ROUNDS] - 1 - when,
                                       .to = up.peer,
                                       .from = below.peer,
                                       .a = {leaf ? SLOT_IN : SLOT_T0 + (int)(up.block & 1), up.block},
                                       .b = {arrived, below.block}});
        if (first && root)
            schedule_push_act(s, STEP_COPY, SLOT_IN, SLOT_OUT, below.block);
        if (below.peer != NOBODY)
            schedule_push_act(s, STEP_FOLD, arrived == sum ? SLOT_IN : SLOT_T2, sum, below.block);
        return true;
    }
    return false;
}

void any_tree_generate(struct schedule *s, tree_maker *make)
{
    const struct tree_entry *x = tree_cache_entry(&s->shape, make, s->rank);
    int64_t *state = s->state;
    s->refill = s->shape.collective == COLL_BCAST ? bcast_refill : reduce_refill;
    state[PERIOD] = x->period;
    state[ROUNDS] = x->rounds + x->period * (s->shape.blocks - 1);
    state[WHEN] = x->when;
    state[PARENT] = x->parent;
    state[CHILDREN] = x->children;
    state[SERVED] = x->served;
    state[EVENT] = 0;
    for (int i = 0; i < x->children && i < KEPT_CHILDREN; i++)
        state[CHILD + i] = x->child[i];
}

struct round_bound any_tree_round_bound(const struct shape *shape, tree_maker *make)
{
    if (shape->ranks == 1)
        return (struct round_bound){.slope = 0};
    const struct tree_entry *x = tree_cache_entry(shape, make, NOBODY);
    return (struct round_bound){.slope = x->period, .latency = x->rounds - x->period};
}
