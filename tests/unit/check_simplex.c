/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simplex variants keep the one-direction rule: in no step does a rank both send and receive. They give right results,
 * and keep their bounds. Mutants show that the simulator enforces the rule.
 */
#include "fractional.h"
#include "schedules.h"
#include "simplex.h"

static const char *const names[] = {"two-tree", "fractional"};

/* The bound on the rounds, by the formulas in the headers of simplex.c and fractional_simplex.c. */
static int64_t formula(const char *name, const struct shape *s)
{
    int64_t n = s->blocks, q = ceil_log2(s->ranks);
    if (s->ranks <= 2)
        return n;
    if (strcmp(name, "two-tree") == 0)
        return 2 * n + 4 * q - 6;
    int64_t r = fractional_group(s, 2), h = r == 1 || r >= s->ranks - 1 ? 1 : 2;
    return h * fractional_depth(s->ranks, r) - 2 + 2 * n + (n + r - 1) / r;
}

static void check_shape(const char *name, struct shape s)
{
    const struct engine *e = simplex_engine(engine_find(name));
    const enum collective rooted[] = {COLL_BCAST, COLL_REDUCE};
    for (int i = 0; i < 2; i++) {
        int64_t n = s.blocks, p = s.ranks;
        s.collective = rooted[i];
        const struct verdict v = simulated(e, &s);
        REQUIRE(simulate_bound(e, &s) == formula(name, &s), SHAPE "a bound of %d rounds, not %d", SHAPE_OF(e, &s),
                (int)simulate_bound(e, &s), (int)formula(name, &s));
        REQUIRE(v.messages == (p - 1) * n, SHAPE "%d messages", SHAPE_OF(e, &s), (int)v.messages);
        /* At most p/2 messages in a round. */
        REQUIRE(v.rounds * (p / 2) >= v.messages && v.rounds >= ceil_log2(p), SHAPE "only %d rounds", SHAPE_OF(e, &s),
                (int)v.rounds);
    }
}

static void small(const char *name)
{
    for (int p = 1; p <= 40; p++)
        for (int root = 0; root < p; root++)
            for (int n = 1; n <= 9; n++)
                check_shape(name, (struct shape){.ranks = p, .root = root, .blocks = n});
}

START_TEST(groups)
{
    for (int p = 2; p <= 64; p += 1 + p / 24)
        for (int group = 1; group <= 12; group++)
            for (int n = 1; n <= 20; n += 1 + n / 3)
                check_shape("fractional", (struct shape){.ranks = p, .root = p / 3, .blocks = n, .group = group});
    for (int p = 100; p <= 1000; p += 225)
        for (int group = 1; group <= 12; group++)
            check_shape("fractional", (struct shape){.ranks = p, .root = p - 1, .blocks = 2 * group + 1, .group = group});
}

/* The simplex variant takes twice the rounds of the engine, less one for each run of `group` blocks. */
START_TEST(twice)
{
    for (int p = 5; p <= 3000; p += 1 + p / 4)
        for (int group = 2; group <= p - 2 && group <= 50; group++)
            for (int n = 1; n <= 200; n += 1 + n / 3) {
                struct shape s = {.collective = COLL_BCAST, .ranks = p, .blocks = n, .group = group};
                int64_t direct = simulate_bound(simplex_engine(engine_find("fractional")), &s);
                int64_t duplex = simulate_bound(engine_find("fractional"), &s);
                ck_assert_int_eq(direct, 2 * duplex - (n + group - 1) / group);
            }
}

/*
 * A rank with a child on the right is busy in every step, from the first block that it sends there until it has received all
 * blocks.
 */
START_TEST(busy)
{
    const struct engine *e = simplex_engine(engine_find("fractional"));
    int full = 0;
    for (int p = 4; p <= 200; p += 1 + p / 5)
        for (int group = 1; group <= 12; group++)
            for (int rank = 1; rank < p; rank++) {
                struct shape s = {.collective = COLL_BCAST, .ranks = p, .blocks = 5 * group, .group = group};
                struct fractional_node node = fractional_find(p, fractional_group(&s, 2), rank);
                struct walk schedule;
                struct step x;
                int64_t before = -1; /* the last step; -1 until a block goes to the right */
                int received = 0;
                if (node.right == NOBODY)
                    continue;
                full++;
                for (engine_walk(e, &schedule, &s, rank); walk_next(&schedule, &x);) {
                    if (before >= 0 && received < s.blocks)
                        REQUIRE(x.when == before + 1, SHAPE "rank %d: step %d follows step %d", SHAPE_OF(e, &s), rank,
                                (int)x.when, (int)before);
                    received += x.from != NOBODY;
                    if (before >= 0 || x.to == node.right)
                        before = x.when;
                }
            }
    ck_assert_int_gt(full, 1000);
}

