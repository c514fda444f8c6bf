/* SPDX-License-Identifier: BSD-2-Clause */
/* Fractional trees over places: the schedules are right, little crosses each boundary, and the groups have a good size. */
#include "fractional.h"
#include "placed.h"

static const struct engine *engine(void)
{
    return engine_find("fractional-places");
}

/* The message enters each place once, except the root's, which it never enters. It leaves a place at most twice. */
static void check_shape(const struct shape *s)
{
    const struct verdict v = simulated(engine(), s);
    struct boundary others = v.without_root[0], own = v.with_root[0];
    if (s->collective == COLL_REDUCE) { /* a reduction runs backwards */
        others = (struct boundary){others.out, others.in};
        own = (struct boundary){own.out, own.in};
    }
    REQUIRE(others.in == s->blocks && others.out <= 2 * s->blocks, SHAPE "in %d, out %d", SHAPE_OF(engine(), s),
            (int)others.in, (int)others.out);
    REQUIRE(own.in == 0 && own.out <= 2 * s->blocks, SHAPE "the root's place: in %d, out %d", SHAPE_OF(engine(), s),
            (int)own.in, (int)own.out);
}

static void check_both(const struct places *t, int root, int blocks, int group)
{
    struct shape s = {.ranks = places_ranks(t), .root = root, .blocks = blocks, .group = group, .places = t};
    for (int c = COLL_BCAST; c <= COLL_REDUCE; c++) {
        s.collective = (enum collective)c;
        check_shape(&s);
    }
}

static void check_all(const char *text)
{
    struct places *t = read_places(text);
    for (int root = 0; root < places_ranks(t) && places_differ(t); root++)
        for (int group = 0; group <= 4; group++)
            for (int n = 1; n <= 7; n += 1 + (n > 3))
                check_both(t, root, n, group);
    places_free(t);
}

START_TEST(small)
{
    for (int p = 3; p <= 7; p++)
        every_tree(p, 2, ',', check_all);
}

static const char *const texts[] = {"4,4", "5,7,3", "1,9", "6x6", "3x4x2", "16x16", "10,20,1,1,30", "8-8-9", "31,33"};

LOOPED_TEST(groups, COUNT(texts))
{
    struct places *t = read_places(texts[_i]);
    int p = places_ranks(t);
    for (int root = 0; root < p; root += 1 + p / 3)
        for (int group = 0; group <= 20; group += 1 + (group > 9))
            for (int n = 1; n <= 12; n += 1 + n / 2)
                check_both(t, root, n, group);
    places_free(t);
}

START_TEST(random_shapes)
{
    static char text[TREE_TEXT];
    for (int i = 0; i < 400; i++) {
        some_tree(text, 4 + below(80), 2 + below(2), 0);
        struct places *t = read_places(text);
        if (places_differ(t))
            check_both(t, below(places_ranks(t)), 1 + below(12), below(2) ? 0 : below(places_ranks(t) + 3));
        places_free(t);
    }
}

START_TEST(large)
{
    static const char *const large[] = {"50,40,30,17", "64x16", "4x256", "1000,3,500"};
    for (size_t i = 0; i < COUNT(large); i++) {
        struct places *t = read_places(large[i]);
        check_both(t, places_ranks(t) / 2, 2, 0);
        places_free(t);
    }
}

static int64_t rounds(const struct places *t, int64_t blocks, int64_t group)
{
    const struct shape s = {.ranks = places_ranks(t), .blocks = blocks, .group = (int)group, .places = t};
    return simulate_bound(engine(), &s);
}

/* The engine takes the best of the group sizes that it tries. With groups of p ranks, all ranks make a chain. */
START_TEST(best_group)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_places(texts[i]);
        int p = places_ranks(t);
        for (int64_t n = 1; n < 10000; n = 3 * n + 1) {
            int64_t least = p - 2 + n;
            ck_assert_int_eq(rounds(t, n, p), p - 2 + n);
            for (int k = 1; fractional_candidate(k) < t->level[0].largest; k++) {
                int64_t one = rounds(t, n, fractional_candidate(k));
                least = one < least ? one : least;
            }
            ck_assert_int_eq(rounds(t, n, 0), least);
        }
        places_free(t);
    }
}

/*
 * The rounds of one block, counted by hand. The comments have the steps in which the block enters the other places. The root
 * has it in step -1.
 */
START_TEST(depths)
{
    static const struct {
        const char *text;
        int group, rounds;
    } table[] = {
        {"2,2,2", 1, 3},      /* both links are ready in step 1 */
        {"5,2,2", 2, 6},      /* 2, 4 */
        {"3,3,3,3", 2, 11},   /* one link each: 2, 5, 8 */
        {"4,4,4,4,4", 2, 10}, /* 2, 3, then 5, 6 */
        {"4,4,4,4", 4, 15},   /* one chain of all ranks */
        {"1,1,1,3,3", 2, 8},  /* large places come first: 0, 3, then 6, 7 */
        {"4,1,1,4,4", 2, 7},  /* 2, 3, then 5, 6 */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct places *t = read_places(table[i].text);
        ck_assert_msg(rounds(t, 1, table[i].group) == table[i].rounds, "%s: %d rounds", table[i].text,
                      (int)rounds(t, 1, table[i].group));
        places_free(t);
    }
}

static uint64_t steps(const struct engine *e, const struct places *t, int rank, int root, int blocks, int group)
{
    const struct shape shape = {.ranks = places_ranks(t), .root = root, .blocks = blocks, .group = group, .places = t};
    return hash_of_steps(e, &shape, rank);
}

/* When the engine asks for a tree, it does not get one of another shape or of another engine. */
START_TEST(remembered)
{
    const struct engine *tree = engine_find("latency-tree");
    struct places *t = read_places("9,(2,5),4,1");
    int root = 0, blocks = 1, group = 0;
    for (int i = 0; i < 3000; i++) {
        int rank = below(21), change = below(4);
        root = change == 0 ? below(21) : root;
        blocks = change == 1 ? 1 + below(5) : blocks;
        group = change == 2 ? below(5) : group;
        const struct engine *e = below(3) > 0 ? engine() : tree;
        struct places *fresh = read_places("9,(2,5),4,1");
        REQUIRE(steps(e, t, rank, root, blocks, group) == steps(e, fresh, rank, root, blocks, group),
                "%s, rank %d, root %d, n=%d, r=%d: other steps", e->name, rank, root, blocks, group);
        places_free(fresh);
    }
    places_free(t);
}

SUITE("fractional places", 60)
