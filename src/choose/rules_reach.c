/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the calls that a rule can match; see rules_internal.h.
 *
 * Rules apply to calls with data and at least two ranks. Only a broadcast has no operation. A call without a root counts as
 * one with the first rank as its root. With two ranks, the root is first or last, never inside. No node has more ranks than
 * take part in the call. The reach of a rule is all such calls that meet its conditions. Each earlier rule is compared alone
 * with a later one, so that a message can name one line. If only several earlier rules together cover a later one, no
 * message says so.
 */
#include "rules_internal.h"

#include <string.h>

enum { OP_CLASSES = OP_ORDERED + 1, ROOT_PLACES = ROOT_INSIDE + 1, KINDS = ROOT_PLACES * COLLECTIVES * OP_CLASSES };

struct reach_kind {
    enum collective collective;
    enum op_class op;
    enum root_place root;
};

/* Kinds, here without a size class, have numbers; the kinds whose root is inside come last. */
static struct reach_kind kind_of(int number)
{
    return (struct reach_kind){number / OP_CLASSES % COLLECTIVES, number % OP_CLASSES, number / OP_CLASSES / COLLECTIVES};
}

static const uint64_t inside_kinds = UINT64_MAX << (ROOT_INSIDE * COLLECTIVES * OP_CLASSES);

/* The kinds of call that a rule names and that exist: bit i stands for kind number i. */
static uint64_t kinds(const struct rule *rule)
{
    uint64_t set = 0;
    for (int i = 0; i < KINDS; i++) {
        const struct reach_kind k = kind_of(i);
        bool named = rule->collectives >> k.collective & 1 && rule->ops >> k.op & 1 && rule->roots >> k.root & 1;
        bool exists = collective_reduces(k.collective) == (k.op != OP_NONE) &&
                      (k.root == ROOT_FIRST || collective_rooted(k.collective)) &&
                      (k.root != ROOT_INSIDE || rule->ranks.most > 2);
        if (named && exists)
            set |= (uint64_t)1 << i;
    }
    return set;
}

/* Does some operation class of the rule go with one of its collectives? */
static bool kinds_agree(const struct rule *rule)
{
    struct rule any = *rule;
    any.roots = 1u << ROOT_FIRST;
    return kinds(&any);
}

/* The fewest ranks of a call that meets all conditions of the rule but `ranks`. A root that is inside needs three ranks. */
static int64_t least_ranks(const struct rule *rule)
{
    int64_t least = kinds(rule) & ~inside_kinds ? 2 : 3;
    return rule->node_ranks.least > least ? rule->node_ranks.least : least;
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
    if (!kinds_agree(rule))
        return "its op fits none of its collectives: a bcast has op=none, the others have another op";
    if (rule->ranks.most < 2)
        return "calls of one rank are always native";
    if (!kinds(rule))
        return "its root fits none of its calls: a call without a root has root=first, and with two ranks no root is inside";
    if (rule->bytes.most < 1)
        return "empty messages are always native";
    if (rule->node_ranks.least > rule->ranks.most)
        return "a node cannot have more ranks than the communicator";
    return NULL;
}

bool rule_covers(const struct rule *earlier, const struct rule *later)
{
    return !(kinds(later) & ~kinds(earlier)) && inside(clip(later->bytes, 1, INT64_MAX), earlier->bytes) &&
           inside(clip(later->ranks, least_ranks(later), INT64_MAX), earlier->ranks) &&
           inside(clip(later->node_ranks, 1, later->ranks.most), earlier->node_ranks) &&
           (!earlier->site[0] || strcmp(earlier->site, later->site) == 0);
}

enum { FEW = 9 };

/* Does the engine serve any of a few typical calls of this kind on p ranks? `places` may be NULL. */
static bool serves_among(const struct engine *e, struct reach_kind k, int p, const struct places *places)
{
    for (int node_ranks = 1; node_ranks <= 4; node_ranks++)
        for (int root = 0; root < p; root++) {
            const struct shape shape = {.collective = k.collective,
                                        .ordered = k.op == OP_ORDERED,
                                        .ranks = p,
                                        .root = root,
                                        .blocks = 1,
                                        .node_ranks = node_ranks,
                                        .depth = SEGMENT_DEPTH,
                                        .lanes = node_ranks,
                                        .places = places};
            if (root_place(root, p) == k.root && engine_fits(e, &shape))
                return true;
        }
    return false;
}

/* Does the engine serve any of a few typical calls of this kind, without places or with sites of two ranks each? */
static bool serves(const struct engine *e, struct reach_kind k)
{
    bool found = e->algorithm && e->serves[k.collective].text.rounds;
    for (int p = 2; p <= FEW && !found; p++) {
        int pair[FEW];
        for (int rank = 0; rank < p; rank++)
            pair[rank] = rank / 2;
        struct places *places = places_of(pair, p, 1, true);
        found = serves_among(e, k, p, NULL) || serves_among(e, k, p, places);
        places_free(places);
    }
    return found;
}

bool rule_served(const struct rule *rule)
{
    uint64_t set = kinds(rule);
    if (!rule->engine.rows || rule->engine.rows & 1) /* native serves every call */
        return true;
    for (int row = 1; engines[row]; row++)
        for (int i = 0; rule->engine.rows >> row & 1 && i < KINDS; i++)
            if (set >> i & 1 && serves(engines[row], kind_of(i)))
                return true;
    return false;
}
