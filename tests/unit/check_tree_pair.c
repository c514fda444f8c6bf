/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tree pairs as arrays: both trees have all ranks, are in-order where they must be, and have valid colours and times. Tree
 * pairs with a mistake show that the checks, and the simulator, can fail. Kept tree pairs are the same as new ones.
 */
#include "hash.h"
#include "pair.h"
#include "placed.h"

#include <pthread.h>

/* ---- What is wrong with a tree pair ---------------------------------------------------------------------------------- */

static const char *node_wrong(const struct tree_pair *b, int rank)
{
    const struct tree_node *k = &b->node[rank];
    int sent[4], sends = 0;
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int side = LEFT; side <= RIGHT; side++) {
            int child = k->child[t][side];
            if (child == NOBODY)
                continue;
            if (b->node[child].parent[t] != rank)
                return "is not the parent of its child";
            sent[sends++] = b->node[child].colour[t];
        }
    if (sends > 2)
        return "has more than two children";
    if (sends == 2 && sent[0] == sent[1])
        return "sends twice in steps of one parity";
    if (k->parent[TREE_U] != NOBODY && k->parent[TREE_V] != NOBODY && k->colour[TREE_U] == k->colour[TREE_V])
        return "receives twice in steps of one parity";
    return NULL;
}

/* Walks through the subtree of tree t at `rank`. *next counts the ranks; they must come in order if `in_order` is set. */
static const char *walk(const struct tree_pair *b, int t, int rank, bool in_order, int *next)
{
    const struct tree_node *k = &b->node[rank];
    const char *why = NULL;
    for (int side = LEFT; side <= RIGHT && !why; side++) {
        int child = k->child[t][side];
        if (side == RIGHT) {
            if (in_order && rank != *next)
                return "is out of order";
            if (++*next > b->ranks)
                return "is in a circle";
        }
        if (child != NOBODY) {
            int down = b->node[child].down[t];
            if (b->span && (down <= k->down[t] || down > k->down[t] + 2 || ((down ^ b->node[child].colour[t]) & 1)))
                return "feeds a child in a wrong step";
            if (down > b->span)
                return "is later than the span";
            why = walk(b, t, child, in_order, next);
        }
    }
    return why;
}

static const char *pair_wrong(const struct tree_pair *b, bool in_order)
{
    const char *why = NULL;
    for (int rank = 0; rank < b->ranks && !why; rank++)
        why = node_wrong(b, rank);
    for (int t = TREE_U; t <= TREE_V && !why; t++) {
        int next = 0;
        for (int rank = 0; rank < b->ranks && !why; rank++)
            if (b->node[rank].parent[t] == NOBODY)
                why = next == 0 ? walk(b, t, rank, in_order, &next) : "is a second root";
        if (!why && next != b->ranks)
            why = "lacks ranks";
    }
    return why;
}

/* ---- Tree pairs that are right, and some that are not ---------------------------------------------------------------- */

static void check_tree_pair(const char *tree, const struct places *t, tree_pair_maker *maker, int root, bool in_order)
{
    const char *why = pair_wrong(made_pair(t, maker, root), in_order);
    REQUIRE(!why, "%s, root %d: %s", tree, root, why);
}

static void check_tree(const char *tree)
{
    struct places *t = read_places(tree);
    int p = places_ranks(t);
    if (!places_differ(t)) { /* no engine makes tree pairs for such places, so there is no memory for them */
        places_free(t);
        return;
    }
    check_tree_pair(tree, t, pair_all, 0, true);
    check_tree_pair(tree, t, pair_first, 0, true);
    check_tree_pair(tree, t, pair_last, p - 1, true);
    for (int i = 0; i < 4; i++) {
        int root = below(p);
        check_tree_pair(tree, t, pair_first, root, false);
        check_tree_pair(tree, t, pair_line, root, false);
    }
    places_free(t);
}

START_TEST(tree_pairs)
{
    static char tree[TREE_TEXT];
    for (int levels = 1; levels <= 3; levels++)
        for (int p = 1; p <= 8; p++) {
            every_tree(p, levels, ',', check_tree);
            every_tree(p, levels, '-', check_tree);
        }
    for (int i = 0; i < 1000; i++) {
        some_tree(tree, 1 << below(13), 1 + below(4), i % 2 ? 30 : 0);
        check_tree(tree);
    }
}

/* A line of very many sites, which would overflow the stack of a recursion. */
START_TEST(deep)
{
    enum { SITES = 30000 };
    char *tree = malloc(2 * SITES + 4), *end = tree;
    for (int i = 0; i < SITES; i++)
        end += sprintf(end, "%s", i > 0 ? "-1" : "3");
    struct places *t = read_places(tree);
    ck_assert_int_ge(tree_pair_span(t, pair_line, 1), SITES);
    ck_assert_int_le(tree_pair_span(t, pair_first, 1), 50);
    places_free(t);
    free(tree);
}

/* Spans as in doc/places. A flat tree has the span 2q-1. */
START_TEST(spans)
{
    static const struct {
        const char *tree;
        int span;
    } table[] = {{"16x16", 16}, {"64x16", 20}, {"256x64", 28}, {"4x8x32", 22}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        ck_assert_int_eq(tree_pair_span(t, pair_first, 0), table[i].span);
        places_free(t);
    }
}

/* These functions spoil a tree pair at a rank, and return false if there is nothing to spoil. */
static bool other_colour(struct tree_pair *b, int rank)
{
    b->node[rank].colour[TREE_U] ^= 1;
    return b->node[rank].parent[TREE_U] != NOBODY;
}

static bool colours_swapped(struct tree_pair *b, int rank)
{
    struct tree_node *k = &b->node[rank];
    int colour = k->colour[TREE_U];
    k->colour[TREE_U] = k->colour[TREE_V];
    k->colour[TREE_V] = colour;
    return k->parent[TREE_U] != NOBODY;
}

