/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules: every condition and action, and which rule is found for a call. */
#include "reading.h"

#include <math.h>

/* ---- Conditions and actions ----------------------------------------------------------------------------------------- */

/* Conditions, and calls that meet them (+) or do not (-): COLLECTIVE/OPERATION/BYTES/RANKS/RANKS ON A NODE[/ROOT]. */
static const struct {
    const char *conditions, *calls;
} conditions[] = {
    {"", "+bcast/none/1/2/1 +scan/exact/2305843009213693952/1073741824/1073741824"},
    {"collective=bcast", "+bcast/none/1M/4/1 -scan/exact/1M/4/1"},
    {"collective=scan", "-exscan/exact/1M/4/1"},
    {"collective=exscan", "+exscan/exact/1M/4/1"},
    {"collective=reduce", "+reduce/exact/1M/4/1"},
    {"collective=reduce,scan", "+reduce/exact/1M/4/1 +scan/exact/1M/4/1 -exscan/exact/1M/4/1"},
    {"collective=MPI_Bcast", "+bcast/none/1M/4/1"},
    {"collective=scan,scan", "+scan/exact/1M/4/1"},
    {"op=none", "+bcast/none/1M/4/1 -scan/exact/1M/4/1"},
    {"op=exact", "+reduce/exact/1M/4/1 -reduce/rounding/1M/4/1"},
    {"op=rounding", "+reduce/rounding/1M/4/1 -reduce/user/1M/4/1"},
    {"op=user", "+reduce/user/1M/4/1 -reduce/exact/1M/4/1"},
    {"op=exact,user", "+scan/exact/1M/4/1 -scan/rounding/1M/4/1 +scan/user/1M/4/1 -bcast/none/1M/4/1"},
    {"root=first", "+bcast/none/1M/4/1/0 -bcast/none/1M/4/1/1 -bcast/none/1M/4/1/3 +scan/exact/1M/4/1"},
    {"root=last",
     "-bcast/none/1M/4/1/0 -bcast/none/1M/4/1/2 +bcast/none/1M/4/1/3 +reduce/exact/1M/2/1/1 -scan/exact/1M/4/1"},
    {"root=inside", "-bcast/none/1M/4/1/0 +bcast/none/1M/4/1/1 +bcast/none/1M/4/1/2 -bcast/none/1M/4/1/3"},
    {"root=inside,first", "+bcast/none/1M/4/1/0 +bcast/none/1M/4/1/1 -bcast/none/1M/4/1/3 +exscan/user/1M/4/1"},
    {"bytes=64K-1M", "-bcast/none/65535/4/1 +bcast/none/64K/4/1 +bcast/none/1M/4/1 -bcast/none/1048577/4/1"},
    {"bytes=1000", "-bcast/none/999/4/1 +bcast/none/1000/4/1 -bcast/none/1001/4/1"},
    {"bytes=1.5K-1.5K", "+bcast/none/1536/4/1"},
    {"bytes=1M-inf", "-bcast/none/1048575/4/1 +bcast/none/inf/4/1"},
    {"bytes=0-5", "+bcast/none/5/4/1"},
    {"ranks=3-16", "-bcast/none/1M/2/1"},
    {"ranks=2-16", "+bcast/none/1M/2/1 +bcast/none/1M/16/1 -bcast/none/1M/17/1"},
    {"ranks=7", "-bcast/none/1M/6/1 +bcast/none/1M/7/1 -bcast/none/1M/8/1"},
    {"ranks=7-inf", "-bcast/none/1M/6/1"},
    {"ranks=7-INF", "+bcast/none/1M/2147483647/1"},
    {"ranks-per-node=1", "+bcast/none/1M/4/1 -bcast/none/1M/4/2"},
    {"ranks-per-node=2-3", "-bcast/none/1M/4/1 +bcast/none/1M/4/2 +bcast/none/1M/4/3 -bcast/none/1M/4/4"},
    {"ranks-per-node=2-inf", "+bcast/none/1M/4/4"},
    {"ranks=8 ranks-per-node=4", "-bcast/none/1M/4/4 -bcast/none/1M/8/8 +bcast/none/1M/8/4"},
    {"collective=scan,exscan bytes=64K-1M ranks=2-16 ranks-per-node=1 op=exact", "+scan/exact/1M/16/1"},
};

