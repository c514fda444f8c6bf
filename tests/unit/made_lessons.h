/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of lessons: makes lessons, and their text. */
#pragma once

#include "lessons.h"
#include "reading.h"

#define FIRST_LINES                                                                                                         \
    HEADER "# Learned by Pleach, which rewrites this file; change a copy.\n"                                                \
           "# Before each rule: a typical size, times of a call, their spread, calls measured.\n"

/* A lesson on calls of 16 ranks, four on a node; an engine has won in about a quarter of the native time. */
static inline struct lesson lesson(enum collective c, enum op_class o, enum root_place r, int size_class, const char *engine)
{
    const struct engine *e = engine_find(engine);
    return (struct lesson){.collective = c,
                           .op = o,
                           .root = r,
                           .ranks = 16,
                           .node_ranks = 4,
                           .size_class = size_class,
                           .engine = e,
                           .block = e == engines[0] ? 0 : 32 * K,
                           .native = 1234.56e-6,
                           .seconds = e == engines[0] ? 1234.56e-6 : 321e-6,
                           .spread = 0.057,
                           .bytes = 3 * BIT(size_class) / 2,
                           .calls = 27};
}

static struct lessons lessons, again;

static inline void take(const struct lesson l)
{
    ck_assert(lessons_put(&lessons, &l));
}

/* The text of the file; checks that reading it gives as many lessons. */
static inline const char *text_of(void)
{
    static char *text;
    free(text);
    text = lessons_text(&lessons);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(lessons_read(&again, text), "not read: %s", text);
    ck_assert_int_eq(again.count, lessons.count);
    return text;
}

/* Takes lessons on `count` kinds of calls, on 4 ranks and more. */
static inline void take_many(int count)
{
    for (int i = 0; i < count; i++) {
        struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 20, i % 2 ? "chain" : "native");
        l.ranks = 4 + i;
        take(l);
    }
}
