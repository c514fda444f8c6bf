/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocates nothing. */
#include "rules.h"

#include <fnmatch.h>

static bool within(int64_t value, struct span span)
{
    return span.least <= value && value <= span.most;
}

static bool conditions_hold(const struct rule *rule, const struct facts *f)
{
    return rule->collectives >> f->collective & 1 && rule->ops >> f->op & 1 &&
           rule->roots >> root_place(f->root, f->ranks) & 1 && within(f->bytes, rule->bytes) &&
           within(f->ranks, rule->ranks) && within(f->machine->node_ranks, rule->node_ranks);
}

int64_t rule_from(const struct rule *rule)
{
    const struct engine_setting *e = &rule->engine;
    const bool serves = e->named && e->rows != 1 && (e->native || rule->bytes.least > 0);
    return serves ? rule->bytes.least : INT64_MAX;
}

/* Without switching: the engines alone may serve. */
static bool serves_unswitched(const struct rule *rule)
{
    bool any = !rule->engine.native;
    for (uint64_t rows = rule->engine.rows; rows && !any && rule->bytes.least > 0; rows &= rows - 1)
        any = !engine_by_mpi(engines[__builtin_ctzll(rows)]);
    return any;
}

void rules_from(const struct rules *r, int ranks, bool switches, int64_t from[COLLECTIVES])
{
    for (int c = 0; c < COLLECTIVES; c++) {
        from[c] = INT64_MAX;
        for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
            if (rule->collectives >> c & 1 && within(ranks, rule->ranks) && (switches || serves_unswitched(rule)) &&
                rule_from(rule) < from[c])
                from[c] = rule_from(rule);
    }
}

uint64_t rules_sited(const struct rules *r, const struct facts *f)
{
    uint64_t sited = 0;
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if (conditions_hold(rule, f)) {
            if (rule->sited < 0)
                break;
            sited |= (uint64_t)1 << rule->sited;
        }
    return sited;
}

/* In the C locale, fnmatch() compares bytes and allocates nothing. */
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site)
{
    locale_t before = uselocale(c_locale());
    uint64_t matching = 0;
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if (rule->sited >= 0 && sited >> rule->sited & 1 && fnmatch(rule->site, site, 0) == 0)
            matching |= (uint64_t)1 << rule->sited;
    uselocale(before);
    return matching;
}

const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t matching)
{
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        if ((rule->sited < 0 || matching >> rule->sited & 1) && conditions_hold(rule, f))
            return rule;
    return NULL;
}

bool rules_even(const struct rules *r, int64_t least, int64_t most)
{
    bool even = true;
    for (const struct rule *rule = r->rule; rule < r->rule + r->count; rule++)
        even = even && (rule->bytes.least <= least || rule->bytes.least > most) &&
               (rule->bytes.most < least || rule->bytes.most >= most);
    return even;
}