/* If there are two ranks, each has a message in every step. */
static void two(const char *name)
{
    const struct engine *e = simplex_engine(engine_find(name));
    for (int rank = 0; rank < 2; rank++) {
        struct shape s = {.collective = COLL_BCAST, .ranks = 2, .root = 1, .blocks = 9};
        struct walk schedule;
        struct step x;
        int64_t steps = 0;
        for (engine_walk(e, &schedule, &s, rank); walk_next(&schedule, &x); steps++)
            ck_assert_int_eq(x.when, steps);
        ck_assert_int_eq(steps, s.blocks);
    }
}

/*
 * The size of groups that the engine selects costs at most 6 % more rounds than the best size. Couples of ranks could
 * also run the duplex engine, with each couple as one rank. That takes twice the rounds of the duplex engine on half of the
 * ranks. This number is lower than the bound of the simplex variant by two rounds at most.
 */
START_TEST(choice)
{
    const struct engine *duplex = engine_find("fractional"), *e = simplex_engine(duplex);
    for (int p = 3; p < 1500; p += 1 + p / 8)
        for (int n = 1; n < 50000; n += 1 + n / 8) {
            struct shape s = {.collective = COLL_BCAST, .ranks = p, .blocks = n}, half = s;
            int64_t found = simulate_bound(e, &s), least = INT64_MAX;
            for (s.group = 1; s.group <= p; s.group++) {
                int64_t rounds = simulate_bound(e, &s);
                least = rounds < least ? rounds : least;
            }
            half.ranks = (p + 1) / 2;
            int64_t couples = 2 * simulate_bound(duplex, &half);
            REQUIRE((double)found <= 1.06 * (double)least, "p=%d n=%d: %d rounds, not %d", p, n, (int)found, (int)least);
            REQUIRE(found <= couples + 2, "p=%d n=%d: %d rounds, by couples %d", p, n, (int)found, (int)couples);
        }
}

static void large(const char *name)
{
    const int ranks[] = {100, 127, 128, 129, 1000, 1023, 1024, 1025, 4096};
    for (size_t i = 0; i < COUNT(ranks); i++)
        for (int n = 1; n <= 8; n += 7)
            check_shape(name, (struct shape){.ranks = ranks[i], .root = ranks[i] / 2, .blocks = n});
    for (int p = 2; p <= 9; p++)
        check_shape(name, (struct shape){.ranks = p, .root = 1, .blocks = 101});
}

/* Two engines have simplex variants, which do not serve all calls. */
static void fits(const char *name)
{
    for (int i = 0; engines[i]; i++) {
        bool has = strcmp(engines[i]->name, "two-tree") == 0 || strcmp(engines[i]->name, "fractional") == 0;
        ck_assert_int_eq(simplex_engine(engines[i]) != NULL, has);
        ck_assert(!engine_is_simplex(engines[i]));
    }
    const struct engine *e = simplex_engine(engine_find(name));
    ck_assert(engine_is_simplex(e));
    ck_assert_ptr_null(engine_find(e->name));
    for (int root = 0; root < 3; root++)
        ck_assert(!engine_fits(
            e, &(struct shape){.collective = COLL_REDUCE, .ordered = true, .ranks = 3, .root = root, .blocks = 1}));
    ck_assert(!engine_fits(e, &(struct shape){.collective = COLL_SCAN, .ranks = 3, .blocks = 1}));
}

/* ---- A schedule that breaks the rule -------------------------------------------------------------------------------- */

enum { RANKS = 40 };

/* Checks that the schedule gives right results and breaks the one-direction rule. */
static void breaks_the_rule(struct generator *g, const struct shape *s)
{
    struct verdict v;
    g->simplex = false;
    REQUIRE(simulate(g, s, false, &v), "%s p=%d n=%d: %s", collective_name(s->collective), s->ranks, (int)s->blocks, v.why);
    g->simplex = true;
    REQUIRE(!simulate(g, s, false, &v) && strstr(v.why, "sends and receives at once"), "%s p=%d n=%d: survives: %s",
            collective_name(s->collective), s->ranks, (int)s->blocks, v.why);
}

static void duplex(const char *name)
{
    const struct engine *e = engine_find(name);
    struct generator g = generator_of(e);
    for (int p = 3; p <= RANKS; p++)
        for (int n = 4; n <= 9; n++) {
            struct shape s = {.collective = COLL_BCAST, .ranks = p, .root = p / 2, .blocks = n};
            breaks_the_rule(&g, &s);
            s.collective = COLL_REDUCE;
            breaks_the_rule(&g, &s);
        }
}

LOOPED_TEST(both, COUNT(names))
{
    small(names[_i]);
    large(names[_i]);
    two(names[_i]);
    fits(names[_i]);
    duplex(names[_i]);
}

SUITE("simplex", 120)
