/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over places: the tree of engine places-tree, all schedules under strict rendezvous, the blocks across each place's
 * boundary, and the bounds on the rounds. Wrong trees, and promises that no engine keeps, show that the checks can fail.
 */
#include "pair.h"
#include "placed.h"

enum { MOST = 1 << 14, BLOCKS = 12 };

static struct shape shape_of(const struct places *places, int c, int64_t n)
{
    return (struct shape){
        .collective = (enum collective)c, .ordered = true, .ranks = places_ranks(places), .blocks = n, .places = places};
}

/* ---- The single tree ------------------------------------------------------------------------------------------------- */

/* The height of the subtree of x; -1 if it has not exactly the ranks low .. high, in order. */
static int height_in_order(const struct tree_node *node, int x, int low, int high)
{
    const int *child = node[x].child[TREE_U];
    int height = 0;
    if (x < low || x > high || (child[LEFT] < 0) != (x == low) || (child[RIGHT] < 0) != (x == high))
        return -1;
    for (int i = LEFT; i <= RIGHT; i++)
        if (child[i] >= 0) {
            int under = height_in_order(node, child[i], i == LEFT ? low : x + 1, i == LEFT ? x - 1 : high);
            if (under < 0 || node[child[i]].parent[TREE_U] != x)
                return -1;
            height = under + 1 > height ? under + 1 : height;
        }
    return height;
}

/* The height of a tree; -1 if it has not all p ranks, in order. */
static int height_of(const struct tree_node *node, int p)
{
    int root = 0;
    for (int hops = 0; node[root].parent[TREE_U] >= 0 && hops < p; hops++)
        root = node[root].parent[TREE_U];
    return height_in_order(node, root, 0, p - 1);
}

/* The smallest place that has both ranks. */
static int place_of_both(const struct places *t, int x, int y)
{
    int row = 0, low = x < y ? x : y, high = x < y ? y : x;
    for (int part = places_part(0); part < t->place[row].next;)
        if (low >= t->place[part].end)
            part = t->place[part].next;
        else if (high >= t->place[part].end)
            break;
        else
            part = places_part(row = part);
    return row;
}

/* The mistake in a tree over places, or NULL. */
static const char *tree_wrong(const struct places *t, const struct tree_node *node)
{
    static int edges[2 * MOST]; /* of each place: edges between its parts */
    int p = places_ranks(t);
    if (height_of(node, p) < 0)
        return "is not in-order, or parents and children disagree";
    memset(edges, 0, sizeof edges);
    for (int x = 0; x < p; x++) {
        int up = node[x].parent[TREE_U], row = up < 0 ? 0 : place_of_both(t, x, up);
        edges[row] += up >= 0;
        if (row == 0 && t->place[0].line && up > x)
            return "has an edge from a site up to a later one";
    }
    for (int row = 0; row < t->rows; row++)
        if (places_parts(t, row) && edges[row] != places_parts(t, row) - 1)
            return "has too many edges between the parts of a place";
    return NULL;
}

static const struct tree_node *single(const struct places *t)
{
    return made_pair(t, places_tree_single, 0)->node;
}

START_TEST(heights)
{
    static const struct {
        const char *tree;
        int height;
    } table[] = {{"16x16", 11}, {"64x16", 15}, {"256x64", 21}, {"2,1", 2},   {"1,2", 1},
                 {"2,3,2", 3},  {"2-3-2", 3},  {"4x8x32", 15}, {"8x8x8", 17}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        REQUIRE(!tree_wrong(t, single(t)), "%s: the tree %s", table[i].tree, tree_wrong(t, single(t)));
        ck_assert_int_eq(height_of(single(t), places_ranks(t)), table[i].height);
        places_free(t);
    }
}

/* The bounds of doc/places-scans on the height, and of places_tree.c on the rounds. */
START_TEST(heights_are_bounded)
{
    static char tree[TREE_TEXT];
    const struct engine *e = engine_find("places-tree");
    for (int nodes = 2; nodes <= 40; nodes++)
        for (int k = 2; k <= 40; k++) {
            char *end = tree;
            for (int i = 1; i < nodes; i++)
                end += sprintf(end, "%d,", 1 + below(k));
            sprintf(end, "%d", k);
            struct places *t = read_places(tree);
            const struct shape s = shape_of(t, COLL_SCAN, 1);
            int height = height_of(single(t), s.ranks), bound = (int)simulate_bound(e, &s);
            REQUIRE(height <= 2 * (ceil_log2(nodes + 1) - 1) + ceil_log2(k + 1) - 1, "%s: height %d", tree, height);
            REQUIRE(bound <= 4 * height - 5 + 3, "%s: bound %d, height %d", tree, bound, height);
            places_free(t);
        }
}

