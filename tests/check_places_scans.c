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
    } table[] = {{"16x16", 11}, {"64x16", 15}, {"256x64", 21}, {"2,1", 2},   {"1,2", 1},
                 {"2,3,2", 3},  {"2-3-2", 3},  {"4x8x32", 15}, {"8x8x8", 17}};
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
    int halves; /* most that goes into a place, and out of it, in halves of the message */
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
    /* Of two trees, one carries half a block more if n is odd. */
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

/* ---- Bounds ---------------------------------------------------------------------------------------------------------- */

/* What places_tree.c and doc/places-scans say of the height, and of the rounds by it. */
START_TEST(heights_are_bounded)
{
    for (int nodes = 2; nodes <= 40; nodes++)
        for (int k = 2; k <= 40; k++) {
            int path[40 * 40], p = 0;
            for (int i = 0; i < nodes; i++)
                for (int j = 1 + below(k); j > 0; j--)
                    path[p++] = i;
            path[p++] = nodes; /* the last is full */
            for (int j = 1; j < k && p < 40 * 40; j++)
                path[p++] = nodes;
            struct places *t = places_of(path, p, 1, false);
            const struct shape s = shape_of(t, COLL_SCAN, 1);
            const struct engine *e = engine_find("places-tree");
            if (engine_fits(e, &s)) {
                int height = height_of(single(t), TREE_U, p), lg = ceil_log2(nodes + 2) - 1;
                REQUIRE(height <= 2 * lg + ceil_log2(k + 1) - 1, PLACES "height %d", PLACES_OF(t), height);
                REQUIRE(simulate_bound(e, &s) <= 4 * height - 5 + 3, PLACES "bound %d, height %d", PLACES_OF(t),
                        (int)simulate_bound(e, &s), height);
            }
            places_free(t);
        }
}

/* The bounds on the rounds are not much wider than needed, and s is what doc/places-scans says. */
START_TEST(bounds_are_needed)
{
    static const struct {
        const char *places, *engine;
        int s, seen; /* the bound on the rounds is s more than slope * n, and they are so many more for n = 40 */
    } table[] = {{"16x16", "places-tree", 31, 31},  {"16x16", "places", 37, 27},
                 {"20x13", "places", 36, 32},       {"50-40-30-17", "places-tree", 20, 20},
                 {"50-40-30-17", "places", 30, 23}, {"50-40-30-17", "places-line", 25, 22}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].places);
        const struct engine *e = engine_find(table[i].engine);
        const struct shape s = shape_of(t, COLL_SCAN, 40);
        const int64_t all = (e->trees == 2 ? 2 : 3) * s.blocks, rounds = simulated(e, &s).rounds;
        REQUIRE(simulate_bound(e, &s) == all + table[i].s && rounds == all + table[i].seen, SHAPE PLACES "%d, %d more",
                SHAPE_OF(e, &s), PLACES_OF(t), (int)(simulate_bound(e, &s) - all), (int)(rounds - all));
        places_free(t);
    }
}

START_TEST(wrong_promises_are_found)
{
    static const struct {
        const char *places;
        struct promise promise;
    } table[] = {{"4,4,4,4", {"places-tree", 5, 0}},
                 {"4-4-4", {"places", 4, 1}},
                 {"16x4", {"places", 3, 0}},
                 {"4-(2,2)-4", {"places-line", 4, 1}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].places);
        const struct shape s = shape_of(t, COLL_SCAN, 4);
        find_rows(t);
        count_traffic(engine_find(table[i].promise.engine), &s);
        ck_assert_msg(traffic_wrong(&table[i].promise, t, s.blocks), "wrong promise %d was not found", (int)i);
        places_free(t);
    }
}

/* Places in which ranks do not follow one another are none to a scan. */
START_TEST(what_fits)
{
    static const struct {
        int path[6];
        bool sites, tree, line;
    } table[] = {{{0, 0, 1, 1, 2, 2}, false, true, false},
                 {{0, 0, 1, 1, 2, 2}, true, true, true},
                 {{0, 1, 0, 1, 0, 1}, true, false, false},
                 {{0, 0, 0, 0, 0, 0}, true, false, false}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = places_of(table[i].path, 6, 1, table[i].sites);
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            struct shape s = shape_of(t, c, 1);
            ck_assert_int_eq(engine_fits(engine_find("places-tree"), &s), table[i].tree);
            ck_assert_int_eq(engine_fits(engine_find("places"), &s), table[i].tree);
            ck_assert_int_eq(engine_fits(engine_find("places-line"), &s), table[i].line);
            s.places = NULL;
            for (size_t j = 0; j < COUNT(promises); j++)
                ck_assert(!engine_fits(engine_find(promises[j].engine), &s));
        }
        places_free(t);
    }
}

SUITE("places-scans", 60, trees, heights, wrong_trees_are_found, small, large, heights_are_bounded, bounds_are_needed,
      wrong_promises_are_found, what_fits)
