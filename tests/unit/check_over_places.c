/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines over places: all schedules are right under strict rendezvous, and within their bounds on the rounds; little
 * crosses the boundary of a place. The tree of engine places-tree. What is kept of trees. Wrong trees, and promises that no
 * engine keeps, show that the checks can fail.
 */
#include "in_order.h"
#include "pair.h"
#include "placed.h"

#include <limits.h>

enum { MOST = 1 << 14, DEAR = 200, CHEAP = 6 };

static struct shape shape_of(const struct places *places, int c, int64_t n)
{
    return (struct shape){.collective = c, .ordered = true, .ranks = places_ranks(places), .blocks = n, .places = places};
}

/* ---- The single tree ------------------------------------------------------------------------------------------------- */

static const struct tree_node *node; /* the tree that is looked at */

static int root_of(int p, int t)
{
    int root = 0;
    for (int hops = 0; node[root].parent[t] >= 0 && hops < p; hops++)
        root = node[root].parent[t];
    return root;
}

static void children_of(int p, int t, int x, int child[2])
{
    (void)p;
    memcpy(child, node[x].child[t], sizeof node[x].child[t]);
}

static const struct family looked_at = {.root = root_of, .children = children_of};

/* The height of a tree; -1 if it has not all p ranks, in order, or if parents and children disagree. */
static int height_of(const struct tree_node *tree, int p)
{
    node = tree;
    for (int x = 0; x < p; x++)
        for (int side = 0; side < 2; side++)
            if (tree[x].child[TREE_U][side] >= 0 && tree[tree[x].child[TREE_U][side]].parent[TREE_U] != x)
                return -1;
    return height_in_order(&looked_at, p, TREE_U, root_of(p, TREE_U), 0, p - 1);
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
static const char *tree_wrong(const struct places *t, const struct tree_node *tree)
{
    static int edges[2 * MOST]; /* of each place: edges between its parts */
    int p = places_ranks(t);
    if (height_of(tree, p) < 0)
        return "is not in-order, or parents and children disagree";
    memset(edges, 0, sizeof edges);
    for (int x = 0; x < p; x++) {
        int up = tree[x].parent[TREE_U], row = up < 0 ? 0 : place_of_both(t, x, up);
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
    struct tree_node wrong[9];
    ck_assert_ptr_null(tree_wrong(t, single(t)));
    ck_assert_str_eq(tree_wrong(t, single(other)), "has too many edges between the parts of a place");
    ck_assert_str_eq(tree_wrong(sites, single(no_sites)), "has an edge from a site up to a later one");
    memcpy(wrong, single(t), sizeof wrong);
    wrong[0].parent[TREE_U] = 2;
    ck_assert_str_eq(tree_wrong(t, wrong), "is not in-order, or parents and children disagree");
    places_free(t);
    places_free(other);
    places_free(sites);
    places_free(no_sites);
}

/* ---- Schedules ------------------------------------------------------------------------------------------------------- */

/*
 * The promise of an engine: the most that crosses a boundary, in halves of the message; NONE: no promise. In a broadcast, or
 * backwards in a reduction: into places with the root, into others, and out of any place.
 */
enum { NONE = -1, PLACED = -1 };
static const struct promise {
    const char *engine;
    int places;       /* scans: in either direction, over boundaries of places */
    int sites;        /* scans: over those of sites in a line; 2: a message never goes back to an earlier site */
    int own, in, out; /* broadcasts and reductions */
    int levels;       /* levels of places, the outermost first, to which these apply; PLACED: as keeps_placed() says */
} promises[] = {{"places-tree", 6, 2, NONE, NONE, NONE, 0},
                {"places", 4, 4, NONE, NONE, NONE, PLACED},
                {"places-line", 5, 2, NONE, NONE, NONE, PLACED},
                {"fractional-places", NONE, NONE, 0, 2, 4, 1},
                {"latency-tree", NONE, NONE, 0, 2, NONE, PLACES_DEPTH},
                {"chain", NONE, NONE, 2, 2, 2, PLACES_DEPTH},
                {"adaptive-latency", NONE, NONE, NONE, NONE, NONE, 0}, /* from here on, trees of up to DEAR ranks */
                {"adaptive-bandwidth", NONE, NONE, NONE, NONE, NONE, 0},
                {"butterfly", NONE, NONE, NONE, NONE, NONE, 0}};

static bool within(int64_t crosses, int halves, const struct shape *s, bool two)
{
    return halves == NONE || crosses <= halves * s->blocks / 2 + two * (s->blocks % 2);
}

/*
 * Every block enters a place once and leaves it at most once. Half of the message may come back to the root's place, but not
 * through a line. With an odd number of blocks, the larger half may leave twice. In an ordered reduction through a line, a
 * gate stands between two sites and feeds its own site. So the places around the gate within its site let half of the
 * message in once more, and all of it out once more. `own' and `others' are boundaries of a broadcast.
 */
static bool keeps_placed(bool line, const struct shape *s, int level, struct boundary own, struct boundary others)
{
    const int64_t n = s->blocks, half = (n + 1) / 2;
    const bool gates = line && s->collective == COLL_REDUCE && s->ordered && level > 0;
    return shape_interior(s) ||
           ((others.in >= n || (others.in == 0 && level > 0)) && others.in <= n + gates * half &&
            others.out <= 2 * half + gates * n && own.in <= (line && !gates ? 0 : half) && own.out <= 2 * half + gates * n);
}

/* Does the schedule keep the promise? If the number of blocks is odd, one of two trees carries half a block more. */
static bool keeps(const struct promise *promise, const struct shape *s, const struct verdict *v)
{
    const bool two = engine_find(promise->engine)->halves;
    bool kept = true;
    for (int level = 0; level < s->places->depth; level++) {
        struct boundary own = v->with_root[level], other = v->without_root[level];
        if (collective_prefix(s->collective)) {
            const bool site = level == 0 && s->places->place[0].line && promise->sites == 2, more = two && !site;
            const int most = site ? promise->sites : promise->places;
            kept = kept && within(own.in, most, s, more) && within(own.out, most, s, more) &&
                   within(other.in, most, s, more) && within(other.out, most, s, more);
            continue;
        }
        if (s->collective == COLL_REDUCE) { /* a reduction runs backwards */
            own = (struct boundary){own.out, own.in};
            other = (struct boundary){other.out, other.in};
        }
        if (promise->levels == PLACED)
            kept = kept && keeps_placed(promise->sites == 2, s, level, own, other);
        else if (level < promise->levels)
            kept = kept && within(own.in, promise->own, s, false) && within(other.in, promise->in, s, false) &&
                   within(own.out, promise->out, s, false) && within(other.out, promise->out, s, false);
    }
    return kept;
}

static int checked; /* schedules */

/* Checks all engines and collectives. Draws groups of ranks, for engines that have them, and whether the order counts. */
static void check(const char *tree, const struct places *t, int root, int64_t n)
{
    for (size_t i = 0; i < (places_ranks(t) > DEAR ? CHEAP : COUNT(promises)); i++)
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            const struct engine *e = engine_find(promises[i].engine);
            struct shape s = shape_of(t, c, n);
            struct verdict v;
            s.ordered = collective_prefix(c) || below(2);
            s.root = collective_rooted(c) ? root : 0;
            s.group = below(2) ? 0 : 1 + below(s.ranks + 2);
            s.wide = c == COLL_ALLREDUCE ? 2 : 0;
            if (!engine_fits(e, &s))
                continue;
            REQUIRE(simulate_engine(e, &s, &v), "%s: " SHAPE "%s", tree, SHAPE_OF(e, &s), v.why);
            REQUIRE(keeps(&promises[i], &s, &v), "%s: " SHAPE "too much crosses a boundary", tree, SHAPE_OF(e, &s));
            checked++;
        }
}

/* Checks all ranks of a tree as roots; if `roots' is 1 or 2, a random one, and the last one. */
static void check_tree(const char *tree, int roots, int most_blocks)
{
    struct places *t = read_places(tree);
    const int p = places_ranks(t);
    const char *wrong = places_differ(t) ? tree_wrong(t, single(t)) : NULL;
    REQUIRE(!wrong, "%s: the tree %s", tree, wrong);
    for (int i = 0; i < roots && i < p; i++)
        check(tree, t, roots > 2 ? i : i ? p - 1 : below(p), 1 + below(most_blocks));
    places_free(t);
}

static void check_small(const char *tree)
{
    check_tree(tree, INT_MAX, 8);
}

START_TEST(every_small_tree)
{
    const int most[] = {0, whole_or(9, 8), whole_or(8, 6), whole_or(6, 5)}; /* ranks, by levels */
    for (int levels = 1; levels <= 3; levels++)
        for (int p = 1; p <= most[levels]; p++) {
            every_tree(p, levels, ',', check_small);
            every_tree(p, levels, '-', check_small);
        }
    ck_assert_int_gt(checked, 10000);
}

/* All trees of at most 60 ranks, or 36, in which the places of a level have the same number of parts. */
START_TEST(every_even_tree)
{
    const int most = whole_or(60, 36);
    for (int sites = 1; sites <= most; sites++)
        for (int nodes = 1; sites * nodes <= most; nodes++)
            for (int k = 1; sites * nodes * k <= most; k++) {
                char tree[1024], *end = tree;
                end += sprintf(end, "%dx%dx%d", sites, nodes, k);
                check_tree(tree, 2, 6);
                end = tree;
                for (int i = 0; i < sites; i++)
                    end += sprintf(end, "%s(%dx%d)", i ? "-" : "", nodes, k);
                check_tree(tree, 2, 6);
            }
    ck_assert_int_gt(checked, 2000);
}

START_TEST(trees_at_random)
{
    static char tree[TREE_TEXT];
    for (int i = 0; i < whole_or(300, 150); i++) {
        some_tree(tree, 2 + below(200), 1 + below(3), i % 2 ? 40 : 0);
        check_tree(tree, 2, 17);
    }
    for (int i = 0; i < whole_or(12, 8); i++) {
        some_tree(tree, 128 << i / 2, 1 + below(3), i % 2 ? 40 : 0);
        check_tree(tree, 1, 3);
    }
    check_tree("64x64", 1, 2);
    check_tree("1000,3,500", 1, 2);
    check_tree("1024-2048-1023-1", 1, 3);
    ck_assert_int_gt(checked, 1000);
}

/* Ranks of a place need not follow one another, and an outer level may be faster than an inner one. */
START_TEST(places_at_random)
{
    for (int i = 0; i < 300; i++) {
        struct places *t = random_places(2 + below(60));
        if (places_differ(t)) {
            set_random_reach(t);
            check("random", t, below(places_ranks(t)), 1 + below(4));
        }
        places_free(t);
    }
    ck_assert_int_gt(checked, 1000);
}

START_TEST(wrong_promises_are_found)
{
    static const struct {
        const char *tree;
        struct promise promise;
    } table[] = {{"4,4,4,4", {"places-tree", 5, 6, 0, 0, 0, 0}},
                 {"4-4-4", {"places", 4, 2, 0, 0, 0, 0}},
                 {"16x4", {"places", 3, 4, 0, 0, 0, 0}},
                 {"4-(2,2)-4", {"places-line", 4, 2, 0, 0, 0, 0}},
                 {"4,4,4,4", {"fractional-places", 0, 0, 0, 2, 1, 1}},
                 {"4,4,4,4", {"chain", 0, 0, 2, 1, 2, 1}},
                 {"4,4,4,4", {"latency-tree", 0, 0, 0, 1, NONE, 1}},
                 {"4-4-4", {"chain", 0, 2, 0, 0, 0, PLACED}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        struct shape s = shape_of(t, table[i].promise.levels ? COLL_BCAST : COLL_SCAN, 4);
        s.ordered = !table[i].promise.levels;
        s.root = table[i].promise.levels ? 1 : 0;
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
        for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            struct shape s = shape_of(t, c, 1);
            ck_assert_int_eq(engine_fits(engine_find("places-tree"), &s), table[i].fits);
            ck_assert_int_eq(engine_fits(engine_find("places"), &s), table[i].fits);
            ck_assert_int_eq(engine_fits(engine_find("places-line"), &s), table[i].line);
            s.places = NULL;
            for (size_t j = 0; j < 3; j++)
                ck_assert(!engine_fits(engine_find(promises[j].engine), &s));
        }
        places_free(t);
    }
}

/*
 * Engine `places` needs ranks in several places. Engine `places-line` needs sites in a line; for an ordered reduction, all
 * sites in one line, and a root that the line allows (needs.c).
 */
START_TEST(what_fits_roots)
{
    static const struct {
        const char *tree;
        int root;
        bool places, line, ordered_line;
    } table[] = {
        {"7", 0, false, false, false},      {"1-1-1", 0, false, false, false},  {"2,3", 1, true, false, false},
        {"2-3", 0, true, true, true},       {"2-3", 1, true, true, true},       {"2-3", 2, true, true, false},
        {"2-3", 4, true, true, true},       {"1-1-3", 1, true, true, false},    {"(2-3),2", 0, true, true, false},
        {"2-(2,3)-2", 5, true, true, true}, {"2-(2,3)-2", 4, true, true, true}, {"2-(2,3)-2", 2, true, true, false}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].tree);
        struct shape s = {.ranks = places_ranks(t), .blocks = 1, .root = table[i].root, .places = t};
        const struct engine *places = engine_find("places"), *line = engine_find("places-line");
        ck_assert_int_eq(engine_fits(places, &s), table[i].places);
        ck_assert_int_eq(engine_fits(line, &s), table[i].line);
        s.collective = COLL_REDUCE;
        ck_assert_int_eq(engine_fits(line, &s), table[i].line);
        s.ordered = true;
        ck_assert_int_eq(engine_fits(places, &s), table[i].places);
        ck_assert_msg(engine_fits(line, &s) == table[i].ordered_line, "%s, root %d", table[i].tree, s.root);
        s.places = NULL;
        ck_assert(!engine_fits(places, &s) && !engine_fits(line, &s));
        places_free(t);
    }
}

