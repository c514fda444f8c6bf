/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fractional trees (fractional.c) in places, each of which feeds others by two links at most; doc/fractional says which.
 *
 * The paper that fractional.c cites, Sect. 4, the second of two variants: no module, here a part of the outermost place,
 * receives anything twice. Modules may differ in size.
 *
 * Invariants: those of a fractional tree. If all modules are chains, they make one chain, without pauses.
 *
 * Example, broadcast, r = 2, places of 5, 2 and 2 ranks, n = 3:
 *
 *     step     0    1    2    3    4    5    6    7    8
 *     rank 0  -/0  -/1  -/0  -/2       -/2
 *     rank 1  0/-  1/0  -/1  2/1  -/2
 *     rank 2       0/-  1/0  -/1  2/0  -/2       -/2
 *     rank 3            0/-  1/0  -/1  2/1  -/2
 *     rank 4                 0/-  1/-       2/-
 *     rank 5            0/-  1/0  -/1  2/-  -/2
 *     rank 6                 0/-  1/-       2/-
 *     rank 7                      0/-  1/0  -/1  2/-  -/2
 *     rank 8                           0/-  1/-       2/-
 */
#include "fractional.h"
#include "workshop.h"

/* Ranks from `head` on, around the end. */
struct module {
    int first, size, head;
};

/* A module is named by its first rank, a link by the head of the first or second group of its module. */
struct crossbar {
    const struct shape *shape;
    int64_t r, depth;
    struct heap modules; /* to be joined, the largest first */
    struct heap links;   /* free ones, by the step in which they are ready */
    double *size, *ready;
    int *row;
    int *when; /* by module: its head's step of packet 0 */
    int *link; /* by module: feeds its head; not the root's */
    int *head; /* by link: fed rank, or NOBODY */
};

static struct module module_of(const struct shape *s, int row)
{
    const struct place *x = &s->places->place[row];
    return (struct module){x->first, x->end - x->first, places_has(s->places, row, s->root) ? s->root : x->first};
}

static int rank_in(const struct module *m, int64_t index)
{
    return index == NOBODY ? NOBODY : m->first + (int)((m->head - m->first + index) % m->size);
}

/* ---- Modules --------------------------------------------------------------------------------------------------------- */

static struct fractional_node find_node(int64_t b, int64_t r, int64_t index)
{
    int64_t member = index < r || b <= r ? index : index - r;
    struct fractional_node node = {
        .first = index, .member = (int)member, .feeder = index > 0 ? (int)index - 1 : NOBODY, .right = NOBODY};
    if (b < 2 * r || index < 2 * r) {
        node.down = index + 1 < b ? (int)index + 1 : NOBODY;
        return node;
    }
    int above = 2 * (int)r;
    node = fractional_find((int)b - above, r, (int)index - above);
    node.first += above + 1;
    node.feeder = node.feeder == NOBODY ? above - 1 : node.feeder + above;
    node.down += node.down == NOBODY ? 0 : above;
    node.right += node.right == NOBODY ? 0 : above;
    return node;
}

/* The last step of packet 0 in a module, from 0 at its head. */
static int64_t depth_of(int64_t b, int64_t r)
{
    return b <= 2 * r ? b - 1 : 2 * r + 1 + fractional_depth((int)(b - 2 * r), r);
}

static bool leads_down(int64_t b, int64_t r, bool second)
{
    return second ? b == 2 * r : b <= r;
}

/* ---- All modules ----------------------------------------------------------------------------------------------------- */

/* `a`: its head's step of packet 0. Adds its free links, too. */
static void add_module(struct crossbar *c, int row, int64_t a)
{
    const struct module m = module_of(c->shape, row);
    int64_t r = c->r, b = m.size, last = a + depth_of(b, r);
    int links = b >= 2 * r && b > r ? 2 : 1;
    c->when[m.first] = (int)a;
    c->depth = last > c->depth ? last : c->depth;
    for (int second = 0; second < links; second++) {
        int link = rank_in(&m, second * r);
        c->row[link] = row;
        c->head[link] = NOBODY;
        c->ready[link] = (double)(leads_down(b, r, second) ? a + b : a + second * r + r + 1);
        heap_add(&c->links, link);
    }
}

