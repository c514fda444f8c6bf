/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules that never match; see rules_internal.h. Calls have data and two ranks or more; only broadcasts have no operation;
 * without a root, a call counts as rooted at the first rank.
 */
#include "rules_internal.h"

#include <string.h>

static bool names(const struct rule *rule, int c, int op)
{
    return rule->collectives >> c & 1 && rule->ops >> op & 1 && collective_reduces((enum collective)c) == (op != OP_NONE);
}

const char *rule_unreachable(const struct rule *rule)
{
    bool named = false, rooted = false;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int op = 0; op <= OP_ORDERED; op++)
            if (names(rule, c, op)) {
                named = true;
                rooted |= rule->roots >> ROOT_FIRST & 1 || collective_rooted((enum collective)c);
            }
    if (!named)
        return "its op fits none of its collectives: a bcast has op=none, the others have another op";
    if (rule->ranks.most < 2)
        return "calls of one rank are always native";
    if (!rooted)
        return "its root fits none of its calls: a call without a root has root=first";
    if (rule->bytes.most < 1)
        return "empty messages are always native";
    if (rule->node_ranks.least > rule->ranks.most)
        return "a node cannot have more ranks than the communicator";
    return NULL;
}

static bool inside(struct span inner, struct span outer)
{
    return outer.least <= inner.least && inner.most <= outer.most;
}

bool rule_covers(const struct rule *earlier, const struct rule *later)
{
    return !(later->collectives & ~earlier->collectives) && !(later->ops & ~earlier->ops) &&
           !(later->roots & ~earlier->roots) && inside(later->bytes, earlier->bytes) &&
           inside(later->ranks, earlier->ranks) && inside(later->node_ranks, earlier->node_ranks) &&
           (!earlier->site[0] || strcmp(earlier->site, later->site) == 0);
}

/* Any of a few typical calls: two ranks may have more engines than three; with three, a root inside, several places. */
static bool serves(const struct engine *e, const struct rule *rule, int c, int op)
{
    static const int site[] = {0, 0, 1};
    bool found = e->algorithm && e->serves[c].text.rounds;
    for (int p = 2; p <= 3 && !found; p++) {
        struct places *places = places_of(site, p, 1, true);
        struct shape shape = {.collective = (enum collective)c,
                              .ordered = op == OP_ORDERED,
                              .ranks = p,
                              .blocks = 1,
                              .node_ranks = 1,
                              .depth = SEGMENT_DEPTH,
                              .lanes = 1,
                              .ports = {.most = 1},
                              .places = places};
        for (; shape.root < p && !found; shape.root++)
            found = rule->roots >> root_place(shape.root, p) & 1 && engine_fits(e, &shape);
        places_free(places);
    }
    return found;
}

bool rule_served(const struct rule *rule)
{
    bool served = !rule->engine.rows || rule->engine.rows & 1; /* native serves all */
    for (int row = 1; engines[row]; row++)
        for (int c = 0; c < COLLECTIVES && rule->engine.rows >> row & 1; c++)
            for (int op = 0; op <= OP_ORDERED && !served; op++)
                served = names(rule, c, op) && serves(engines[row], rule, c, op);
    return served;
}
