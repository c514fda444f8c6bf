/* SPDX-License-Identifier: BSD-2-Clause */
/* Learned rules: their lines in a file of rules, and the histories that begin with them. */
#include "made_rules.h"

#define EVIDENCE "origin=learned at=96K native-us=1234.6 us=321.0 calls=27 date=2026-11-30 table="

/* The value of the action table for an engine. */
static const char *mark(const char *engine)
{
    static char text[2][16];
    static int turn;
    turn = !turn;
    snprintf(text[turn], sizeof text[turn], "%08x", (unsigned)engine_mark(engine_find(engine)));
    return text[turn];
}

START_TEST(a_line_has_its_evidence)
{
    char expected[512];
    snprintf(expected, sizeof expected,
             FIRST_LINES
             "collective=reduce op=exact root=last bytes=64K-131071 ranks=16 ranks-per-node=4 -> engine=two-tree "
             "block=32K " EVIDENCE "%s\n",
             mark("two-tree"));
    ck_assert_str_eq(put(FIRST_LINES, learned_rule(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree")), expected);
    if (in_decimal_comma())
        ck_assert_str_eq(put(FIRST_LINES, learned_rule(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree")), expected);
}

/* Copies the rules of a text: line, least size and engine of each, as "3:64K=chain ..". */
static const char *rules_of(const char *text)
{
    static char list[1024];
    struct rules *r = parse(text);
    size_t used = 0;
    ck_assert_ptr_nonnull(r);
    list[0] = 0;
    for (int i = 0; i < r->count; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%d:%lld=%s", i ? " " : "", r->rule[i].line,
                                 (long long)r->rule[i].bytes.least >> 10,
                                 engines[__builtin_ctzll(r->rule[i].engine.rows)]->name);
    free(r);
    return list;
}

static struct rule bcast(int k, const char *engine)
{
    return learned_rule(COLL_BCAST, OP_NONE, ROOT_FIRST, k, engine);
}

START_TEST(lines_are_in_order)
{
    const char *text = put(FIRST_LINES, bcast(18, "chain"));
    text = put(text, bcast(16, "native"));
    text = put(text, bcast(17, "chain"));
    ck_assert_str_eq(rules_of(text), "3:64=native 4:128=chain 5:256=chain");
    text = put(text, bcast(17, "two-tree"));
    ck_assert_str_eq(rules_of(text), "3:64=native 4:128=two-tree 5:256=chain");
    const struct rule others[] = {learned_rule(COLL_BCAST, OP_NONE, ROOT_LAST, 17, "chain"),
                                  learned_rule(COLL_SCAN, OP_EXACT, ROOT_FIRST, 17, "chain")};
    for (size_t i = 0; i < COUNT(others); i++)
        text = put(text, others[i]);
    struct rule more = bcast(17, "chain");
    more.ranks = (struct span){17, 17};
    text = put(text, more);
    ck_assert_str_eq(rules_of(text), "3:64=native 4:128=two-tree 5:256=chain 6:128=chain 7:128=chain 8:128=chain");
}

/* Whatever Pleach has not learned stays: comments, rules of users and of pleach tune, and their order. */
START_TEST(other_lines_stay)
{
    static const char MINE[] = HEADER "# mine\ncollective=bcast bytes=128K-255K ranks=16 -> engine=native # why\n\n"
                                      "collective=bcast bytes=64K-131071 ranks=16 ranks-per-node=4 -> engine=chain "
                                      "origin=tuned calls=3\n";
    struct rule rule = bcast(16, "two-tree");
    const char *text = put(MINE, rule);
    ck_assert_int_eq(strncmp(text, MINE, strlen(MINE)), 0);
    ck_assert_str_eq(rules_of(text), "3:128=native 5:64=chain 6:64=two-tree");
    char *twice = strdup(text);
    ck_assert_str_eq(put(twice, rule), twice);
    free(twice);
}

/* A file of an earlier version has no origins, and a rule of several classes of sizes. A new rule goes before it. */
START_TEST(old_files_count_as_learned)
{
    static const char OLD[] =
        HEADER RULES_LEARNED_BEFORE "; change a copy.\n# 98304 bytes: native 9.0 us, spread 0%, 3 calls\n"
                                    "collective=bcast root=first bytes=64K-262143 ranks=16 "
                                    "ranks-per-node=4 -> engine=chain block=32K\n";
    const char *text = put(OLD, bcast(16, "native"));
    ck_assert_str_eq(rules_of(text), "4:64=native 5:64=chain");
    text = put(text, bcast(17, "native"));
    ck_assert_str_eq(rules_of(text), "4:64=native 5:128=native 6:64=chain");
    struct rule all = bcast(16, "native");
    all.bytes.most = 262143;
    ck_assert_str_eq(rules_of(put(OLD, all)), "4:64=native");
}

/* A rule that was learned with another engine of this name does not count, and is learned anew. */
START_TEST(engines_that_have_changed)
{
    struct rule rule = bcast(16, "chain"), tuned = bcast(17, "chain");
    rule.evidence.table ^= 2;
    tuned.evidence.table ^= 2;
    tuned.evidence.origin = ORIGIN_TUNED;
    char *text = strdup(put(put(FIRST_LINES, rule), tuned));
    ck_assert_str_eq(rules_of(text), "4:128=chain");
    ck_assert_int_eq(report_count, 1);
    ck_assert(reports[0].line == 3 && !reports[0].fatal && strstr(reports[0].why, "is learned anew"));
    ck_assert_str_eq(rules_of(put(text, bcast(16, "two-tree"))), "3:64=two-tree 4:128=chain");
    free(text);
}

START_TEST(no_file_of_rules)
{
    static const char *const bad[] = {"", "precious", "pleach-rules 2\n", HEADER "-> engine=chian\n"};
    char why[512];
    struct rule rule = bcast(16, "chain");
    for (size_t i = 0; i < COUNT(bad); i++) {
        ck_assert_ptr_null(learned_put(bad[i], &rule, why, sizeof why));
        REQUIRE(strncmp(why, "is no file of rules, so it stays as it is: line ", 48) == 0, "%s", why);
    }
}

START_TEST(no_more_than_a_file_may_have)
{
    static char text[TEXT];
    size_t used = (size_t)snprintf(text, TEXT, HEADER);
    char why[512];
    struct rule rule = bcast(16, "chain");
    for (int i = 0; i < RULES_MOST; i++)
        used += (size_t)snprintf(text + used, TEXT - used, "ranks=%d -> engine=chain\n", i + 20);
    ck_assert_ptr_null(learned_put(text, &rule, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "no room"));
}

/* Evidence is read as it was written, and wrong evidence is refused. */
START_TEST(evidence)
{
    static const char *const bad[] = {"origin=mine",    "at=0",     "at=auto",      "native-us=0", "us=-1",
                                      "us=1e3",         "us=",      "calls=0",      "date=today",  "table=1",
                                      "table=0123456g", "us=1.2.3", "date=2026-1-1"};
    char text[256];
    for (size_t i = 0; i < COUNT(bad); i++) {
        snprintf(text, sizeof text, HEADER "-> engine=chain %s\n", bad[i]);
        REQUIRE(!parse(text) && report_count == 1 && reports[0].fatal, "%s", text);
    }
    struct rules *r = parse_good(put(FIRST_LINES, bcast(16, "chain")));
    const struct rule made = bcast(16, "chain");
    const struct evidence *e = &r->rule[0].evidence, *m = &made.evidence;
    ck_assert(e->origin == m->origin && e->table == m->table && e->at == m->at && e->calls == m->calls);
    ck_assert(e->us == m->us && e->native_us == 1234.6);
    ck_assert_str_eq(e->date, m->date);
    free(r);
}

static struct history history;

/* A kind of these calls, as a communicator has settled it. */
static struct kind settled(const struct facts *f)
{
    return (struct kind){.key = kind_key(f), .shares = true};
}

/* Of these, a later communicator of the same ranks begins with the latest rule of each kind. */
START_TEST(later_communicators_begin_with_rules)
{
    const struct facts f = call(BCAST(100 * K, 16, 4)), other = call(BCAST(300 * K, 16, 4));
    const struct kind k = settled(&f), o = settled(&other);
    struct rule rule = bcast(16, "chain");
    const uint64_t none = learned_start(7, &history);
    ck_assert_int_eq(history.kinds, 0);
    learned_keep(7, &k, &rule);
    learned_keep(8, &o, &rule);
    learned_keep(0, &o, &rule);
    rule = bcast(16, "two-tree");
    learned_keep(7, &k, &rule);
    const uint64_t one = learned_start(7, &history);
    ck_assert(one != none && history.kinds == 1);
    const struct kind *found = history_find(&history, &f);
    ck_assert_ptr_nonnull(found);
    ck_assert(kind_serves(found) == engine_row(engine_find("two-tree")) && found->shares && !kind_learns(found));
    ck_assert(found->candidates == 2 && found->row[0] == 0 && found->incumbent == 0 && kind_calm(found));
    ck_assert(kind_told(found, 0).median == (float)(1234.56e-6 / (96 * K)));
    ck_assert(kind_told(found, kind_serves(found)).median == (float)(321e-6 / (96 * K)));
    history_clear(&history);
    ck_assert(learned_start(7, &history) == one);
    history_clear(&history);
    learned_start(0, &history);
    ck_assert_int_eq(history.kinds, 0);
    rule.evidence.us++;
    learned_keep(7, &k, &rule);
    ck_assert(learned_start(7, &history) != one);
}

SUITE("learned", 60)
