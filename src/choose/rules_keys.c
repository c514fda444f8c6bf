/* SPDX-License-Identifier: BSD-2-Clause */
/* The conditions and actions of rules, and how their values are written; see rules_internal.h and pleach-rules(5). */
#include "rules_internal.h"
#include "values.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char OTHERWISE[] = "";

static const char *verdict(bool good)
{
    return good ? NULL : OTHERWISE;
}

static const char *take_collective(struct rule *rule, char *value)
{
    enum collective c;
    rule->collectives = 0;
    for (char *word; (word = strsep(&value, ",")); rule->collectives |= 1u << c)
        if (!collective_parse(word, &c))
            return OTHERWISE;
    return NULL;
}

/* Reads words that are joined by commas: bit i of *set for word number i of `count`. */
static const char *take_words(unsigned *set, char *value, const char *const *words, int count)
{
    *set = 0;
    for (char *word; (word = strsep(&value, ","));) {
        int i = 0;
        while (i < count && strcmp(word, words[i]) != 0)
            i++;
        if (i == count)
            return OTHERWISE;
        *set |= 1u << i;
    }
    return NULL;
}

static const char *take_op(struct rule *rule, char *value)
{
    const char *words[OP_ORDERED + 1];
    for (int o = OP_NONE; o <= OP_ORDERED; o++)
        words[o] = op_word((enum op_class)o);
    return take_words(&rule->ops, value, words, OP_ORDERED + 1);
}

static const char *take_root(struct rule *rule, char *value)
{
    const char *words[ROOT_INSIDE + 1];
    for (int r = ROOT_FIRST; r <= ROOT_INSIDE; r++)
        words[r] = root_word((enum root_place)r);
    return take_words(&rule->roots, value, words, ROOT_INSIDE + 1);
}

/* Reads N, N-N or N-inf, where `parse` reads an N. */
static const char *take_span(struct span *span, char *value, bool (*parse)(const char *text, int64_t *number))
{
    char *least = strsep(&value, "-");
    if (!parse(least, &span->least) || span->least == SIZE_INF)
        return OTHERWISE;
    span->most = span->least;
    if (value && !parse(value, &span->most))
        return OTHERWISE;
    return span->least > span->most ? "is an empty range: the lower end comes first" : NULL;
}

static bool ranks_parse(const char *text, int64_t *number)
{
    int ranks;
    bool infinite = strcasecmp(text, "inf") == 0;
    if (!infinite && !count_parse(text, 1, INT_MAX, &ranks))
        return false;
    *number = infinite ? SIZE_INF : ranks;
    return true;
}

static const char *take_bytes(struct rule *rule, char *value)
{
    return take_span(&rule->bytes, value, size_parse);
}

static const char *take_ranks(struct rule *rule, char *value)
{
    return take_span(&rule->ranks, value, ranks_parse);
}

static const char *take_node_ranks(struct rule *rule, char *value)
{
    return take_span(&rule->node_ranks, value, ranks_parse);
}

/* A glob that matches everything is no condition, and shall not cost what one costs. */
static const char *take_site(struct rule *rule, char *value)
{
    if (!*value)
        return OTHERWISE;
    snprintf(rule->site, sizeof rule->site, "%s", value[strspn(value, "*")] ? value : "");
    return NULL;
}

static const char *take_engine(struct rule *rule, char *value)
{
    rule->engines = true;
    return verdict(engine_parse(value, &rule->engine) && !rule->engine.random);
}

/* A rule draws no engines, although settings do. */
static const char *hint_engine(const char *value, struct nearest *near)
{
    const char *hint = engine_hint(value, near);
    return strcmp(near->word, "random:") == 0 ? "" : hint;
}

static const char *take_block(struct rule *rule, char *value)
{
    return verdict(size_parse(value, &rule->block) && rule->block > 0);
}

static const char *take_alpha(struct rule *rule, char *value)
{
    return verdict(time_parse(value, &rule->figures.alpha));
}

static const char *take_beta(struct rule *rule, char *value)
{
    return verdict(time_parse(value, &rule->figures.beta));
}

static const char *take_gamma(struct rule *rule, char *value)
{
    return verdict(time_parse(value, &rule->figures.gamma));
}

#define COUNT_RANGE "a whole number of at least 1, or a range such as 2-16 or 2-inf"
#define TIME "seconds, or with suffix ms, us or ns"

const struct rule_key rule_keys[] = {
    {"collective", false, "bcast, reduce, scan, exscan or allreduce, joined by commas", .take = take_collective},
    {"op", false, "none, exact, rounding or user, joined by commas", .take = take_op},
    {"root", false, "first, last or inside, joined by commas", .take = take_root},
    {"bytes", false, "a size (bytes, or with K, M, G), or a range such as 64K-1M or 1M-inf", .take = take_bytes},
    {"ranks", false, COUNT_RANGE, .take = take_ranks},
    {"ranks-per-node", false, COUNT_RANGE, .take = take_node_ranks},
    {"site", false, "a pattern such as *solve*, in quotes if it has blanks", .take = take_site},
    {"engine", true, "auto, engine names (see pleach engines), or ^NAME", .take = take_engine, .hint = hint_engine},
    {"block", true, "a size (bytes, or with K, M, G; or inf) of at least 1", .take = take_block},
    {"alpha", true, TIME, .take = take_alpha},
    {"beta", true, TIME, .take = take_beta},
    {"gamma", true, TIME, .take = take_gamma},
    {0},
};
