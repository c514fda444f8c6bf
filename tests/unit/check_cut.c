/* SPDX-License-Identifier: BSD-2-Clause */
/* The cut of a message into blocks: small messages with all numbers of blocks, then numbers that overflow easily. */
#include "cut.h"
#include "suite.h"

#include <inttypes.h>
#include <limits.h>

#define CUT "units %" PRId64 " blocks %" PRId64 " parts %" PRId64 ": "
#define CUT_OF(c) (c)->units, (c)->blocks, (c)->parts

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t half_up(int64_t x)
{
    return x / 2 + x % 2;
}

/* The part that block j lies in, found by bisection over the parts' first blocks. */
static int64_t part_of_block(const struct cut *c, int64_t j)
{
    int64_t low = 0, high = c->parts;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(part_offset(c->blocks, c->parts, middle) <= j ? &low : &high) = middle;
    }
    return low;
}

static int64_t part_size(int64_t n, int64_t parts, int64_t i)
{
    return part_offset(n, parts, i + 1) - part_offset(n, parts, i);
}

/* Block j ends where the next one begins, lies in the message and in one part, and has an even share of its part. */
static void check_block(const struct cut *c, int64_t j)
{
    int64_t begin = cut_offset(c, j), end = cut_offset(c, j + 1), size = cut_size(c, j);
    bool parted = c->blocks > c->parts;
    int64_t part = part_of_block(c, j);
    int64_t units = parted ? part_size(c->units, c->parts, part) : c->units;
    int64_t blocks = parted ? part_size(c->blocks, c->parts, part) : c->blocks;

    REQUIRE(begin >= 0 && end <= c->units, CUT "block %" PRId64 " is outside the message", CUT_OF(c), j);
    REQUIRE(size == end - begin && size >= 1, CUT "block %" PRId64 " has %" PRId64 " units", CUT_OF(c), j, size);
    REQUIRE(size == units / blocks || size == units / blocks + (units % blocks > 0),
            CUT "block %" PRId64 " has %" PRId64 " units, not an even share", CUT_OF(c), j, size);
    REQUIRE(size <= cut_largest(c), CUT "block %" PRId64 " is larger than the largest", CUT_OF(c), j);
    if (parted)
        REQUIRE(begin >= part_offset(c->units, c->parts, part) && end <= part_offset(c->units, c->parts, part + 1),
                CUT "block %" PRId64 " lies in two parts", CUT_OF(c), j);
}

static void check_ends(const struct cut *c)
{
    REQUIRE(cut_offset(c, 0) == 0, CUT "does not begin at 0", CUT_OF(c));
    REQUIRE(cut_offset(c, c->blocks) == c->units, CUT "does not end at the end", CUT_OF(c));
    if (c->parts == 2 && c->blocks >= 2)
        REQUIRE(cut_offset(c, half_up(c->blocks)) == half_up(c->units), CUT "half of the blocks are not half of the units",
                CUT_OF(c));
}

START_TEST(small)
{
    for (int64_t units = 1; units <= 90; units++)
        for (int64_t blocks = 1; blocks <= units; blocks++)
            for (int parts = 1; parts <= units + 1; parts += parts < 4 ? 1 : 7) {
                struct cut c = {.units = units, .blocks = blocks, .parts = parts};
                int64_t sum = 0, largest = 0;
                check_ends(&c);
                for (int64_t j = 0; j < blocks; j++) {
                    int64_t size = cut_size(&c, j);
                    REQUIRE(cut_offset(&c, j) == sum, CUT "block %" PRId64 " begins elsewhere", CUT_OF(&c), j);
                    check_block(&c, j);
                    sum += size;
                    largest = size > largest ? size : largest;
                }
                REQUIRE(sum == units, CUT "the blocks hold %" PRId64 " units", CUT_OF(&c), sum);
                REQUIRE(cut_largest(&c) == largest, CUT "the largest is not %" PRId64, CUT_OF(&c), cut_largest(&c));
            }
}

/* All parts are equal if their number divides the number of units. Otherwise, the first parts are larger by one unit. */
START_TEST(parts)
{
    const int64_t many[] = {97, BIT(31) - 1, BIT(40) + 7, INT64_MAX};
    for (int64_t n = 1; n <= 60; n++)
        for (int64_t parts = 1; parts <= 70; parts++) {
            ck_assert_int_eq(part_offset(n, parts, 0), 0);
            ck_assert_int_eq(part_offset(n, parts, parts), n);
            for (int64_t i = 0; i < parts; i++) {
                ck_assert_int_eq(part_size(n, parts, i), n / parts + (i < n % parts));
                ck_assert(n % parts || part_offset(n, parts, i) == i * n / parts);
            }
        }
    for (size_t i = 0; i < COUNT(many); i++) {
        const int64_t parts = BIT(31) - 1, size = many[i] / parts;
        ck_assert_int_eq(part_offset(many[i], parts, parts), many[i]);
        ck_assert_int_eq(part_size(many[i], parts, 0), size + (many[i] % parts > 0));
        ck_assert_int_eq(part_size(many[i], parts, parts - 1), size);
    }
}