START_TEST(wrong_trees_are_found)
{
    struct places *t = read_places("(3,2),(1,3)"), *other = read_places("1,8"), *sites = read_places("3-2-4");
    struct places *no_sites = read_places("3,2,4");
    struct tree_node node[9];
    ck_assert_ptr_null(tree_wrong(t, single(t)));
    ck_assert_str_eq(tree_wrong(t, single(other)), "has too many edges between the parts of a place");
    ck_assert_str_eq(tree_wrong(sites, single(no_sites)), "has an edge from a site up to a later one");
    memcpy(node, single(t), sizeof node);
    node[0].parent[TREE_U] = 2;
    ck_assert_str_eq(tree_wrong(t, node), "is not in-order, or parents and children disagree");
    places_free(t);
    places_free(other);
    places_free(sites);
    places_free(no_sites);
}

/* ---- Schedules ------------------------------------------------------------------------------------------------------- */

/* The promise of an engine: the most that crosses a boundary in either direction, in halves of the message. */
static const struct promise {
    const char *engine;
    int places; /* over boundaries of places */
    int sites;  /* over those of sites in a line; 2: a message never goes back to an earlier site */
} promises[] = {{"places-tree", 6, 2}, {"places", 4, 4}, {"places-line", 5, 2}};

static bool within(const struct boundary *x, int64_t blocks)
{
    return x->in <= blocks && x->out <= blocks;
}

/* Does the schedule keep the promise? If the number of blocks is odd, one of two trees carries half a block more. */
static bool keeps(const struct promise *promise, const struct shape *s, const struct verdict *v)
{
    bool kept = true, two = engine_find(promise->engine)->halves;
    for (int level = 0; level < s->places->depth; level++) {
        bool sites = level == 0 && s->places->place[0].line && promise->sites == 2;
        int64_t blocks = sites ? s->blocks : promise->places * s->blocks / 2 + two * (s->blocks % 2);
        kept = kept && within(&v->with_root[level], blocks) && within(&v->without_root[level], blocks);
    }
    return kept;
}

static int checked; /* schedules */

static void check(const char *tree, const struct places *t, int64_t n)
{
    for (size_t i = 0; i < COUNT(promises); i++)
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            const struct engine *e = engine_find(promises[i].engine);
            const struct shape s = shape_of(t, c, n);
            struct verdict v;
            if (!engine_fits(e, &s))
                continue;
            REQUIRE(simulate_engine(e, &s, &v), "%s: " SHAPE "%s", tree, SHAPE_OF(e, &s), v.why);
            REQUIRE(keeps(&promises[i], &s, &v), "%s: " SHAPE "too much crosses a boundary", tree, SHAPE_OF(e, &s));
            checked++;
        }
}

static void check_tree(const char *tree, int blocks, const int64_t n[])
{
    struct places *t = read_places(tree);
    const char *wrong = places_differ(t) ? tree_wrong(t, single(t)) : NULL;
    REQUIRE(!wrong, "%s: the tree %s", tree, wrong);
    for (int i = 0; i < blocks; i++)
        check(tree, t, n[i]);
    places_free(t);
}

static void check_small(const char *tree)
{
    check_tree(tree, 4, (const int64_t[]){1, 2, 3, 7});
}

START_TEST(every_small_tree)
{
    const int most[] = {0, whole_or(9, 8), whole_or(8, 7), 6}; /* ranks, by levels */
    for (int levels = 1; levels <= 3; levels++)
        for (int p = 1; p <= most[levels]; p++) {
            every_tree(p, levels, ',', check_small);
            every_tree(p, levels, '-', check_small);
        }
    ck_assert_int_gt(checked, 10000);
}

