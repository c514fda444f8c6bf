/* SPDX-License-Identifier: BSD-2-Clause */
/* Fractional trees: the depth follows the paper's recurrence, groups have a good size, and groups of any size are right. */
#include "choose.h"
#include "fractional.h"
#include "schedules.h"

enum { STEPS = 4000, MOST_RANKS = 2000000000 };

/* Writes all P_i below MOST_RANKS for groups of r: a packet can reach P_i ranks in i steps. Returns their number. */
static int reached(int64_t *reach, int r)
{
    int i = 0;
    for (; i < STEPS && (i == 0 || reach[i - 1] < MOST_RANKS); i++)
        reach[i] = i <= r ? i + 1 : r + reach[i - r] + reach[i - r - 1];
    return i - 1;
}

/* The depth is larger by 1 for P_i + 1 ranks than for P_i. */
START_TEST(depth)
{
    static int64_t reach[STEPS];
    const int groups[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 47, 48, 49, 64, 100};
    for (size_t k = 0; k < COUNT(groups); k++) {
        int r = groups[k], count = reached(reach, r);
        ck_assert_int_gt(count, 40);
        for (int i = 1; i < count; i++) {
            ck_assert_msg(fractional_depth((int)reach[i], r) == i - 1, "p=%d r=%d", (int)reach[i], r);
            ck_assert_msg(fractional_depth((int)reach[i] + 1, r) == i, "p=%d r=%d", (int)reach[i] + 1, r);
        }
    }
    reached(reach, 1);
    ck_assert_int_eq(reach[5], 20); /* The paper's text says 18 */
}

static int64_t rounds(struct shape s, int group)
{
    s.group = group;
    return simulate_bound(engine_find("fractional"), &s);
}

/* The engine tries only some sizes of groups. The size that it takes needs at most 6 % more rounds than the best size. */
START_TEST(group)
{
    for (int p = 2; p < 1500; p += 1 + p / 8)
        for (int n = 1; n < 50000; n += 1 + n / 8) {
            struct shape s = {.collective = COLL_BCAST, .ranks = p, .blocks = n, .node_ranks = 1};
            int64_t least = INT64_MAX, found = rounds(s, 0);
            for (int g = 1; g <= p; g++)
                if (rounds(s, g) < least)
                    least = rounds(s, g);
            ck_assert_int_ge(fractional_group(&s, 1), 1);
            ck_assert_msg((double)found <= 1.06 * (double)least, "p=%d n=%d: %d rounds, not %d", p, n, (int)found,
                          (int)least);
            for (s.group = 1; s.group <= p; s.group += 1 + s.group / 2)
                ck_assert_int_eq(fractional_group(&s, 1), s.group < p - 1 ? s.group : n > p ? n : p);
        }
}

static void simulate_both(struct shape s)
{
    const struct engine *e = engine_find("fractional");
    for (enum collective c = COLL_BCAST; c <= COLL_REDUCE; c++) {
        s.collective = (enum collective)c;
        const struct verdict v = simulated(e, &s);
        REQUIRE(s.ranks == 1 || v.rounds == simulate_bound(e, &s), SHAPE "%d rounds", SHAPE_OF(e, &s), (int)v.rounds);
    }
}

/* Groups of 1 to 8, p-1, p and more than p ranks; all roots if ranks are few, else one root. */
START_TEST(small)
{
    for (int p = 2; p <= 64; p++)
        for (int n = 1; n <= 9; n++)
            for (int g = 1; g <= 11; g++)
                for (int root = p <= 16 ? 0 : (7 * n + g) % p; root < p; root += p <= 16 ? 1 : p) {
                    int size = g <= 8 ? g : p + g - 10;
                    simulate_both((struct shape){.ranks = p, .root = root, .blocks = n, .group = size});
                }
    simulate_both((struct shape){.ranks = 1, .blocks = 3, .group = 2});
}

START_TEST(large)
{
    const int ranks[] = {100, 257, 1000, 4096};
    for (size_t i = 0; i < COUNT(ranks); i++)
        for (int g = 1; g <= 5000; g += 1 + 2 * g)
            for (int n = 1; n <= (ranks[i] > 1000 ? 5 : 9); n += 4)
                simulate_both((struct shape){.ranks = ranks[i], .root = g % ranks[i], .blocks = n, .group = g});
}

/* Long pipelines have many runs, of which the last may have any length. */
START_TEST(many_blocks)
{
    for (int p = 2; p <= 14; p++)
        for (int g = 1; g <= 8; g++)
            for (int n = 100; n <= 107; n++)
                simulate_both((struct shape){.ranks = p, .root = p / 2, .blocks = n, .group = g});
}

/* ---- Over places; check_over_places simulates these ------------------------------------------------------------------ */

static int64_t rounds_over(const struct places *t, int64_t blocks, int64_t group)
{
    const struct shape s = {.ranks = places_ranks(t), .blocks = blocks, .group = (int)group, .places = t};
    return simulate_bound(engine_find("fractional-places"), &s);
}

/* The engine takes the best of the group sizes that it tries. With groups of p ranks, all ranks make a chain. */
START_TEST(best_group)
{
    static const char *const texts[] = {"4,4", "5,7,3", "1,9", "6x6", "3x4x2", "16x16", "10,20,1,1,30", "8-8-9", "31,33"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_places(texts[i]);
        int p = places_ranks(t);
        for (int64_t n = 1; n < 10000; n = 3 * n + 1) {
            int64_t least = p - 2 + n;
            ck_assert_int_eq(rounds_over(t, n, p), p - 2 + n);
            for (int k = 1; fractional_candidate(k) < t->level[0].largest; k++) {
                int64_t one = rounds_over(t, n, fractional_candidate(k));
                least = one < least ? one : least;
            }
            ck_assert_int_eq(rounds_over(t, n, 0), least);
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
        ck_assert_msg(rounds_over(t, 1, table[i].group) == table[i].rounds, "%s: %d rounds", table[i].text,
                      (int)rounds_over(t, 1, table[i].group));
        places_free(t);
    }
}

SUITE("fractional", 60)
