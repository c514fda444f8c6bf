/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over places: the trees, what crosses each place's boundary, and the schedules in the simulator. Wrong trees and
 * promises that are too good show that the checks can fail.
 */
#include "places_tree.h"
#include "schedules.h"

enum { SMALL = 8, MOST = 1 << 14, LEVELS = 3, SAMPLES = 40, SAMPLED = 4096 };

static struct shape shape_of(const struct places *places, int c, int64_t n)
{
    return (struct shape){
        .collective = (enum collective)c, .ordered = true, .ranks = places_ranks(places), .blocks = n, .places = places};
}

/* ---- Places ---------------------------------------------------------------------------------------------------------- */

/* The tree of places in which the levels above the innermost begin anew behind the position i if digit i+1 says so. */
static struct places *places_of_digits(const int *digit, int p, bool sites)
{
    static int path[MOST * (LEVELS - 1)];
    int number = 0;
    for (int i = 0; i < p; i++) {
        number += digit[i] > 0;
        for (int level = 0; level < LEVELS - 1; level++)
            path[(LEVELS - 1) * i + level] =
                i > 0 && digit[i] < LEVELS - 1 - level ? path[(LEVELS - 1) * (i - 1) + level] : number;
    }
    struct places *t = places_of(path, p, LEVELS - 1, sites);
    ck_assert(t && !t->order);
    return t;
}

/* Calls f for all trees of p positions and at most three levels, with sites and without. */
static void for_all_small(int p, void (*f)(const struct places *))
{
    int digit[SMALL] = {0}, at;
    do {
        for (int sites = 0; sites < 2; sites++) {
            struct places *t = places_of_digits(digit, p, sites);
            if (places_differ(t))
                f(t);
            places_free(t);
        }
        for (at = 1; at < p && ++digit[at] == LEVELS; at++)
            digit[at] = 0;
    } while (at < p);
}

/* Calls f for trees at random, of at most so many positions. */
static void for_samples(int most, void (*f)(const struct places *))
{
    static int digit[MOST];
    for (int i = 0; i < SAMPLES; i++) {
        int p = 2 + below(most - 1), node = 1 + below(i % 2 ? 64 : p), rack = 1 + below(i % 3 ? 20 : p);
        for (int at = 0; at < p; at++)
            digit[at] = below(node) ? 0 : below(rack) ? 1 : 2;
        struct places *t = places_of_digits(digit, p, i % 4 == 3);
        if (places_differ(t))
            f(t);
        places_free(t);
    }
}

static struct places *read_places(const char *text)
{
    const char *why;
    struct places *t = places_read(text, MOST, &why);
    REQUIRE(t, "%s: %s", text, why);
    return t;
}

#define PLACES "%d places over %d ranks, %s: "
#define PLACES_OF(t) (t)->rows, places_ranks(t), (t)->place[0].line ? "in a line" : "in no line"

/* The places in which a position lies, from all on; 0 behind the innermost. */
static int row_of[PLACES_DEPTH + 3][MOST];

/* Fills in row_of. */
static void find_rows(const struct places *t)
{
    int open[PLACES_DEPTH + 3], levels = 0;
    memset(row_of, 0, sizeof row_of);
    for (int row = 0; row < t->rows; row++) {
        while (levels > 0 && t->place[open[levels - 1]].next <= row)
            levels--;
        for (int x = t->place[row].first; x < t->place[row].end; x++)
            row_of[levels][x] = row;
        open[levels++] = row;
    }
}

/* Level of the smallest place that has both positions, which are different. */
static int level_of_both(int x, int y)
{
    int level = 0;
    while (row_of[level + 1][x] == row_of[level + 1][y])
        level++;
    return level;
}

/* ---- Trees ----------------------------------------------------------------------------------------------------------- */

/* The height of the subtree of x in a tree, which has to have the ranks low .. high in order, or -1. */
static int height_in_order(const struct knot *knot, int tree, int x, int low, int high)
{
    const int *child = knot[x].child[tree];
    int height = 0;
    if (x < low || x > high || (child[LEFT] < 0) != (x == low) || (child[RIGHT] < 0) != (x == high))
        return -1;
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] >= 0) {
            int under = height_in_order(knot, tree, child[i], i == LEFT ? low : x + 1, i == LEFT ? x - 1 : high);
            if (under < 0 || knot[child[i]].parent[tree] != x)
                return -1;
            height = under + 1 > height ? under + 1 : height;
        }
    return height;
}

/* The height of a tree, which has to have the p ranks in order, or -1. */
static int height_of(const struct knot *knot, int tree, int p)
{
    int root = 0;
    for (int hops = 0; knot[root].parent[tree] >= 0 && hops < p; hops++)
        root = knot[root].parent[tree];
    return height_in_order(knot, tree, root, 0, p - 1);
}

/* What is wrong with the one tree over places, or NULL. */
static const char *tree_wrong(const struct places *t, const struct knot *knot)
{
    static int edges[2 * MOST]; /* between the parts of each place */
    int p = places_ranks(t);
    if (height_of(knot, TREE_U, p) < 0)
        return "is not in-order, or parents and children disagree";
    memset(edges, 0, sizeof edges);
    find_rows(t);
    for (int x = 0; x < p; x++) {
        int up = knot[x].parent[TREE_U];
        if (up < 0)
            continue;
        int row = row_of[level_of_both(x, up)][x];
        edges[row]++;
        if (row == 0 && t->place[0].line && up > x)
            return "has an edge from a site up to a later one";
    }
    for (int row = 0; row < t->rows; row++)
        if (places_parts(t, row) && edges[row] != places_parts(t, row) - 1)
            return "has too many edges between the parts of a place";
    return NULL;
}

