/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The copies for memory that several cores use: they are right at all alignments, and write nothing outside. Of two ways to
 * copy into large messages, the one that wins most pairs of runs serves until all begins anew.
 */
#include "copies.h"
#include "large_copy.h"
#include "suite.h"

/* ---- For memory that several cores use -------------------------------------------------------------------------------- */

enum { LINE = 64, MOST = 9000, AROUND = 2 * LINE, ROOM = MOST + 2 * AROUND, OUTSIDE = 0xa5 };

static unsigned char from[ROOM], to[ROOM], before[ROOM];

static void fill(void)
{
    uint32_t x = 1;
    for (int i = 0; i < ROOM; i++) {
        x = x * 1664525 + 1013904223;
        from[i] = before[i] = (unsigned char)(x >> 24);
        to[i] = OUTSIDE;
    }
}

static void past(void *out, void *in, size_t bytes)
{
    copy_past_cache(out, in, bytes);
}

static void check_copy(void (*copy)(void *, void *, size_t), size_t out, size_t in, size_t bytes)
{
    fill();
    copy(to + out, from + in, bytes);
    ck_assert_msg(!memcmp(to + out, before + in, bytes) && !memcmp(from, before, ROOM), "%zu bytes from %zu to %zu", bytes,
                  in, out);
    size_t outside = 0;
    for (size_t i = 0; i < ROOM; i++)
        outside += to[i] != OUTSIDE && (i < out || i >= out + bytes);
    ck_assert_msg(outside == 0, "%zu bytes are written outside the %zu bytes at %zu", outside, bytes, out);
}

static void check_lengths(void (*copy)(void *, void *, size_t))
{
    static const size_t lengths[] = {0, 1, 15, 16, 63, 64, 65, 127, 128, 129, 200, 4095, 4096, 4097, MOST};
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (size_t at = 0; at < LINE; at += i < 11 ? 1 : 13) {
            check_copy(copy, AROUND + at, AROUND, lengths[i]);
            check_copy(copy, AROUND + at / 3, AROUND + at, lengths[i]);
        }
}

START_TEST(copies_past_the_cache)
{
    check_lengths(past);
}

START_TEST(copies_and_takes)
{
    check_lengths(copy_and_claim);
}

/* ---- Into large messages ---------------------------------------------------------------------------------------------- */

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
    char source[BYTES], target[BYTES];
    struct large l = {0};
    int begun = 0;
    for (int block = 0; block < LARGE_AGAIN + LARGE_TIMED; block++) {
        memset(source, block % 251, BYTES);
        begun += l.blocks == 0;
        large_copy(&l, target, source, BYTES);
        ck_assert_mem_eq(target, source, BYTES);
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

SUITE("copies", 60)
