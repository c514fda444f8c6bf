/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The latency tree gives right results, enters each place once, and takes the times that doc/trees has in a table. The tree
 * cache never gives the tree of another root or machine.
 */
#include "known_trees.h"

#include <fenv.h>

static const struct engine *latency_tree(void)
{
    return engine_find("latency-tree");
}

static void simulate_both(const struct places *t, int root, int blocks)
{
    for (int c = COLL_BCAST; c <= COLL_REDUCE; c++) {
        const struct shape shape = shape_over(t, (enum collective)c, root, blocks);
        simulated(latency_tree(), &shape);
    }
}

static const char *const small[] = {"2x2",     "4,4", "1,2", "3,2,1", "2x2x2", "(2,1),3", "4-4-4", "1,(1,(1,(1,2)))",
                                    "5,1,1,6", "3x4"};

LOOPED_TEST(all_roots, COUNT(small))
{
    struct places *t = read_places(small[_i]);
    for (int root = 0; root < places_ranks(t); root++)
        for (int n = 1; n <= 5; n++)
            simulate_both(t, root, n);
    places_free(t);
}

START_TEST(large)
{
    static const char *const texts[] = {"50,40,30,17", "7x9", "4x8x8", "64x16", "16x256", "1000,1,23"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_places(texts[i]);
        int p = places_ranks(t);
        simulate_both(t, 0, 1);
        simulate_both(t, p / 2, 2);
        simulate_both(t, p - 1, p < 300 ? 5 : 1);
        places_free(t);
    }
}

static struct places *random_places(int p)
{
    int path[64 * PLACES_DEPTH], depth = 1 + below(3);
    for (int i = 0; i < p * depth; i++)
        path[i] = below(3);
    struct places *t = places_of(path, p, depth, false);
    ck_assert_ptr_nonnull(t);
    return t;
}

/* Random figures: an outer level may be slower than an inner one, or faster. */
static void set_random_reach(struct places *t)
{
    struct reach reach[PLACES_DEPTH + 1];
    for (int level = 0; level <= PLACES_DEPTH; level++)
        reach[level] = (struct reach){.alpha = 1 + below(30), .flow = 1, .up = 1};
    places_set_reach(t, reach, 1 + below(8));
}

START_TEST(random_shapes)
{
    for (int i = 0; i < 300; i++) {
        struct places *t = random_places(2 + below(60));
        if (places_differ(t)) {
            set_random_reach(t);
            simulate_both(t, below(places_ranks(t)), 1 + below(4));
        }
        places_free(t);
    }
}

/* The tree enters each place once, except the places that the root is in. */
START_TEST(boundaries)
{
    for (int i = 0; i < 200; i++) {
        struct places *t = random_places(2 + below(60));
        int root = below(places_ranks(t));
        const struct known_tree *tree = places_differ(t) ? tree_over(latency_tree(), t, root) : NULL;
        for (int row = 0; tree && row < t->rows; row++) {
            int first = t->place[row].first, end = t->place[row].end, entries = 0;
            for (int v = first; v < end; v++)
                entries += tree->parent[v] != NOBODY && (tree->parent[v] < first || tree->parent[v] >= end);
            ck_assert_int_eq(entries, root < first || root >= end);
        }
        places_free(t);
    }
}

/*
 * The table in doc/trees: the time of the shortest message over the latency tree, and over a binomial tree in the order of
 * the ranks. All times are in the table's unit.
 */
