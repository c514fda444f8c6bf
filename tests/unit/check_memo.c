/* SPDX-License-Identifier: BSD-2-Clause */
/* The memo of calls: no call finds what another one has left, and memory is limited. */
#include "hash.h"
#include "memo.h"
#include "suite.h"

enum { KEPT = 256, IN_ALL = 4096 };

/* Keys of neighbours differ in one argument alone. */
static struct memo_key key_of(int64_t i)
{
    return (struct memo_key){.count = i / 96,
                             .datatype = (uintptr_t)(i % 2),
                             .op = (uintptr_t)(i / 2 % 2),
                             .collective = (int)(i / 4 % 3),
                             .root = (int)(i / 12 % 4),
                             .in_place = i / 48 % 2};
}

static uint64_t mark_of(int64_t i)
{
    return mix64((uint64_t)i + 1);
}

static void leave(struct memo *m, int64_t i)
{
    const struct memo_key key = key_of(i);
    memo_place(m, &key)->life = mark_of(i);
}

/* Does the memo have the call? Fails if it has that of another one in its place. */
static bool finds(struct memo *m, int64_t i)
{
    const struct memo_key key = key_of(i);
    const struct memo_entry *x = memo_find(m, &key);
    REQUIRE(!x || x->life == mark_of(i), "call %lld finds another one", (long long)i);
    return x;
}

START_TEST(keeps_all_kinds_that_fit)
{
    struct memo m = {.latest = NULL};
    for (int i = 0; i <= KEPT; i++) {
        ck_assert(!finds(&m, i));
        leave(&m, i);
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= KEPT; i++)
            ck_assert(finds(&m, i));
    memo_free(&m);
}

START_TEST(never_takes_one_call_for_another)
{
    struct memo m = {.latest = NULL};
    uint64_t drawn = 1;
    int found = 0;
    for (int i = 0; i < 20000; i++) {
        const int64_t kind = (int64_t)((drawn = mix64(drawn)) % (2 * KEPT));
        const bool there = finds(&m, kind);
        const struct memo_key key = key_of(kind);
        struct memo_entry *x = memo_place(&m, &key);
        ck_assert_uint_eq(x->life, there ? mark_of(kind) : 0); /* else the place is empty */
        x->life = mark_of(kind);
        found += there;
    }
    ck_assert_int_gt(found, 5000);
    ck_assert_int_le(m.used, KEPT);
    memo_free(&m);
}

/* Many communicators share a limit. A communicator that comes late has its first entry. Freed memos make room. */
START_TEST(all_memos_are_limited)
{
    static struct memo m[2 * IN_ALL / KEPT];
    for (int round = 0; round < 2; round++) {
        int64_t made = 0;
        memset(m, 0, sizeof m);
        for (size_t i = 0; i < COUNT(m); i++)
            for (int k = 0; k < 2 * KEPT; k++) {
                leave(&m[i], k);
                ck_assert(finds(&m[i], k));
            }
        for (size_t i = 0; i < COUNT(m); i++)
            made += m[i].used;
        ck_assert_int_le(made, IN_ALL);
        ck_assert_int_gt(made, IN_ALL - KEPT);
        for (size_t i = 0; i < COUNT(m); i++)
            memo_free(&m[i]);
    }
}

/*
 * An entry serves all counts for which its answer holds, but for no other one. One answer holds for a whole band, the next
 * one for a single size, others for a part of a band of counts, as elements of 12 bytes have other bands.
 */
START_TEST(serves_the_sizes_of_its_answer)
{
    static const struct {
        int64_t bytes, least, most, count, from, to;
    } row[] = {{4 * 104, 4 * 96, 4 * 104 + 12, 104, 104, 107},
               {4 * 99, 4 * 99, 4 * 99, 99, 99, 99},
               {12 * 40, 12 * 40, 12 * 42 + 7, 40, 40, 42},
               {12 * 43, 12 * 43, 12 * 46, 43, 43, 43},
               {8 * 300, 2304, 2559, 300, 288, 319}};
    for (size_t i = 0; i < COUNT(row); i++) {
        struct memo m = {.latest = NULL};
        struct memo_key key = key_of(0);
        leave(&m, 1);
        key.count = row[i].count;
        struct memo_entry *x = memo_place(&m, &key);
        x->answer.question.facts.bytes = row[i].bytes;
        x->answer.least = row[i].least;
        x->answer.most = row[i].most;
        memo_extend(x, row[i].count);
        for (key.count = 1; key.count < 700; key.count++)
            ck_assert_msg((memo_find(&m, &key) == x) == (key.count >= row[i].from && key.count <= row[i].to),
                          "row %zu, count %d", i, (int)key.count);
        memo_free(&m);
    }
}

SUITE("memo", 20)
