/* SPDX-License-Identifier: BSD-2-Clause */
/* Lessons: their text, which can be read back, and their rules, which calls find. */
#include "made_lessons.h"
#include "textfile.h"

START_TEST(as_text)
{
    ck_assert_str_eq(text_of(), FIRST_LINES);
    take(lesson(COLL_SCAN, OP_ROUNDS, ROOT_FIRST, 13, "chain"));
    struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_INSIDE, 20, "native");
    l.native = l.seconds = l.spread = 0;
    take(l);
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    ck_assert_str_eq(text_of(),
                     FIRST_LINES "# 1572864 bytes: native ? us, spread 0%, 27 calls\n"
                                 "collective=bcast root=inside bytes=1M-2097151 ranks=16 ranks-per-node=4 -> engine=native\n"
                                 "# 98304 bytes: native 1234.6 us, two-tree 321.0 us, spread 6%, 27 calls\n"
                                 "collective=reduce op=exact root=last bytes=64K-131071 ranks=16 ranks-per-node=4 -> "
                                 "engine=two-tree block=32K\n"
                                 "# 12288 bytes: native 1234.6 us, chain 321.0 us, spread 6%, 27 calls\n"
                                 "collective=scan op=rounding bytes=8K-16383 ranks=16 ranks-per-node=4 -> "
                                 "engine=chain block=32K\n");
}

/*
 * A row has the winners of the sizes from 1 KiB on, a letter each (chain, two-tree, native, -: none), and the number of
 * rules that result.
 */
START_TEST(neighbours_that_agree_are_one_rule)
{
    static const struct {
        const char *won;
        int rules;
    } table[] = {{"c", 1}, {"ccc", 1}, {"cct", 2}, {"c-c", 2}, {"ctctt", 4}, {"nncc-ccnn", 4}};
    for (size_t i = 0; i < COUNT(table); i++) {
        lessons.count = 0;
        for (int k = 0; table[i].won[k]; k++)
            if (table[i].won[k] != '-')
                take(lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 10 + k,
                            table[i].won[k] == 'c'   ? "chain"
                            : table[i].won[k] == 't' ? "two-tree"
                                                     : "native"));
        struct rules *r = parse_good(text_of());
        REQUIRE(r->count == table[i].rules, "%s: %d rules", table[i].won, r->count);
        free(r);
    }
    static struct lesson other[6];
    for (int i = 0; i < 6; i++)
        other[i] = lesson(COLL_REDUCE, OP_EXACT, ROOT_FIRST, 11, "chain");
    lessons.count = 0;
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_FIRST, 10, "chain"));
    other[0].op = OP_ORDERED;
    other[1].root = ROOT_LAST;
    other[2].ranks = 17;
    other[3].node_ranks = 3;
    other[4].block = 64 * K;
    for (int i = 0; i < 5; i++)
        take(other[i]);
    struct rules *r = parse_good(text_of());
    ck_assert_int_eq(r->count, 6);
    free(r);
    take(other[5]); /* replaces other[4] */
    r = parse_good(text_of());
    ck_assert_int_eq(r->count, 5);
    free(r);
}

/* A call of `bytes` bytes, which shares all but the size with the lesson's calls. */
static struct facts call_of(const struct lesson *l, int64_t bytes)
{
    struct facts f = call(l->collective, l->op, bytes, l->ranks, l->node_ranks);
    f.root = l->root == ROOT_FIRST ? 0 : l->root == ROOT_LAST ? l->ranks - 1 : 1;
    return f;
}

static struct lesson draw(void)
{
    static const char *const names[] = {"native", "chain", "two-tree"};
    const enum collective c = below(COLLECTIVES);
    const char *name = names[below(3)];
    while (engine_find(name) != engines[0] && !engine_find(name)->serves[c].generate)
        name = names[below(3)];
    struct lesson l = lesson(c, c == COLL_BCAST ? OP_NONE : OP_EXACT + below(3),
                             collective_rooted(c) ? below(2) : ROOT_FIRST, (int)below(LESSON_CLASSES), name);
    l.ranks = 5 + (int)below(2);
    l.node_ranks = 1 + (int)below(2);
    l.native = below(1000000) * 1e-8;
    l.seconds = l.engine == engines[0] ? l.native : below(1000000) * 1e-8;
    l.spread = below(1000) * 1e-3;
    if (l.engine != engines[0])
        l.block = below(2) ? 1 + below(1000) : 8 * K;
    return l;
}

/*
 * Random lessons: a call finds the rule of its kind, and no rule if no lesson is of its kind. Times that are read back are
 * exact to a tenth of a microsecond.
 */
