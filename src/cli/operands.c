/* SPDX-License-Identifier: BSD-2-Clause */
/* Engines, collectives, roots, places and rules that operands and options name; see cli.h. */
#include "cli.h"

#include "nearest.h"
#include "place_text.h"
#include "simplex.h"

#include <stdlib.h>

const struct engine *cli_engine(const char *name)
{
    const struct engine *e = engine_find(name);
    struct nearest near = {.text = name};
    enum collective c;
    if (!e && collective_parse(name, &c))
        cli_fail(STATUS_USAGE, "'%s' is a collective: name an engine before it", name);
    for (int i = 0; engines[i]; i++)
        nearest_try(&near, engines[i]->name);
    if (!e)
        cli_fail(STATUS_USAGE, "no engine is called '%s'%s; see 'pleach engines'", name, nearest_hint(&near));
    return e;
}

const struct engine *cli_simplex(const struct engine *e, bool wanted)
{
    if (!wanted)
        return e;
    const struct engine *variant = simplex_engine(e);
    if (!variant)
        cli_fail(STATUS_USAGE, "--simplex: %s has no simplex variant; two-tree and fractional have one", e->name);
    return variant;
}

enum collective cli_collective(const char *name)
{
    enum collective c;
    if (!collective_parse(name, &c) && engine_find(name))
        cli_fail(STATUS_USAGE, "'%s' is an engine; the collectives are " COLLECTIVE_WORDS, name);
    if (!collective_parse(name, &c))
        cli_fail(STATUS_USAGE, "no collective is called '%s'; the collectives are " COLLECTIVE_WORDS, name);
    return c;
}

struct places *cli_places(const char *text, int64_t *ranks)
{
    static struct places *t; /* never freed */
    const char *why;
    if (!text)
        return NULL;
    t = places_read(text, MOST_PLACED, &why);
    if (!t)
        cli_fail(STATUS_USAGE, "--places %s: %s", text, why);
    if (*ranks && *ranks != places_ranks(t))
        cli_fail(STATUS_USAGE, "--places %s: the tree has %d ranks, not the %lld of --ranks", text, places_ranks(t),
                 (long long)*ranks);
    *ranks = places_ranks(t);
    return t;
}

void cli_check_root(enum collective c, int64_t ranks, int64_t root)
{
    if (ranks == 0)
        cli_fail(STATUS_USAGE, "--ranks is missing");
    if (root > 0 && !collective_rooted(c))
        cli_fail(STATUS_USAGE, "--root %lld: %s has no root", (long long)root, collective_name(c));
    if (root >= ranks)
        cli_fail(STATUS_USAGE, "--root %lld: the ranks are 0 to %lld", (long long)root, (long long)ranks - 1);
}

static void refuse_rules(void *file, int line, bool fatal, const char *why)
{
    if (fatal)
        cli_fail(STATUS_FAILED, "%s:%d: %s; see pleach-rules(5)", (const char *)file, line, why);
}

struct rules *cli_rules(char *text, const char *file, const char *why)
{
    if (!text)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", file, why);
    struct rules *rules = rules_parse(text, refuse_rules, (void *)file);
    cli_enough(rules);
    free(text);
    return rules;
}