/* The part of a unit does not depend on the number of blocks, as long as there are at least as many blocks as parts. */
START_TEST(part_of_a_unit)
{
    for (int64_t units = 2; units <= 60; units++)
        for (int parts = 2; parts <= 13 && parts <= units; parts++)
            for (int64_t blocks = parts; blocks <= units; blocks++) {
                struct cut c = {.units = units, .blocks = blocks, .parts = parts};
                for (int i = 0; i <= parts; i++)
                    REQUIRE(cut_offset(&c, part_offset(blocks, parts, i)) == part_offset(units, parts, i),
                            CUT "part %d begins elsewhere", CUT_OF(&c), i);
            }
}

START_TEST(huge)
{
    const int64_t units[] = {BIT(62), BIT(62) + 1, BIT(62) - 1, INT64_MAX, INT64_MAX - 1, BIT(40) + 7};
    const int64_t blocks[] = {1, 2, 3, 4, 5, 1000003, BIT(31), BIT(40) - 1, BIT(61) + 3, BIT(62) - 1, BIT(62), INT64_MAX};
    const int parts[] = {1, 2, 3, 97, 4096, INT_MAX};
    for (size_t u = 0; u < COUNT(units); u++)
        for (size_t b = 0; b < COUNT(blocks); b++)
            for (size_t p = 0; p < COUNT(parts); p++) {
                struct cut c = {.units = units[u], .blocks = least(blocks[b], units[u]), .parts = parts[p]};
                const int64_t n = c.blocks;
                const int64_t near[] = {0, 1, 2, n / 3, n / 2 - 1, n / 2, n / 2 + 1, n / 7 * 6, n - 2, n - 1};
                check_ends(&c);
                for (size_t i = 0; i < COUNT(near); i++)
                    if (near[i] >= 0 && near[i] < c.blocks)
                        check_block(&c, near[i]);
                /*
                 * If there are more blocks than parts, the largest block is the largest share in any part, rounded up.
                 * Parts differ by one unit and one block at most, and the test looks at parts of each kind.
                 */
                int64_t largest = n <= c.parts ? (c.units - 1) / n + 1 : 0;
                const int64_t kinds[] = {0, c.units % c.parts - 1, c.units % c.parts, n % c.parts - 1, n % c.parts};
                for (size_t i = 0; n > c.parts && i < COUNT(kinds); i++)
                    if (kinds[i] >= 0) {
                        int64_t size = (part_size(c.units, c.parts, kinds[i]) - 1) / part_size(n, c.parts, kinds[i]) + 1;
                        largest = size > largest ? size : largest;
                    }
                REQUIRE(cut_largest(&c) == largest, CUT "the largest block has another size", CUT_OF(&c));
            }
}

START_TEST(examples)
{
    static const struct {
        struct cut cut;
        int64_t offset[7];
    } table[] = {
        {{10, 1, 1}, {0, 10}},
        {{10, 3, 1}, {0, 4, 7, 10}},
        {{10, 4, 1}, {0, 3, 6, 8, 10}},
        {{10, 1, 2}, {0, 10}},
        {{10, 2, 2}, {0, 5, 10}},
        {{11, 2, 2}, {0, 6, 11}},
        {{11, 3, 2}, {0, 3, 6, 11}}, /* the second part has one block, the largest one */
        {{11, 5, 2}, {0, 2, 4, 6, 9, 11}},
        {{6, 6, 2}, {0, 1, 2, 3, 4, 5, 6}},
        {{11, 5, 3}, {0, 2, 4, 6, 8, 11}}, /* parts of 4, 4 and 3 units have 2, 2 and 1 blocks */
        {{11, 6, 3}, {0, 2, 4, 6, 8, 10, 11}},
        {{11, 2, 3}, {0, 6, 11}}, /* there are fewer blocks than parts */
        {{7, 5, 5}, {0, 2, 4, 5, 6, 7}},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        for (int64_t j = 0; j <= table[i].cut.blocks; j++)
            ck_assert_int_eq(cut_offset(&table[i].cut, j), table[i].offset[j]);
    ck_assert_int_eq(cut_largest(&table[6].cut), 5);
    ck_assert_int_eq(cut_largest(&table[2].cut), 3);
}

SUITE("cut", 60)
