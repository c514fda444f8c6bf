/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of learned rules: makes them. */
#pragma once

#include "learned.h"
#include "reading.h"

#define FIRST_LINES HEADER "# Learned by Pleach, which replaces no other rules than those of origin learned.\n"

/* A learned rule for calls of 16 ranks, four on a node, with 2^k to 2^(k+1)-1 bytes. */
static inline struct rule learned_rule(enum collective c, enum op_class o, enum root_place r, int k, const char *engine)
{
    const struct engine *e = engine_find(engine);
    struct rule rule = rule_for(c, o, 16, 4, e, e == engines[0] ? 0 : 32 * K);
    rule.bytes = (struct span){BIT(k), 2 * BIT(k) - 1};
    if (collective_rooted(c))
        rule.roots = 1u << r;
    rule.evidence = (struct evidence){.origin = ORIGIN_LEARNED,
                                      .table = engine_mark(e),
                                      .at = 3 * BIT(k) / 2,
                                      .native_us = 1234.56,
                                      .us = e == engines[0] ? 1234.56 : 321,
                                      .calls = 27,
                                      .date = "2026-11-30"};
    return rule;
}

/* The text with these rules in it, in memory that the next call frees. */
static inline const char *put(const char *text, const struct rule rule)
{
    static char *last;
    char why[512] = "", *next = learned_put(text, &rule, why, sizeof why);
    REQUIRE(next, "%s: %s", text, why);
    free(last);
    last = next;
    return last;
}
