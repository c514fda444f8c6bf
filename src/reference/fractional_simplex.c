/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fractional tree, direct simplex (half-duplex) variant: a run of r packets in 2r+1 steps; doc/simplex has the proofs.
 *
 * The paper that fractional.c cites, Sect. 3, promises it; the slots are ours.
 *
 * The tree is that of fractional.c. Of a run of r packets, a member receives all r, sends all down and one right: M = 2r+1
 * steps. A *slot* is a step mod M. A group counts its steps from a step b. With k = cr+l, 0 <= l < r, its head's k-th
 * receipt is in step
 *
 *     singles   S(k) = cM + 2l                  r.r.r.r..
 *     pairs     D(k) = cM + 2l - (l mod 2)      rr..rr...
 *
 * A group has one of these kinds, b, and a number f. Its head gets packet j as receipt k = f+j, and packet j goes right from
 * member (f+j) mod r. The slots for r = 4, b = 0: r receives, R sends right, a point sends down; `down` is the head of the
 * down successor.
 *
 *     slot             0 1 2 3 4 5 6 7 8             slot             0 1 2 3 4 5 6 7 8
 *     pairs  member 0  r r . . r r . . R           singles  member 0  r R r . r . r . .
 *            member 1  . R r r . . r r .                    member 1  . . R r . r . r r
 *            member 2  r . . R r r . . r                    member 2  r r . . r R r . .
 *            member 3  . r r . . R r r .                    member 3  . . r r . . R r r
 *            down      r . . r r . . . r                    down      r r . . r r . . .
 *
 * follow() gives the successors. Singles without a right successor are a plain *chain*: packets stay one step with each
 * member. If r = 1, all groups are chains. The root's group is pairs, b = -2, f = 0, or without a right successor a chain, b
 * = -1.
 *
 * Invariant: one message of a rank in a slot. Rounds: wd - 2 + 2n + ceil(n/r), with d as in fractional.c, and w = 1 if r = 1
 * or the tree is a chain, else w = 2; for two ranks n.
 */
#include "fractional.h"
#include "simplex.h"

enum group_form { PAIRS, SINGLES, CHAIN };

struct group {
    enum group_form form;
    int64_t step, first;
};

/* ---- Slots --------------------------------------------------------------------------------------------------------- */

static int64_t slot(int64_t r, int64_t k, bool pairs)
{
    int64_t l = k % r;
    return k / r * (2 * r + 1) + 2 * l - (pairs ? l % 2 : 0);
}

/* At member i; for i = r, at the head of the down successor. */
static int64_t arrival(struct group g, int64_t r, int64_t i, int64_t j)
{
    int64_t k = g.first + j;
    if (g.form == CHAIN)
        return g.step + i + slot(r, k, false);
    if (g.form == PAIRS)
        return g.step + 2 * i + slot(r, k, true);
    if (r % 2 && i > 0) {
        g.step++;
        i--;
    }
    int64_t pairs = i - i % 2, l = (k + pairs) % r; /* receipt l of its run; the first `pairs` of a run are as in D */
    int64_t even = g.step + slot(r, k + pairs, l < pairs);
    return i % 2 == 0 ? even : even + (l < pairs || l == r - 1 ? 2 : 3);
}

/* Down or, with `turn`, right. `fork`: it has a right successor itself. */
static struct group follow(struct group g, int64_t r, bool turn, bool fork)
{
    int64_t odd = r % 2;
    enum group_form singles = fork && r > 1 ? SINGLES : CHAIN;
    if (g.form == CHAIN)
        return (struct group){singles, g.step + r + turn, g.first};
    if (g.form == SINGLES)
        return (struct group){PAIRS, g.step + odd + turn, g.first + r - odd};
    if (turn)
        return (struct group){singles, g.step - 1 - odd, g.first + r};
    return (struct group){PAIRS, g.step + 2 * r, g.first};
}

/* ---- The schedule -------------------------------------------------------------------------------------------------- */

