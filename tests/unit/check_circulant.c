/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All-reduces by circulant: their rounds and messages. If a piece has room for the whole message, there are at most as many
 * rounds as in the paper.
 */
#include "cut.h"
#include "schedules.h"

/*
 * The rounds: for each skip, twice the number of pieces of w blocks in the longest range of any rank. By definition, the
 * skips are s_0 = p, s_(k+1) = ceil(s_k / 2).
 */
static int64_t rounds_of(int64_t p, int64_t n, int64_t w)
{
    int64_t rounds = 0, blocks[2 * 4096];
    for (int64_t c = 0; c < 2 * p; c++)
        blocks[c] = part_offset(n, p, c % p + 1) - part_offset(n, p, c % p);
    for (int64_t skip = p; skip > 1; skip = (skip + 1) / 2) {
        int64_t longest = 0, length = 0;
        for (int64_t c = 0; c < p + skip / 2; c++) {
            length += blocks[c] - (c >= skip / 2 ? blocks[c - skip / 2] : 0);
            longest = length > longest ? length : longest;
        }
        rounds += 2 * ((longest + w - 1) / w);
    }
    return rounds;
}

static void check_shape(int p, int64_t n, int64_t w)
{
    const struct engine *e = engine_find("circulant");
    const struct shape s = {.collective = COLL_ALLREDUCE, .ranks = p, .blocks = n, .wide = w};
    const struct verdict v = simulated(e, &s);
    const int64_t most = p > 1 ? rounds_of(p, n, w) : 0;
    REQUIRE(simulate_bound(e, &s) == most, SHAPE "w=%d: the bound is %d, not %d", SHAPE_OF(e, &s), (int)w,
            (int)simulate_bound(e, &s), (int)most);
    REQUIRE(n % p || v.rounds == most, SHAPE "w=%d: %d rounds, not %d", SHAPE_OF(e, &s), (int)w, (int)v.rounds, (int)most);
    /* All ranks send equally many messages. A piece that goes around the end of the message is one message, too. */
    REQUIRE(n % p || v.messages == p * most, SHAPE "w=%d: %d messages", SHAPE_OF(e, &s), (int)w, (int)v.messages);
    REQUIRE(w < n || v.rounds <= 2 * ceil_log2(p), SHAPE "w=%d: %d rounds", SHAPE_OF(e, &s), (int)w, (int)v.rounds);
    /* For each block, p-1 messages carry partial results, and p-1 more carry the result. */
    REQUIRE(w > 1 || v.messages == 2 * (p - 1) * n, SHAPE "%d blocks sent", SHAPE_OF(e, &s), (int)v.messages);
}

static void check_ranks(int p)
{
    const int64_t blocks[] = {1, 2, p / 2 + 1, p, p + 1, 2 * p, 3 * p - 1, 5 * p}, wide[] = {1, 3, 5 * p};
    for (size_t i = 0; i < COUNT(blocks); i++)
        for (size_t j = 0; j < COUNT(wide); j++)
            if (p <= 32 || (i + j) % 3 == 0)
                check_shape(p, blocks[i], wide[j]);
}

START_TEST(all_small)
{
    for (int p = 1; p <= 64; p++)
        check_ranks(p);
}

START_TEST(some_large)
{
    const int ranks[] = {96, 97, 100, 127, 128, 129, 192, 257};
    for (size_t i = 0; i < COUNT(ranks); i++) {
        check_shape(ranks[i], 1, 1);
        check_shape(ranks[i], ranks[i], ranks[i]);
        check_shape(ranks[i], ranks[i] + 1, 1);
        check_shape(ranks[i], 2 * ranks[i], 5);
    }
    check_shape(1000, 1000, 64);
    for (int p = 1021; p <= 1027; p++)
        check_shape(p, 7, 1 + p % 7);
    check_shape(4095, 2, 2);
    check_shape(4096, 3, 1);
}

/* The work that the engine tells the model is right. */
START_TEST(work)
{
    const struct service *service = &engine_find("circulant")->serves[COLL_ALLREDUCE];
    for (int p = 2; p <= 64; p++) {
        const struct shape s = {.collective = COLL_ALLREDUCE, .ranks = p, .blocks = 3 * p, .wide = 4};
        const struct rank_work w = service->work(&s);
        ck_assert_double_eq(w.between.rounds, (double)rounds_of(p, s.blocks, s.wide));
        ck_assert_double_eq(w.on_node.rounds + w.on_node.sent, 0);
        ck_assert_double_eq_tol(w.between.sent, 2 * (p - 1.0) / p, 1e-12);
        ck_assert_double_eq_tol(w.folded, (p - 1.0) / p, 1e-12);
    }
}

SUITE("circulant", 120)