START_TEST(read_back_and_found)
{
    enum { LESSONS = 300 };
    for (int round = 0; round < 20; round++) {
        lessons.count = 0;
        for (int i = 0; i < LESSONS; i++)
            take(draw());
        struct rules *r = parse_good(text_of());
        for (int i = 0; i < lessons.count; i++) {
            const struct lesson *l = &lessons.lesson[i], *m = &again.lesson[i];
            REQUIRE(m->engine == l->engine && m->block == l->block && m->bytes == l->bytes && m->calls == l->calls,
                    "lesson %d", i);
            REQUIRE(m->native - l->native < 0.11e-6 && l->native - m->native < 0.11e-6, "lesson %d: native", i);
            REQUIRE(m->seconds - l->seconds < 0.11e-6 && l->seconds - m->seconds < 0.11e-6, "lesson %d: seconds", i);
            for (int end = 0; end < 2; end++) {
                struct facts f = call_of(l, end ? 2 * BIT(l->size_class) - 1 : BIT(l->size_class));
                const struct rule *rule = rules_find(r, &f, 0);
                REQUIRE(rule && rule->engine.rows == (uint64_t)BIT(engine_row(l->engine)) && rule->block == l->block,
                        "lesson %d", i);
            }
        }
        for (int i = 0; i < 1000; i++) {
            struct lesson one = draw();
            const struct facts f =
                call_of(&one, BIT(one.size_class) + below(1u << (one.size_class < 30 ? one.size_class : 30)));
            bool there = false;
            for (int k = 0; k < lessons.count; k++) {
                const struct lesson *l = &lessons.lesson[k];
                there |= l->collective == one.collective && l->op == one.op && l->root == one.root &&
                         l->ranks == one.ranks && l->node_ranks == one.node_ranks && l->size_class == one.size_class;
            }
            REQUIRE((rules_find(r, &f, 0) != NULL) == there, "call %d", i);
        }
        free(r);
    }
}

START_TEST(only_its_own_text)
{
    static const char *const changes[][2] = {{"calls", "cells"},
                                             {"bytes=64K", "bytes=65K"},
                                             {"bytes=64K", "site=a* bytes=64K"},
                                             {"ranks=16", "ranks=2-16"},
                                             {"block=32K", "block=32K "},
                                             {"block=32K", "alpha=1"},
                                             {"engine=two-tree block", "block"},
                                             {"engine=two-tree", "engine=two-tree,chain"},
                                             {"engine=two-tree", "engine=^native"},
                                             {"op=exact", "op=exact,user"},
                                             {"collective=reduce ", ""},
                                             {"collective=reduce", "collective=bcast"},
                                             {"collective=reduce", "collective=scan"},
                                             {"# 98304", "# mine\n# 98304"},
                                             {"# 98304", "98304"},
                                             {"# Learned by Pleach", "# Written by me"},
                                             {"pleach-rules 1", "pleach-rules 2"},
                                             {"bytes=64K-131071", "bytes=64K-inf"},
                                             {"bytes=64K-131071", "bytes=32K-131071"},
                                             {"bytes=64K-131071", "bytes=0-131071"}};
    char text[2048], changed[2048];
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    snprintf(text, sizeof text, "%s", text_of());
    for (size_t i = 0; i < COUNT(changes); i++) {
        char *at = strstr(text, changes[i][0]);
        ck_assert_ptr_nonnull(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
        REQUIRE(!lessons_read(&again, changed), "%s", changed);
    }
    ck_assert(!lessons_read(&again, ""));
    ck_assert(!lessons_read(&again, HEADER));
    ck_assert(!lessons_read(&again, FIRST_LINES "-> block=7\n"));
    for (size_t length = 0; length < strlen(text); length++) {
        memcpy(changed, text, length);
        changed[length] = 0;
        REQUIRE(strcmp(changed, FIRST_LINES) == 0 || !lessons_read(&again, changed), "%s", changed);
    }
}

START_TEST(no_more_than_a_file_may_have)
{
    take_many(LESSONS_MOST);
    struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_LAST, 20, "chain");
    ck_assert(!lessons_put(&lessons, &l));
    l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 20, "two-tree");
    ck_assert(lessons_put(&lessons, &l));
    ck_assert_int_lt(strlen(text_of()), TEXTFILE_MOST);
    ck_assert(lessons_read(&again, text_of()));
}

START_TEST(numbers_ignore_the_locale)
{
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    if (in_decimal_comma())
        ck_assert_ptr_nonnull(strstr(text_of(), " native 1234.6 us,"));
}

SUITE("lessons", 60)