enum edge { UP, DOWN, RIGHT, EDGES };

/* In schedule.number. */
enum {
    SIZE,
    ROUNDS,
    MEMBER,
    OWN,
    RIGHT_SUCCESSOR = OWN + 3,
    BY_GROUP = RIGHT_SUCCESSOR + 3, /* 1 if a group's members feed the rank; PEER + UP is their head */
    OVER,                           /* f of that group */
    PEER,
    DIRECTION = PEER + EDGES, /* 1 in a broadcast, -1 in a reduction */
    USED
};
enum { NEXT }; /* in cursor.state: each edge's next packet, or NOBODY */

static void keep_group(int64_t *number, struct group g)
{
    number[0] = g.form;
    number[1] = g.step;
    number[2] = g.first;
}

static struct group kept_group(const int64_t *number)
{
    return (struct group){(enum group_form)number[0], number[1], number[2]};
}

static int64_t passes(const struct schedule *s, enum edge edge, int64_t j)
{
    const int64_t *number = s->number;
    if (edge == RIGHT)
        return arrival(kept_group(number + RIGHT_SUCCESSOR), number[SIZE], 0, j);
    return arrival(kept_group(number + OWN), number[SIZE], number[MEMBER] + (edge == DOWN), j);
}

struct simplex_message {
    enum edge edge;
    int peer;
    int64_t packet, when;
};

static bool next_message(struct cursor *c, const struct schedule *s, struct simplex_message *next)
{
    const int64_t *number = s->number, r = number[SIZE];
    bool found = false;
    for (enum edge edge = UP; edge < EDGES; edge++) {
        int64_t j = c->state[NEXT + edge], when = j == NOBODY ? 0 : passes(s, edge, j);
        if (j != NOBODY && (!found || (when - next->when) * number[DIRECTION] < 0)) {
            *next = (struct simplex_message){edge, NOBODY, j, when};
            found = true;
        }
    }
    if (!found)
        return false;
    int64_t j = next->packet, after = j + number[DIRECTION] * (next->edge == RIGHT ? r : 1),
            node = number[PEER + next->edge];
    if (next->edge == UP && number[BY_GROUP])
        node += (number[OVER] + j) % r;
    next->peer = rank_after(&s->shape, s->shape.root, node);
    c->state[NEXT + next->edge] = after >= 0 && after < s->shape.blocks ? after : NOBODY;
    return true;
}

static bool bcast_refill(struct cursor *c, const struct schedule *s)
{
    struct simplex_message m = {0};
    if (!next_message(c, s, &m))
        return false;
    struct piece packet = one_block(SLOT_OUT, m.packet);
    struct step x = {.kind = STEP_EXCHANGE, .when = m.when, .to = NOBODY, .from = NOBODY, .a = packet, .b = packet};
    *(m.edge == UP ? &x.from : &x.to) = m.peer;
    cursor_push(c, s, x);
    return true;
}

/* The broadcast's messages from the last to the first; packet j is block n-1-j. */
static bool reduce_refill(struct cursor *c, const struct schedule *s)
{
    const int64_t *number = s->number;
    struct group own = kept_group(number + OWN);
    struct simplex_message m = {0};
    if (!next_message(c, s, &m))
        return false;
    bool leaf = number[PEER + DOWN] == NOBODY, root = number[PEER + UP] == NOBODY;
    int64_t block = s->shape.blocks - 1 - m.packet;
    int sum = leaf ? SLOT_IN : SLOT_T0 + (int)(block & 1);
    struct piece piece = one_block(m.edge == RIGHT ? SLOT_T2 : sum, block);
    struct step x = {.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY, .a = piece, .b = piece};
    x.when = number[ROUNDS] - 1 - m.when;
    *(m.edge == UP ? &x.to : &x.from) = m.peer;
    cursor_push(c, s, x);
    if (m.edge == DOWN && root) { /* IN is used up before OUT is changed */
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, block);
        cursor_push_act(c, s, STEP_FOLD, sum, SLOT_OUT, block);
        sum = SLOT_OUT;
    } else if (m.edge == DOWN) {
        cursor_push_act(c, s, STEP_FOLD, SLOT_IN, sum, block);
    }
    /* The operand from the right is folded when both have come; at the root it comes first. */
    bool two = m.edge != UP && number[PEER + RIGHT] != NOBODY && (own.first + m.packet) % number[SIZE] == number[MEMBER];
    if (two && passes(s, m.edge, m.packet) < passes(s, m.edge == DOWN ? RIGHT : DOWN, m.packet))
        cursor_push_act(c, s, STEP_FOLD, SLOT_T2, sum, block);
    return true;
}