static const struct knot *single(const struct places *t)
{
    return braid_made(t, places_tree_single, 0)->knot;
}

static void check_tree(const struct places *t)
{
    const char *wrong = tree_wrong(t, single(t));
    REQUIRE(!wrong, PLACES "the tree %s", PLACES_OF(t), wrong);
}

START_TEST(trees)
{
    for (int p = 1; p <= SMALL; p++)
        for_all_small(p, check_tree);
    for_samples(SAMPLED, check_tree);
}

START_TEST(heights)
{
    static const struct {
        const char *places;
        int height;
    } table[] = {{"16x16", 11}, {"64x16", 15}, {"256x64", 21}, {"2,1", 2}, {"1,2", 1}, {"2,3,2", 3}, {"2-3-2", 3}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].places);
        ck_assert_int_eq(height_of(single(t), TREE_U, places_ranks(t)), table[i].height);
        places_free(t);
    }
}

START_TEST(wrong_trees_are_found)
{
    struct places *t = read_places("(3,2),(1,3)"), *other = read_places("1,8"), *sites = read_places("3-2-4");
    struct places *no_sites = read_places("3,2,4");
    struct knot knot[9];
    ck_assert_ptr_null(tree_wrong(t, single(t)));
    ck_assert_str_eq(tree_wrong(t, single(other)), "has too many edges between the parts of a place");
    ck_assert_str_eq(tree_wrong(sites, single(no_sites)), "has an edge from a site up to a later one");
    memcpy(knot, single(t), sizeof knot);
    knot[0].parent[TREE_U] = 2;
    ck_assert_ptr_nonnull(tree_wrong(t, knot));
    places_free(t);
    places_free(other);
    places_free(sites);
    places_free(no_sites);
}

/* ---- Schedules ------------------------------------------------------------------------------------------------------- */

/* What an engine promises. */
static const struct promise {
    const char *engine;
    int halves; /* most that goes into a place, and out of it, in halves of the message; where a half is half a block more: that */
    int on;     /* messages from a site to the next, where the parts of all are sites; nothing goes back; 0: no promise */
} promises[] = {{"places-tree", 6, 1}, {"places", 4, 0}, {"places-line", 5, 1}};

/* Messages: into and out of each place; from one part of all, if these are sites, to the next, and others between sites. */
static struct traffic {
    int64_t in[2 * MOST], out[2 * MOST], on[2 * MOST], other;
} traffic;

static void count_message(const struct places *t, int from, int to)
{
    int common = level_of_both(from, to), levels = (int)COUNT(row_of);
    for (int level = common + 1; level < levels; level++) {
        if (row_of[level][from])
            traffic.out[row_of[level][from]]++;
        if (row_of[level][to])
            traffic.in[row_of[level][to]]++;
    }
    if (common == 0 && t->place[row_of[1][from]].next == row_of[1][to])
        traffic.on[row_of[1][from]]++;
    else if (common == 0)
        traffic.other++;
}

static void count_traffic(const struct engine *e, const struct shape *shape)
{
    struct schedule s;
    struct step x;
    memset(&traffic, 0, sizeof traffic);
    for (int rank = 0; rank < shape->ranks; rank++)
        for (engine_start(e, &s, shape, rank); schedule_next(&s, &x);)
            if (x.kind == STEP_EXCHANGE && x.to != NOBODY)
                count_message(shape->places, rank, x.to);
}

/* What is wrong with what crosses the boundaries, or NULL. */
static const char *traffic_wrong(const struct promise *promise, const struct places *t, int64_t n)
{
    const int64_t through = promise->halves * n / 2 + (engine_find(promise->engine)->trees - 1) * (n % 2);
    const bool sites = promise->on && t->place[0].line;
    for (int row = 1; row < t->rows; row++) {
        if (traffic.in[row] > through || traffic.out[row] > through)
            return "too much goes into a place or out of it";
        if (sites && traffic.on[row] > promise->on * n)
            return "too much goes from a site to the next";
    }
    return sites && traffic.other ? "something goes from a site to another than the next" : NULL;
}

static void check_schedules(const struct places *t, int64_t n)
{
    find_rows(t);
    for (size_t i = 0; i < COUNT(promises); i++) {
        const struct engine *e = engine_find(promises[i].engine);
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            const struct shape s = shape_of(t, c, n);
            if (!engine_fits(e, &s))
                continue;
            simulated(e, &s);
            count_traffic(e, &s);
            const char *wrong = traffic_wrong(&promises[i], t, n);
            REQUIRE(!wrong, SHAPE PLACES "%s", SHAPE_OF(e, &s), PLACES_OF(t), wrong);
        }
    }
}

static void check_small(const struct places *t)
{
    for (int n = 1; n <= 5; n += 2)
        check_schedules(t, n);
}

static void check_large(const struct places *t)
{
    check_schedules(t, 2);
}

START_TEST(small)
{
    for (int p = 1; p <= SMALL; p++)
        for_all_small(p, check_small);
}

START_TEST(large)
{
    for_samples(SAMPLED, check_large);
}

SUITE("places-scans", 60, trees, heights, wrong_trees_are_found, small, large)