/* ---- What is kept of trees ------------------------------------------------------------------------------------------- */

/* A hash of a rank's steps, and of the bound. */
static uint64_t steps_of(const struct engine *e, const struct shape *s, int rank)
{
    return hash_of_steps(e, s, rank) + (uint64_t)simulate_bound(e, s);
}

/* Steps and bounds are those of new places, whichever trees other engines, roots, figures and places have had before. */
START_TEST(nothing_stale_is_kept)
{
    enum { ROW = 5 }; /* shapes in a row over the same places, half of them by one engine */
    static const char tree[] = "9-(2,5)-4-1";
    struct places *kept = read_places(tree);
    for (int i = 0; i < 3000; i++) {
        const struct engine *e[ROW];
        struct shape s[ROW];
        int rank[ROW];
        uint64_t is[ROW];
        const double alpha = below(2) ? 1 : 30;
        if (below(2))
            set_alpha(kept, alpha);
        for (int k = 0; k < ROW; k++) {
            e[k] = k && below(2) ? e[k - 1] : engine_find(promises[below(COUNT(promises) - 1)].engine);
            s[k] = shape_of(kept, below(COLL_EXSCAN + 1), 1 + below(3));
            s[k].ordered = collective_prefix(s[k].collective);
            s[k].root = collective_rooted(s[k].collective) ? below(below(2) ? 3 : s[k].ranks) : 0;
            s[k].group = below(4);
            rank[k] = below(s[k].ranks);
            is[k] = engine_fits(e[k], &s[k]) ? steps_of(e[k], &s[k], rank[k]) : 0;
        }
        for (int k = 0; k < ROW; k++) {
            struct places *fresh = read_places(tree);
            if (kept->measured)
                places_set_reach(fresh, kept->reach, kept->gap);
            s[k].places = fresh;
            REQUIRE(!is[k] || is[k] == steps_of(e[k], &s[k], rank[k]), SHAPE "rank %d: other steps", SHAPE_OF(e[k], &s[k]),
                    rank[k]);
            places_free(fresh);
            checked += is[k] != 0;
        }
        if (i % 500 == 0) /* makes the workshop grow, and then forget all trees */
            places_free(read_places("100,200"));
    }
    places_free(kept);
    ck_assert_int_gt(checked, 5000);
}

SUITE("over places", 60)