START_TEST(table)
{
    static const struct {
        const char *places;
        double outer, inner, gap, finish, binomial;
    } rows[] = {
        {"67,67,67", 4, 0.1, 0.05, 4.90, 9.25},
        {"60,50,30,20", 4, 0.1, 0.05, 4.80, 9.25},
        {"64x16", 2.5, 0.5, 0.5, 15.5, 27.0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct places *t = read_places(rows[i].places);
        const struct reach reach[] = {{rows[i].outer, 1, 1}, {rows[i].inner, 1, 1}};
        places_set_reach(t, reach, rows[i].gap);
        ck_assert_double_eq_tol(tree_over(latency_tree(), t, 0)->finish, rows[i].finish, 1e-9);
        ck_assert_double_eq_tol(tree_over(engine_find("binomial"), t, 0)->finish, rows[i].binomial, 1e-9);
        places_free(t);
    }
}

/*
 * Does some rank that has the message lie nearer to the receiver than the sender does? If so, the sender would make the
 * message enter a place that it has entered before.
 */
static bool entered(const struct places *t, unsigned have, int from, int to)
{
    for (int v = 0; v < places_ranks(t); v++)
        if (v != to && have >> v & 1 && places_level(t, v, to) > places_level(t, from, to))
            return true;
    return false;
}

/*
 * The least time at which all ranks have the message. The ranks of the bit set `have` have it already: the last of them got
 * it at time `last`. Rank r can send from time free[r] on.
 */
static double least(const struct places *t, const double free[], unsigned have, double last)
{
    int p = places_ranks(t);
    double best = 1e9;
    if (have == (1u << p) - 1)
        return last;
    for (int from = 0; from < p; from++)
        for (int to = 0; to < p && have >> from & 1; to++) {
            double then[8];
            if (have >> to & 1 || entered(t, have, from, to))
                continue;
            memcpy(then, free, sizeof then);
            double time = then[to] = taken(t, free[from], from, to);
            then[from] += t->gap;
            double finish = least(t, then, have | 1u << to, time > last ? time : last);
            best = finish < best ? finish : best;
        }
    return best;
}

/* Where latency between places exceeds all times inside them, no tree that enters each place once is faster. */
START_TEST(optimal)
{
    static const char *const texts[] = {"2,2",   "1,2",   "1,3",     "2,3",     "3,3",
                                        "1,1,3", "2,2,2", "1,(2,2)", "(1,2),2", "1,1,(1,2)"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_places(texts[i]);
        for (int root = 0; root < places_ranks(t); root++) {
            double free[8] = {0}, finish = tree_over(latency_tree(), t, root)->finish;
            double best = least(t, free, 1u << root, 0);
            REQUIRE(finish <= best * (1 + 1e-9), "%s root %d: %g us, not %g", texts[i], root, 1e6 * finish, 1e6 * best);
        }
        places_free(t);
    }
}

/* A hash of the steps of a rank, and of the round bound. */
static uint64_t steps(const struct places *t, int root, int rank)
{
    const struct shape shape = shape_over(t, COLL_REDUCE, root, 3);
    const struct round_bound bound = service_round_bound(&latency_tree()->serves[COLL_REDUCE], &shape);
    return hash_of_steps(latency_tree(), &shape, rank) + (uint64_t)(1000 * bound.slope + bound.latency);
}

/* Gives all levels the same figures. */
static void set_alpha(struct places *t, double alpha)
{
    const struct reach one = {alpha, 1, 1}, reach[PLACES_DEPTH + 1] = {one, one, one, one, one};
    places_set_reach(t, reach, 1);
}

/* The tree cache never gives the tree of another root, or of other figures. */
START_TEST(remembered)
{
    enum { P = 35 };
    static const double alpha[] = {1, 30};
    uint64_t fresh[2][P][P];
    const char *text = "20,(5,5),4,1";
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < P * P; j++) {
            struct places *t = read_places(text);
            set_alpha(t, alpha[i]);
            fresh[i][j / P][j % P] = steps(t, j / P, j % P);
            places_free(t);
        }
    ck_assert_uint_ne(fresh[0][0][0], fresh[1][0][0]);
    struct places *t = read_places(text);
    for (int i = 0, now = 0; i < 20000; i++) {
        int root = below(i % 1000 < 500 ? 3 : P), rank = below(i % 200 < 100 ? 1 : P);
        if (i % 400 == 0)
            set_alpha(t, alpha[now = below(2)]);
        REQUIRE(steps(t, root, rank) == fresh[now][root][rank], "root %d rank %d: other steps", root, rank);
    }
    places_free(t);
}

/*
 * A rank may have more children than SCHEDULE_NUMBERS, as the list of its children stays in the tree cache. The cache makes
 * a tree again when its root comes back.
 */
START_TEST(wide)
{
    struct places *t = read_places("40,1,1,100,1");
    set_alpha(t, 1000);
    uint64_t before = steps(t, 42, 42);
    for (int root = 20; root < places_ranks(t); root += 20) {
        const struct known_tree *tree = tree_over(latency_tree(), t, root);
        int widest = 0;
        for (int v = 0; v < places_ranks(t); v++)
            widest = tree->children[v] > widest ? tree->children[v] : widest;
        ck_assert_int_gt(widest, SCHEDULE_NUMBERS);
        simulate_both(t, root, 1);
        simulate_both(t, root, 3);
        ck_assert_uint_eq(steps(t, 42, 42), before);
    }
    places_free(t);
}

/* Sums of equal times in another order may differ if they are rounded upwards. Even so, the tree is that of other ranks. */
START_TEST(rounding)
{
    for (int i = 0; i < 50; i++) {
        struct places *t = random_places(10 + below(50));
        struct reach reach[PLACES_DEPTH + 1];
        for (int level = 0; level <= PLACES_DEPTH; level++)
            reach[level] = (struct reach){.alpha = 0.1 * (1 + below(9)), .flow = 1, .up = 1};
        for (int up = 0; up < 2 && places_differ(t); up++) {
            static struct known_tree nearest;
            places_set_reach(t, reach, 0.1); /* the tree is made anew */
            fesetround(up ? FE_UPWARD : FE_TONEAREST);
            const struct known_tree *tree = tree_over(latency_tree(), t, 0);
            fesetround(FE_TONEAREST);
            if (up)
                ck_assert_mem_eq(tree->parent, nearest.parent, (size_t)places_ranks(t) * sizeof *tree->parent);
            else
                nearest = *tree;
        }
        places_free(t);
    }
}

/* The engine needs several places, and does not serve ordered reductions. */
START_TEST(fits)
{
    struct places *alike = read_places("7"), *differ = read_places("3,4");
    struct shape shape = shape_over(differ, COLL_REDUCE, 2, 1);
    ck_assert(engine_fits(latency_tree(), &shape));
    shape.ordered = true;
    ck_assert(!engine_fits(latency_tree(), &shape));
    shape.ordered = false;
    shape.places = alike;
    ck_assert(!engine_fits(latency_tree(), &shape));
    shape.places = NULL;
    ck_assert(!engine_fits(latency_tree(), &shape));
    places_free(alike);
    places_free(differ);
}

SUITE("latency tree", 60)