/* All trees of at most 60 ranks in which the places of a level have the same number of parts. */
START_TEST(every_even_tree)
{
    for (int sites = 1; sites <= 60; sites++)
        for (int nodes = 1; sites * nodes <= 60; nodes++)
            for (int k = 1; sites * nodes * k <= 60; k++) {
                char tree[1024], *end = tree;
                end += sprintf(end, "%dx%dx%d", sites, nodes, k);
                check_tree(tree, 1, (const int64_t[]){1 + below(6)});
                end = tree;
                for (int i = 0; i < sites; i++)
                    end += sprintf(end, "%s(%dx%d)", i ? "-" : "", nodes, k);
                check_tree(tree, 1, (const int64_t[]){1 + below(6)});
            }
    ck_assert_int_gt(checked, 4000);
}

START_TEST(trees_at_random)
{
    static char tree[TREE_TEXT];
    for (int i = 0; i < 300; i++) {
        some_tree(tree, 2 + below(200), 1 + below(3), i % 2 ? 40 : 0);
        check_tree(tree, 1, (const int64_t[]){1 + below(BLOCKS)});
    }
    for (int i = 0; i < 12; i++) {
        some_tree(tree, 128 << i / 2, 1 + below(3), i % 2 ? 40 : 0);
        check_tree(tree, 1, (const int64_t[]){1 + below(3)});
    }
    check_tree("64x64", 1, (const int64_t[]){2});
    check_tree("1024-2048-1023-1", 1, (const int64_t[]){3});
    ck_assert_int_gt(checked, 1000);
}

START_TEST(wrong_promises_are_found)
{
    static const struct {
        const char *tree;
        struct promise promise;
    } table[] = {{"4,4,4,4", {"places-tree", 5, 6}},
                 {"4-4-4", {"places", 4, 2}},
                 {"16x4", {"places", 3, 4}},
                 {"4-(2,2)-4", {"places-line", 4, 2}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        const struct shape s = shape_of(t, COLL_SCAN, 4);
        const struct verdict v = simulated(engine_find(table[i].promise.engine), &s);
        ck_assert_msg(!keeps(&table[i].promise, &s, &v), "wrong promise %d was not found", (int)i);
        places_free(t);
    }
}

/* The bounds exceed the rounds by as much as the table says. */
START_TEST(bounds_are_close)
{
    static const struct {
        const char *tree, *engine;
        int s, seen; /* how much the bound, and the rounds, exceed slope * n for n = 40 */
    } table[] = {{"16x16", "places-tree", 31, 31},  {"16x16", "places", 37, 27},
                 {"20x13", "places", 36, 32},       {"50-40-30-17", "places-tree", 20, 20},
                 {"50-40-30-17", "places", 30, 23}, {"50-40-30-17", "places-line", 25, 22}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        const struct engine *e = engine_find(table[i].engine);
        const struct shape s = shape_of(t, COLL_SCAN, 40);
        int all = (e->halves ? 2 : 3) * (int)s.blocks;
        int bound = (int)simulate_bound(e, &s), rounds = (int)simulated(e, &s).rounds;
        REQUIRE(bound == all + table[i].s && rounds == all + table[i].seen, "%s %s: %d, %d more", table[i].tree, e->name,
                bound - all, rounds - all);
        places_free(t);
    }
}

/* A scan cannot use places whose ranks do not follow one another. */
START_TEST(what_fits)
{
    static const struct {
        int path[6];
        bool sites, fits, line;
    } table[] = {{{0, 0, 1, 1, 2, 2}, false, true, false},
                 {{0, 0, 1, 1, 2, 2}, true, true, true},
                 {{0, 1, 0, 1, 0, 1}, true, false, false},
                 {{0, 0, 0, 0, 0, 0}, true, false, false}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = places_of(table[i].path, 6, 1, table[i].sites);
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            struct shape s = shape_of(t, c, 1);
            ck_assert_int_eq(engine_fits(engine_find("places-tree"), &s), table[i].fits);
            ck_assert_int_eq(engine_fits(engine_find("places"), &s), table[i].fits);
            ck_assert_int_eq(engine_fits(engine_find("places-line"), &s), table[i].line);
            s.places = NULL;
            for (size_t j = 0; j < COUNT(promises); j++)
                ck_assert(!engine_fits(engine_find(promises[j].engine), &s));
        }
        places_free(t);
    }
}

SUITE("places-scans", 60)
