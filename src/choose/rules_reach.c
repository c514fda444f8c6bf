/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calls that a rule can reach; see rules_internal.h.
 *
 * A call that gets as far as the rules has data and two ranks or more, and whatever it is, a broadcast alone has no
 * operation, and a node has no more ranks than there are in all. What these leave of a rule's conditions is its reach. Each
 * earlier rule is looked at alone: then one line can be named. That several together cover a rule goes unnoticed.
 */
#include "rules_internal.h"

#include <string.h>

enum { OP_CLASSES = OP_ORDERED + 1 };

/* The kinds of call that a rule names and that there are: bit OP_CLASSES * c + o. */
static unsigned kinds(const struct rule *rule)
{
    unsigned set = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int o = OP_NONE; o < OP_CLASSES; o++)
            if (rule->collectives >> c & 1 && rule->ops >> o & 1 && (c == COLL_BCAST) == (o == OP_NONE))
                set |= 1u << (OP_CLASSES * c + o);
    return set;
}

/* The part of the span from `least` to `most`. */
static struct span clip(struct span span, int64_t least, int64_t most)
{
    return (struct span){span.least > least ? span.least : least, span.most < most ? span.most : most};
}

static bool inside(struct span inner, struct span outer)
{
    return outer.least <= inner.least && inner.most <= outer.most;
}

const char *rule_unreachable(const struct rule *rule)
{
    if (!kinds(rule))
        return "its kinds of operation and its collectives do not go together: broadcasts alone have none";
    if (rule->ranks.most < 2)
        return "calls of one rank are always native";
    if (rule->bytes.most < 1)
        return "empty messages are always native";
    if (rule->node_ranks.least > rule->ranks.most)
        return "a node never has more ranks than there are in all";
    return NULL;
}

bool rule_covers(const struct rule *earlier, const struct rule *later)
{
    return !(kinds(later) & ~kinds(earlier)) && inside(clip(later->bytes, 1, INT64_MAX), earlier->bytes) &&
           inside(clip(later->ranks, later->node_ranks.least > 2 ? later->node_ranks.least : 2, INT64_MAX),
                  earlier->ranks) &&
           inside(clip(later->node_ranks, 1, later->ranks.most), earlier->node_ranks) &&
           (!earlier->site[0] || strcmp(earlier->site, later->site) == 0);
}

/* Is there a call of this kind, among a few of each sort, that the engine serves? */
static bool serves(const struct engine *e, enum collective c, enum op_class o)
{
    for (int p = 2; p <= 9; p++)
        for (int node_ranks = 1; node_ranks <= 4; node_ranks++)
            for (int root = 0; root < p; root++) {
                const struct shape shape = {.collective = c,
                                            .ordered = o == OP_ORDERED,
                                            .ranks = p,
                                            .root = collective_rooted(c) ? root : 0,
                                            .blocks = 1,
                                            .node_ranks = node_ranks};
                if (engine_fits(e, &shape))
                    return true;
            }
    return false;
}

bool rule_served(const struct rule *rule)
{
    unsigned set = kinds(rule);
    if (!rule->engines || rule->engine.rows & 1) /* the native calls are there for all */
        return true;
    for (int row = 1; engines[row]; row++)
        for (int kind = 0; rule->engine.rows >> row & 1 && kind < COLLECTIVES * OP_CLASSES; kind++)
            if (set >> kind & 1 && serves(engines[row], kind / OP_CLASSES, kind % OP_CLASSES))
                return true;
    return false;
}
