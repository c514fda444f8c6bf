/* SPDX-License-Identifier: BSD-2-Clause */
/* The copies for memory that several cores use: they are right at all alignments, and write nothing outside. */
#include "copies.h"
#include "suite.h"

#include <stdint.h>

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
    check_lengths(copy_and_take);
}

SUITE("copies", 60)