static void join_modules(struct crossbar *c, int64_t r)
{
    const struct places *x = c->shape->places;
    c->r = r;
    c->depth = 0;
    c->links.count = 0;
    for (int row = places_part(0); row < x->rows; row = x->place[row].next) {
        const struct module m = module_of(c->shape, row);
        c->row[m.first] = row;
        c->size[m.first] = -m.size;
        if (places_has(x, row, c->shape->root))
            add_module(c, row, -1);
        else
            heap_add(&c->modules, m.first);
    }
    while (c->modules.count > 0) {
        int module = heap_pop(&c->modules), link = heap_pop(&c->links);
        add_module(c, c->row[module], (int64_t)c->ready[link]);
        c->link[module] = link;
        c->head[link] = module;
    }
}

static void join_best(struct crossbar *c)
{
    const struct shape *shape = c->shape;
    int64_t largest = shape->places->level[0].largest, best = shape->group, least = INT64_MAX;
    int64_t chain = shape->blocks > shape->ranks ? shape->blocks : shape->ranks;
    bool more = best == 0;
    for (int k = 1; more; k++) {
        more = fractional_candidate(k) < largest;
        join_modules(c, more ? fractional_candidate(k) : chain);
        int64_t rounds = c->depth + (shape->blocks - 1) / c->r;
        if (rounds < least) {
            best = c->r;
            least = rounds;
        }
    }
    join_modules(c, best < largest ? best : chain);
}

/* Enters the workshop, which the caller leaves. */
static struct crossbar crossbar_of(const struct shape *shape)
{
    const struct tree *memory = tree_cache_borrow(&workshop_enter()->cache);
    struct crossbar c = {.shape = shape,
                         .modules = {.rank = memory->spare[0], .key = memory->value[0]},
                         .links = {.rank = memory->spare[1], .key = memory->value[1]},
                         .size = memory->value[0],
                         .ready = memory->value[1],
                         .row = memory->spare[2],
                         .when = memory->when,
                         .link = memory->parent,
                         .head = memory->child};
    join_best(&c);
    return c;
}

static void generate(struct schedule *s)
{
    const struct places *places = s->shape.places;
    int row = places_part(0);
    while (!places_has(places, row, s->rank))
        row = places->place[row].next;
    const struct crossbar c = crossbar_of(&s->shape);
    const struct module m = module_of(&s->shape, row);
    int64_t r = c.r, b = m.size, index = (s->rank - m.head + b) % b;
    struct fractional_node node = find_node(b, r, index);
    struct fractional_ring ring = {m.first, m.size};
    node.first += c.when[m.first];
    node.feeder = rank_in(&m, node.feeder);
    node.down = rank_in(&m, node.down);
    node.right = rank_in(&m, node.right);
    if (index == 0 && s->rank != s->shape.root) {
        int link = c.link[m.first];
        const struct module other = module_of(&s->shape, c.row[link]);
        node.by_group = !leads_down(other.size, r, link != other.head);
        node.feeder = node.by_group ? link : rank_in(&other, other.size - 1);
        ring = (struct fractional_ring){other.first, other.size};
    }
    for (int second = 0; second < 2; second++) {
        int head = second && (b < 2 * r || b <= r) ? NOBODY : c.head[rank_in(&m, second * r)];
        bool down = leads_down(b, r, second);
        if (head != NOBODY && down && index == b - 1)
            node.down = head;
        if (head != NOBODY && !down && index >= second * r && index < second * r + r)
            node.right = head;
    }
    fractional_lanes(s, &node, ring, r, c.depth);
    workshop_leave();
}

static struct round_bound round_bound(const struct shape *shape)
{
    if (shape->ranks == 1)
        return (struct round_bound){.slope = 0};
    const struct crossbar c = crossbar_of(shape);
    workshop_leave();
    return fractional_round_bound(shape, c.r, c.depth);
}

#define TREE                                                                                                                \
    .model.reference = true, .model.streams = true, .text.rounds = "d-1+n+ceil(n/r)", .model.order_varies = true,           \
    .round_bound = round_bound, .generate = generate

const struct engine engine_fractional_places = {
    .name = "fractional-places",
    .summary = "fractional trees in the groups, each of which feeds two others at most",
    .scratch = 3,
    .serves = {[COLL_BCAST] = {TREE, .needs = NEED_PLACES}, [COLL_REDUCE] = {TREE, .needs = NEED_PLACES_COMMUTATIVE}},
};