static bool too_late(struct tree_pair *b, int rank)
{
    b->node[rank].down[TREE_V] += 2;
    return b->node[rank].parent[TREE_V] != NOBODY;
}

static bool too_soon(struct tree_pair *b, int rank)
{
    b->node[rank].down[TREE_U] -= 2;
    return b->node[rank].parent[TREE_U] != NOBODY;
}

static bool children_swapped(struct tree_pair *b, int rank)
{
    int *child = b->node[rank].child[TREE_U], left = child[LEFT];
    child[LEFT] = child[RIGHT];
    child[RIGHT] = left;
    return child[LEFT] != child[RIGHT];
}

static bool other_tree(struct tree_pair *b, int rank)
{
    struct tree_node *k = &b->node[rank];
    int left = k->child[TREE_U][LEFT];
    k->child[TREE_U][LEFT] = k->child[TREE_V][LEFT];
    k->child[TREE_V][LEFT] = left;
    return k->child[TREE_U][LEFT] != left;
}

static bool lost(struct tree_pair *b, int rank)
{
    struct tree_node *k = &b->node[rank];
    int side = k->child[TREE_V][LEFT] == NOBODY ? RIGHT : LEFT;
    bool any = k->child[TREE_V][side] != NOBODY;
    if (any)
        b->node[k->child[TREE_V][side]].parent[TREE_V] = NOBODY;
    k->child[TREE_V][side] = NOBODY;
    return any;
}

static bool (*const spoil[])(struct tree_pair *, int) = {
    other_colour, colours_swapped, too_late, too_soon, children_swapped, other_tree, lost,
};

LOOPED_TEST(mistakes_are_found, COUNT(spoil))
{
    int found = 0;
    for (int rank = 0; rank < 20; rank++) {
        struct places *t = read_places("(2,3),(4,3,2),5,1");
        struct tree_pair *b = made_pair(t, pair_first, 0);
        if (!spoil[_i](b, rank)) {
            places_free(t);
            continue;
        }
        ck_assert_msg(pair_wrong(b, true), "mistake %d at rank %d", _i, rank);
        found++;
        places_free(t);
    }
    ck_assert_int_ge(found, 4);
}

static void flip_colours(struct tree_pair *b)
{
    for (int i = 1; i < b->ranks; i++)
        for (int tree = TREE_U; tree <= TREE_V; tree++)
            b->node[i].colour[tree] ^= 1;
}

static int alone; /* to this rank alone all colours seem flipped, so it carries the other half of the blocks */

static void start_otherwise(void *self, struct walk *w, const struct shape *s, int rank)
{
    struct tree_pair *b = made_pair(s->places, pair_first, 0);
    if (rank == alone)
        flip_colours(b);
    engine_walk(self, w, s, rank);
    if (rank == alone)
        flip_colours(b);
}

START_TEST(wrong_share)
{
    const struct engine *e = engine_find("places");
    struct places *t = read_places("3,(2,2),2");
    const struct shape s = {.ranks = 9, .blocks = 3, .places = t};
    const struct generator g = {start_otherwise, next_step, (void *)e, e->scratch, false, false};
    struct verdict v;
    alone = NOBODY;
    ck_assert(simulate(&g, &s, false, &v));
    for (alone = 0; alone < 9; alone++)
        ck_assert_msg(!simulate(&g, &s, false, &v), "rank %d alone carries other halves", alone);
    places_free(t);
}

/* ---- What is kept ---------------------------------------------------------------------------------------------------- */

/* What all ranks do in two engines' broadcasts, as a hash. */
static uint64_t steps_of(const struct places *t, int root)
{
    static const char *const names[] = {"places", "latency-tree"};
    uint64_t hash = 0;
    for (size_t i = 0; i < COUNT(names); i++)
        for (int rank = 0; rank < places_ranks(t); rank++) {
            const struct shape s = {.ranks = places_ranks(t), .root = root, .blocks = 2, .places = t};
            hash = mix64(hash ^ hash_of_steps(engine_find(names[i]), &s, rank));
        }
    return hash;
}

/* New places lie in the memory of old ones, which had other trees. */
START_TEST(places_go)
{
    static const char *const text[] = {"2,4", "3,3"};
    struct places *stay = read_places("5,1,2");
    uint64_t hash[COUNT(text)] = {0};
    for (size_t i = 0; i < 10; i++) {
        struct places *t = read_places(text[i % 2]);
        const uint64_t now = steps_of(t, 1);
        ck_assert(i < 2 || now == hash[i % 2]);
        hash[i % 2] = now;
        places_free(t);
    }
    ck_assert_uint_ne(hash[0], hash[1]);
    places_free(stay);
}

static void *make_again(void *places)
{
    const uint64_t once = steps_of(places, 1);
    bool same = true;
    for (int i = 0; i < 3000; i++)
        same = same && (i % 2 || steps_of(places, 1) == once) && steps_of(places, i % 3) != 0;
    return same ? places : NULL;
}

/* Threads that make trees of different places at once get the same trees each time, though they share the workshop. */
START_TEST(threads)
{
    struct places *places[] = {read_places("(2,3),(4,3,2)"), read_places("5,1,2")};
    pthread_t thread[COUNT(places)];
    for (size_t i = 0; i < COUNT(places); i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, make_again, places[i]), 0);
    for (size_t i = 0; i < COUNT(places); i++) {
        void *same;
        ck_assert_int_eq(pthread_join(thread[i], &same), 0);
        ck_assert_ptr_eq(same, places[i]);
    }
    for (size_t i = 0; i < COUNT(places); i++)
        places_free(places[i]);
}

SUITE("tree pair", 20)
