/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcast and reduction over places of all kinds: results under strict rendezvous, and the blocks across boundaries. */
#include "placed.h"

/*
 * Every block enters a place once and leaves it at most once. Half of the message may come back to the root's place, but not
 * through a line. With an odd number of blocks, the larger half may leave twice. In an ordered reduction through a line, a
 * gate stands between two sites and feeds its own site. So the places around the gate within its site let half of the
 * message in once more, and all of it out once more.
 */
static void check_boundaries(const char *tree, const struct engine *e, const struct shape *s, const struct verdict *v)
{
    int64_t n = s->blocks, half = (n + 1) / 2;
    bool line = e == engine_find("places-line");
    for (int level = 0; level < s->places->depth; level++) {
        bool gates = line && s->collective == COLL_REDUCE && s->ordered && level > 0;
        struct boundary others = v->without_root[level], own = v->with_root[level];
        if (s->collective == COLL_REDUCE) { /* a reduction runs backwards */
            others = (struct boundary){others.out, others.in};
            own = (struct boundary){own.out, own.in};
        }
        REQUIRE((others.in >= n || (others.in == 0 && level > 0)) && others.in <= n + gates * half &&
                    others.out <= 2 * half + gates * n,
                "%s: " SHAPE "level %d: in %d, out %d", tree, SHAPE_OF(e, s), level, (int)others.in, (int)others.out);
        REQUIRE(own.in <= (line && !gates ? 0 : half) && own.out <= 2 * half + gates * n,
                "%s: " SHAPE "level %d, the root's place: in %d, out %d", tree, SHAPE_OF(e, s), level, (int)own.in,
                (int)own.out);
    }
}

static int checked; /* schedules */

static void check(const char *tree, const char *engine, const struct shape *s)
{
    const struct engine *e = engine_find(engine);
    struct verdict v;
    if (!engine_fits(e, s))
        return;
    REQUIRE(simulate_engine(e, s, &v), "%s: " SHAPE "%s", tree, SHAPE_OF(e, s), v.why);
    if (!shape_interior(s))
        check_boundaries(tree, e, s, &v);
    checked++;
}

/* Checks the broadcast, the reduction in any order and the one in the order of the ranks. */
static void check_root(const char *tree, const struct places *t, int root, int64_t blocks)
{
    struct shape s = {.ranks = places_ranks(t), .places = t, .root = root, .blocks = blocks};
    for (int i = 0; i < 3; i++) {
        s.collective = i > 0 ? COLL_REDUCE : COLL_BCAST;
        s.ordered = i > 1;
        check(tree, "places", &s);
        check(tree, "places-line", &s);
    }
}

static void check_every_root(const char *tree)
{
    static const int blocks[] = {1, 2, 3, 4, 5, 8};
    struct places *t = read_places(tree);
    for (int root = 0; root < places_ranks(t); root++)
        for (size_t i = 0; i < COUNT(blocks); i++)
            check_root(tree, t, root, blocks[i]);
    places_free(t);
}

/* Checks the first rank, the last and two random ones as roots. */
static void check_some_roots(const char *tree, int most_blocks)
{
    struct places *t = read_places(tree);
    int p = places_ranks(t);
    const int roots[] = {0, below(p), below(p), p - 1};
    for (size_t i = 0; i < COUNT(roots); i++)
        check_root(tree, t, roots[i], 1 + below(most_blocks));
    places_free(t);
}

/* ---- Tests ----------------------------------------------------------------------------------------------------------- */

START_TEST(every_small_tree)
{
    const int most[] = {0, whole_or(8, 7), whole_or(7, 6), 6}; /* ranks, by levels */
    for (int levels = 1; levels <= 3; levels++)
        for (int p = 2; p <= most[levels]; p++) {
            every_tree(p, levels, ',', check_every_root);
            every_tree(p, levels, '-', check_every_root);
        }
    ck_assert_int_gt(checked, 60000);
}

START_TEST(trees_at_random)
{
    static char tree[TREE_TEXT];
    for (int i = 0; i < whole_or(1500, 600); i++) {
        some_tree(tree, 2 + below(59), 1 + below(3), i % 2 ? 30 : 0);
        check_some_roots(tree, 17);
    }
    ck_assert_int_gt(checked, 6000);
}

START_TEST(large_trees)
{
    static char tree[TREE_TEXT];
    for (int i = 0; i < 12; i++) {
        some_tree(tree, 128 << i / 2, 1 + below(3), i % 2 ? 30 : 0);
        check_some_roots(tree, 3);
    }
    check_some_roots("64x64", 2);
    check_some_roots("1024-2048-1023-1", 2);
}

/*
 * Engine `places` needs ranks in several places. Engine `places-line` needs sites in a line; for an ordered reduction, all
 * sites in one line, and a root that the line allows (needs.c).
 */
START_TEST(what_fits)
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

SUITE("placed", 60)
