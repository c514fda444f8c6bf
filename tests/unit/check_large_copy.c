/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies into large messages: they are right, and the way that wins most pairs of runs serves until all begins anew. */
#include "large_copy.h"
#include "suite.h"

/* Times one block, by the way whose turn it is. */
static void time_block(struct large *l, double plain, double past)
{
    const bool turn = l->blocks / LARGE_RUN % 2;
    large_time(l, turn, turn ? past : plain, 1);
    l->blocks++;
}

/* All pairs; in the first `won` of them, the way past the caches takes half the time of memcpy(), else as much time. */
static bool past_after(int won)
{
    struct large l = {.past = won == 0};
    for (int block = 0; block < LARGE_TIMED; block++)
        time_block(&l, 2, block / LARGE_PAIR < won ? 1 : 2);
    ck_assert_int_eq(l.won, 0);
    return l.past;
}

START_TEST(most_pairs_decide)
{
    for (int won = 0; won <= LARGE_PAIRS; won++)
        ck_assert_int_eq(past_after(won), 2 * won > LARGE_PAIRS);
}

/* A block that another process has interrupted spoils its own pair alone. */
START_TEST(interruptions_do_not_count)
{
    struct large l = {0};
    for (int block = 0; block < LARGE_TIMED; block++)
        time_block(&l, 2, block == LARGE_RUN ? 1e6 : 1);
    ck_assert(l.past);
}

/* Every copy is right, and all begins anew in time. */
START_TEST(copies_are_right)
{
    enum { BYTES = 333 };
    char from[BYTES], to[BYTES];
    struct large l = {0};
    int begun = 0;
    for (int block = 0; block < LARGE_AGAIN + LARGE_TIMED; block++) {
        memset(from, block % 251, BYTES);
        begun += l.blocks == 0;
        large_copy(&l, to, from, BYTES);
        ck_assert_mem_eq(to, from, BYTES);
    }
    ck_assert_int_eq(begun, 2);
    ck_assert_int_eq(l.blocks, LARGE_TIMED);
}

/* The threshold never grows with the number of ranks, which share the last cache. */
START_TEST(ranks_share_the_last_cache)
{
    for (int ranks = 2; ranks <= 256; ranks *= 2)
        ck_assert_int_le(large_from(ranks), large_from(ranks / 2));
    ck_assert_int_ge(large_from(256), 16 << 20);
}

SUITE("large_copy", 60)