START_TEST(each_condition)
{
    static const char *const ops[] = {"none", "exact", "rounding", "user"};
    for (size_t i = 0; i < COUNT(conditions); i++) {
        char text[512], calls[256], collective[8], op[16], size[24], *rest = calls;
        snprintf(text, sizeof text, HEADER "%s" ALWAYS, conditions[i].conditions);
        snprintf(calls, sizeof calls, "%s", conditions[i].calls);
        struct rules *r = parse_good(text);
        for (char *one; (one = strsep(&rest, " "));) {
            struct facts f = call(SCAN(0, 0, 0));
            ck_assert_int_ge(sscanf(one + 1, "%7[^/]/%15[^/]/%23[^/]/%d/%d/%d", collective, op, size, &f.ranks,
                                    &machine.node_ranks, &f.root),
                             5);
            for (f.op = OP_NONE; strcmp(ops[f.op], op) != 0;)
                f.op++;
            ck_assert(collective_parse(collective, &f.collective) && size_parse(size, &f.bytes));
            REQUIRE((rules_find(r, &f, 0) != NULL) == (*one == '+'), "%s: %s", text, one);
            ck_assert_uint_eq(rules_sited(r, &f), 0);
        }
        free(r);
    }
}

static const struct {
    const char *condition, *site;
    bool match;
} sites[] = {
    {"site=*solve*", "main+0x12 < solve+0x3 < _start+0x25", true},
    {"site=*solve*", "main+0x12 < _start+0x25", false},
    {"site=*solve*", "", false},
    {"site=solve*", "solve+0x3", true},
    {"site=solve*", "resolve+0x3", false},
    {"site=solve", "solve+0x3", false},
    {"site=s?lve+0x[0-9]", "salve+0x3", true},
    {"site=s?lve+0x[0-9]", "salve+0xa", false},
    {"site=\"*solve* < main*\"", "solve+0x3 < main+0x12", true},
    {"site=\"*solve* < main*\"", "solve+0x3 < step+0x1", false},
    {"site=\"a # b\"", "a # b", true},
    {"site=*/lib\\*", "a/lib*", true},
    {"site=*/lib\\*", "a/lib5", false},
    {"site=a#b=c->d", "a#b=c->d", true},
    {"site=f?", "f\xc3\xa9", false}, /* a character is a byte in every locale, so that ranks agree */
    {"site=f??", "f\xc3\xa9", true},
};

START_TEST(each_site)
{
    char text[512];
    const struct facts f = call(BCAST(M, 4, 1));
    for (int utf8 = 0; utf8 < 2; utf8++) {
        ck_assert_msg(!utf8 || setlocale(LC_ALL, "C.UTF-8") || setlocale(LC_ALL, "C.utf8"), "no UTF-8 locale");
        for (size_t i = 0; i < COUNT(sites); i++) {
            snprintf(text, sizeof text, HEADER "%s" ALWAYS, sites[i].condition);
            struct rules *r = parse_good(text);
            ck_assert_uint_eq(rules_sited(r, &f), 1);
            REQUIRE(rules_at(r, 1, sites[i].site) == sites[i].match, "%s at %s", text, sites[i].site);
            ck_assert_uint_eq(rules_at(r, 0, sites[i].site), 0);
            ck_assert_ptr_null(rules_find(r, &f, 0));
            ck_assert_ptr_eq(rules_find(r, &f, 1), &r->rule[0]);
            ck_assert_ptr_eq(uselocale((locale_t)0), LC_GLOBAL_LOCALE);
            free(r);
        }
    }
    struct rules *any = parse_good(HEADER "site=***" ALWAYS);
    ck_assert_msg(rules_sited(any, &f) == 0 && rules_find(any, &f, 0), "a rule for all sites asks for the call site");
    free(any);
}

