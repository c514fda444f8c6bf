/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of rules: reads a string as a file of rules, makes up calls, draws random numbers. */
#pragma once

#include "hash.h"
#include "rules.h"
#include "suite.h"

#define HEADER "pleach-rules 1\n"
#define ALWAYS " -> block=7\n"
/* Arguments of call(): bytes, ranks, ranks per node. */
#define BCAST(m, p, k) COLL_BCAST, OP_NONE, m, p, k
#define SCAN(m, p, k) COLL_SCAN, OP_EXACT, m, p, k

enum { REPORTS = 8, TEXT = 1 << 17 };

static struct {
    int line;
    bool fatal;
    char why[1024];
} reports[REPORTS];
static int report_count;
static struct machine machine = {.nodes = 1, .node_ranks = 1};

static inline void keep(void *to, int line, bool fatal, const char *why)
{
    ck_assert_ptr_eq(to, &reports);
    if (report_count < REPORTS) {
        reports[report_count].line = line;
        reports[report_count].fatal = fatal;
        snprintf(reports[report_count].why, sizeof reports[0].why, "%s", why);
    }
    report_count++;
}

static inline struct rules *parse(const char *text)
{
    report_count = 0;
    return rules_parse(text, keep, &reports);
}

static inline struct rules *parse_good(const char *text)
{
    struct rules *r = parse(text);
    REQUIRE(r && report_count == 0, "%s: %s", text, report_count ? reports[0].why : "no reason");
    return r;
}

static inline struct facts call(enum collective c, enum op_class o, int64_t bytes, int ranks, int node_ranks)
{
    machine.node_ranks = node_ranks;
    return (struct facts){.collective = c, .op = o, .ranks = ranks, .bytes = bytes, .units = bytes, .machine = &machine};
}

/* Returns the line of the rule for a call at a site, or 0. Sets *asked to the bits of rules_sited(). */
static inline int found(const struct rules *r, const struct facts *f, const char *site, uint64_t *asked)
{
    *asked = rules_sited(r, f);
    const struct rule *rule = rules_find(r, f, rules_at(r, *asked, site));
    return rule ? rule->line : 0;
}

/* A random number from 0 to n-1. */
static inline unsigned below(unsigned n)
{
    static uint64_t state = 1;
    return (unsigned)(mix64(state++) % n);
}