/* Average steps of a packet with a rank. */
static int stay(const struct shape *s, int64_t r)
{
    return r == 1 || r >= s->ranks - 1 ? 1 : 2;
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int64_t p = shape->ranks, n = shape->blocks, r = fractional_group(shape, 2), *number = s->number;
    bool reduces = shape->collective == COLL_REDUCE;
    if (p <= 2) {
        engine_find("fractional")->serves[shape->collective].generate(s);
        return;
    }
    struct fractional_node node = fractional_find(shape->ranks, r, rank_after(shape, s->rank, -shape->root));
    struct group over = {0}, own = node.forks & 1 && r > 1 ? (struct group){PAIRS, -2, 0} : (struct group){CHAIN, -1, 0};
    for (int j = 0; j < node.level; j++) {
        over = own;
        own = follow(own, r, node.turns >> j & 1, node.forks >> (j + 1) & 1);
    }
    s->refill = reduces ? reduce_refill : bcast_refill;
    s->numbers = USED;
    number[SIZE] = r;
    number[ROUNDS] = stay(shape, r) * fractional_depth(shape->ranks, r) + 2 * n + (n - 1) / r - 1;
    number[MEMBER] = node.member;
    keep_group(number + OWN, own);
    keep_group(number + RIGHT_SUCCESSOR, follow(own, r, true, true));
    number[BY_GROUP] = node.by_group;
    number[OVER] = over.first;
    number[PEER + UP] = node.feeder;
    number[PEER + DOWN] = node.down;
    number[PEER + RIGHT] = node.right;
    number[DIRECTION] = reduces ? -1 : 1;
    for (int edge = UP; edge < EDGES; edge++) {
        int64_t stride = edge == RIGHT ? r : 1, first = edge == RIGHT ? ((node.member - own.first) % r + r) % r : 0;
        int64_t last = n - 1 - (n - 1 - first) % stride;
        s->start[NEXT + edge] = number[PEER + edge] == NOBODY || first >= n ? NOBODY : reduces ? last : first;
    }
}

/* floor(n(2 + 1/r) + wd - 1 - 1/(2r)); 1/(2r) absorbs rounding errors, as in fractional.c. */
static struct round_bound round_bound(const struct shape *s)
{
    int64_t r = fractional_group(s, 2);
    double d = (double)fractional_depth(s->ranks, r), pause = r < s->ranks - 1 ? 1 / (double)r : 0;
    if (s->ranks <= 2)
        return (struct round_bound){.slope = 1};
    return (struct round_bound){.slope = 2 + pause, .latency = stay(s, r) * d - 1 - pause / 2};
}

#define SERVICE                                                                                                             \
    {                                                                                                                       \
        .text.rounds = "wd-2+2n+ceil(n/r), w = 1 if r = 1 or r >= p-1, else 2 (p = 2: n)", .needs = NEED_COMMUTATIVE,       \
        .model.order_varies = true, .round_bound = round_bound, .generate = generate                                        \
    }

const struct engine engine_fractional_simplex = {
    .name = "fractional-simplex",
    .summary = "fractional with a run of r blocks in 2r+1 steps; no rank sends and receives in the same step",
    .scratch = 3,
    .serves = {[COLL_BCAST] = SERVICE, [COLL_REDUCE] = SERVICE},
};