START_TEST(each_action)
{
    uint64_t all = ((uint64_t)1 << engine_count()) - 1, chain = (uint64_t)1 << engine_row(engine_find("chain"));
    const struct {
        const char *actions;
        bool named;
        uint64_t rows;
        int64_t block;
        struct figures figures;
    } table[] = {{"engine=chain", true, chain, 0, {-1, -1, -1, -1, -1, -1}},
                 {"engine=chain,native", true, chain | 1, 0, {-1, -1, -1, -1, -1, -1}},
                 {"engine=^chain", false, all & ~chain, 0, {-1, -1, -1, -1, -1, -1}},
                 {"engine=auto", false, all, 0, {-1, -1, -1, -1, -1, -1}},
                 {"engine=native", true, 1, 0, {-1, -1, -1, -1, -1, -1}},
                 {"block=32K", false, 0, 32 * K, {-1, -1, -1, -1, -1, -1}},
                 {"block=inf", false, 0, SIZE_INF, {-1, -1, -1, -1, -1, -1}},
                 {"alpha=5us", false, 0, 0, {5e-6, -1, -1, -1, -1, -1}},
                 {"beta=0.25ns", false, 0, 0, {-1, 0.25e-9, -1, -1, -1, -1}},
                 {"gamma=0", false, 0, 0, {-1, -1, 0, -1, -1, -1}},
                 {"hop=3us gap=0", false, 0, 0, {-1, -1, -1, 3e-6, 0, -1}},
                 {"gamma=1e-9 block=\"1\" beta=2e-9 engine=chain alpha=3", true, chain, 1, {3, 2e-9, 1e-9, -1, -1, -1}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char text[256];
        snprintf(text, sizeof text, HEADER "\nranks=3-9 -> %s\n", table[i].actions);
        struct rules *r = parse_good(text);
        const struct rule *rule = &r->rule[0];
        ck_assert_int_eq(r->count, 1);
        ck_assert_int_eq(rule->line, 3);
        REQUIRE(rule->engine.named == table[i].named, "%s", text);
        REQUIRE(rule->engine.rows == table[i].rows && !rule->engine.random, "%s", text);
        REQUIRE(rule->block == table[i].block, "%s", text);
        const double *is = &rule->figures.alpha, *wanted = &table[i].figures.alpha;
        for (int k = 0; k < 6; k++)
            REQUIRE(fabs(is[k] - wanted[k]) <= 1e-12 * fabs(wanted[k]), "%s: figure %d is %g", text, k, is[k]);
        free(r);
    }
}

/* ---- Writing -------------------------------------------------------------------------------------------------------- */

static struct span draw_span(int64_t least, int64_t most)
{
    struct span s = {least + below(9), 0};
    if (below(4) == 0)
        return (struct span){0, INT64_MAX};
    s.most = below(3) ? s.least + (int64_t)below(2) * K * below(300) : most;
    return s;
}

static double draw_time(void)
{
    static const double scale[] = {1e-12, 1e-9, 1e-3, 1};
    return below(3) == 0 ? -1 : below(4) == 0 ? 0 : below(1u << 31) / 7. * 1e-4 * scale[below(COUNT(scale))];
}

/* A random rule. Its engines always serve some call, as native is one of them. */
static struct rule draw(void)
{
    static const char *const sites[] = {"", "", "solve*", "*solve* < main*", "a # b", "#\t?[a-z]", "a=b->c", "x\r", " "};
    const uint64_t all = ((uint64_t)1 << engine_count()) - 1;
    uint64_t few = 0;
    struct rule rule = rule_blank;
    if (below(2))
        rule.collectives = 1 + below((1u << COLLECTIVES) - 1);
    if (below(2))
        rule.ops = 1 + below((2u << OP_ORDERED) - 1);
    if (below(2))
        rule.roots = 1 + below((2u << ROOT_INSIDE) - 1);
    rule.bytes = draw_span(below(2) * K, SIZE_INF);
    rule.ranks = draw_span(1 + (int64_t)below(2) * M, SIZE_INF);
    rule.node_ranks = draw_span(1, INT_MAX);
    snprintf(rule.site, sizeof rule.site, "%s", sites[below(COUNT(sites))]);
    rule.block = below(2) ? 0 : below(5) ? 1 + (int64_t)below(9) * (K - below(2)) : SIZE_INF;
    rule.figures = (struct figures){draw_time(), draw_time(), draw_time(), draw_time(), draw_time(), -1};
    for (int i = below(4); i > 0; i--)
        few |= (uint64_t)1 << (1 + below((unsigned)engine_count() - 1));
    if (below(4))
        rule.engine =
            below(2) ? (struct engine_setting){.rows = few | 1, .named = true} : (struct engine_setting){.rows = all & ~few};
    const struct figures *g = &rule.figures;
    if (!rule.block && !rule.engine.rows && g->alpha < 0 && g->beta < 0 && g->gamma < 0 && g->hop < 0 && g->gap < 0)
        rule.block = 1;
    return rule;
}

static bool same_span(const struct span *a, const struct span *b)
{
    return a->least == b->least && a->most == b->most;
}

START_TEST(written_and_read)
{
    for (int i = 0; i < 20000; i++) {
        char *text;
        size_t size;
        struct rule wanted = draw();
        FILE *f = open_memstream(&text, &size);
        fputs(HEADER, f);
        rule_put(f, &wanted);
        fclose(f);
        struct rules *r = parse(text); /* may report that no call can meet the rule */
        REQUIRE(r && r->count == 1, "%s: %s", text, reports[0].why);
        const struct rule *is = &r->rule[0];
        REQUIRE(is->collectives == wanted.collectives && is->ops == wanted.ops && is->roots == wanted.roots, "%s", text);
        REQUIRE(same_span(&is->bytes, &wanted.bytes) && same_span(&is->ranks, &wanted.ranks), "%s", text);
        REQUIRE(same_span(&is->node_ranks, &wanted.node_ranks) && strcmp(is->site, wanted.site) == 0, "%s", text);
        REQUIRE(is->engine.rows == wanted.engine.rows && is->engine.named == wanted.engine.named, "%s", text);
        const struct figures *g = &is->figures, *h = &wanted.figures;
        REQUIRE(is->block == wanted.block && g->alpha == h->alpha && g->beta == h->beta, "%s", text);
        REQUIRE(g->gamma == h->gamma && g->hop == h->hop && g->gap == h->gap, "%s", text);
        free(r);
        free(text);
    }
}

/* A rule is written without conditions and actions that are not set, and with quotes only where they are needed. */
START_TEST(as_written)
{
    static const char *const lines[] = {
        "-> block=7\n",
        "collective=reduce,scan op=exact,user root=last bytes=1K-inf ranks=3 ranks-per-node=2-inf site=*solve* -> "
        "engine=chain\n",
        "bytes=5-5 ranks=2048-4096 site=\"f < *\" -> engine=^chain block=inf alpha=5e-06\n",
        "ranks=1-inf -> engine=auto beta=0 gamma=2.5e-10\n",
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        char text[512], *again;
        size_t size;
        snprintf(text, sizeof text, HEADER "%s", lines[i]);
        struct rules *r = parse_good(text);
        FILE *f = open_memstream(&again, &size);
        rule_put(f, &r->rule[0]);
        fclose(f);
        ck_assert_str_eq(again, lines[i]);
        free(r);
        free(again);
    }
}

/* ---- Layout --------------------------------------------------------------------------------------------------------- */

/* Blanks, comments, line ends and empty lists of rules. */
START_TEST(layout)
{
    static const struct {
        const char *text;
        int count;
    } table[] = {{HEADER, 0},
                 {"pleach-rules 1", 0},
                 {"# tuned on Friday\n\n\t # more\n pleach-rules\t1 # version\n#ranks=x\n-> block=7", 1},
                 {"pleach-rules 1\r\n\r\nranks=2 -> block=7\r\n", 1},
                 {HEADER "\t ranks=2\t\tbytes=7 \t->  block=7 #comment\n", 1},
                 {HEADER "ranks=2 -> block=7 # -> block=8\nranks=\"3\" -> engine=chain\n", 2}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct rules *r = parse_good(table[i].text);
        REQUIRE(r->count == table[i].count, "%s: %d rules", table[i].text, r->count);
        free(r);
    }
}

/* ---- Which rule is found -------------------------------------------------------------------------------------------- */

START_TEST(first_match_wins)
{
    struct rules *r = parse_good(HEADER "site=a* ranks=2-8 -> block=1\n"    /* 2 */
                                        "collective=scan -> block=2\n"      /* 3 */
                                        "site=*b -> block=3\n"              /* 4 */
                                        "bytes=1M-inf ranks=4 -> block=4\n" /* 5 */
                                        "site=*c ranks=4-9 -> block=5\n"    /* 6 */
                                        "bytes=1K -> block=6\n");           /* 7 */
    const struct {
        struct facts facts;
        const char *site;
        int line;
        uint64_t asked;
    } table[] = {
        {call(SCAN(M, 4, 1)), "ab", 2, 1},  {call(SCAN(M, 4, 1)), "b", 3, 1},   {call(SCAN(M, 9, 1)), "ab", 3, 0},
        {call(BCAST(M, 4, 1)), "ab", 2, 3}, {call(BCAST(M, 4, 1)), "b", 4, 3},  {call(BCAST(M, 4, 1)), "c", 5, 3},
        {call(BCAST(K, 4, 1)), "c", 6, 7},  {call(BCAST(K, 4, 1)), "d", 7, 7},  {call(BCAST(K, 9, 1)), "abc", 6, 6},
        {call(BCAST(M, 9, 1)), "d", 0, 6},  {call(BCAST(M, 99, 1)), "b", 4, 2}, {call(BCAST(K, 99, 1)), "ac", 7, 2},
    };
    ck_assert_int_eq(r->sited, 3);
    for (size_t i = 0; i < COUNT(table); i++) {
        uint64_t asked;
        int line = found(r, &table[i].facts, table[i].site, &asked);
        REQUIRE(line == table[i].line, "row %zu: line %d", i, line);
        REQUIRE(asked == table[i].asked, "row %zu: sites %d", i, (int)asked);
    }
    ck_assert_uint_eq(rules_at(r, 7, "abc"), 5);
    ck_assert_uint_eq(rules_at(r, 6, "abc"), 4);
    free(r);
}

/* This file has as many rules as a file may have. Each rule has a call that finds it. One more rule is an error. */
START_TEST(many_rules)
{
    static char text[TEXT];
    size_t used = (size_t)sprintf(text, HEADER "# many\n");
    for (int i = 0; i < RULES_MOST; i++)
        used += (size_t)sprintf(text + used, "bytes=%d ranks=%d-%d -> engine=chain block=%d\n\n", i + 1, i + 2, 2 * i + 2,
                                i + 1);
    struct rules *r = parse_good(text);
    ck_assert_int_eq(r->count, RULES_MOST);
    for (int i = 0; i < RULES_MOST; i++) {
        struct facts f = call(BCAST(i + 1, 2 * i + 2, 1));
        const struct rule *rule = rules_find(r, &f, 0);
        REQUIRE(rule && rule->line == 2 * i + 3 && rule->block == i + 1, "rule %d", i);
        f.ranks++;
        REQUIRE(!rules_find(r, &f, 0), "rule %d", i);
    }
    free(r);
    sprintf(text + used, "-> block=7\n-> block=8\n");
    ck_assert_ptr_null(parse(text));
    ck_assert_int_eq(report_count, 1);
    ck_assert_int_eq(reports[0].line, 2 * RULES_MOST + 3);
    ck_assert_str_eq(reports[0].why, "there are more than 1024 rules");
}

START_TEST(many_sites)
{
    static char text[TEXT];
    const struct facts f = call(BCAST(M, 4, 1));
    size_t used = (size_t)sprintf(text, HEADER);
    for (int i = 0; i < RULES_SITED_MOST; i++)
        used += (size_t)sprintf(text + used, "site=f%d -> block=%d\nranks=%d -> block=7\n", i, i + 1, i + 5);
    struct rules *r = parse_good(text);
    ck_assert_int_eq(r->sited, RULES_SITED_MOST);
    ck_assert_uint_eq(rules_sited(r, &f), UINT64_MAX);
    for (int i = 0; i < RULES_SITED_MOST; i++) {
        char site[16];
        snprintf(site, sizeof site, "f%d", i);
        uint64_t at = rules_at(r, UINT64_MAX, site);
        ck_assert_uint_eq(at, (uint64_t)1 << i);
        ck_assert_ptr_eq(rules_find(r, &f, at), &r->rule[2 * i]);
        ck_assert_int_eq(rules_find(r, &f, at)->sited, i);
        ck_assert_int_eq(r->rule[2 * i + 1].sited, -1);
    }
    free(r);
    sprintf(text + used, "site=g -> block=7\n-> block=7\n");
    ck_assert_ptr_null(parse(text));
    ck_assert_int_eq(report_count, 1);
    ck_assert_int_eq(reports[0].line, 2 + 2 * RULES_SITED_MOST);
    ck_assert_str_eq(reports[0].why, "more than 64 rules have a site");
}

SUITE("rules", 30)
