/* SPDX-License-Identifier: BSD-2-Clause */
/* For unit tests of composed calls: all calls on all small layouts of nodes. */
#pragma once

#include "lanes.h"
#include "own_memory.h"
#include "suite.h"

enum { MOST_NODES = 5, MOST_NODE = 4, MOST_SMALL = 3, MOST_RANKS = MOST_NODES * MOST_NODE };

static struct node_list *nodes;
static int least; /* ranks of the smallest node */

/* Sets `nodes` to `count` nodes of sizes[n] ranks. The ranks are consecutive on each node, or dealt to the nodes in turn. */
static void lay_out(const int *sizes, int count, bool in_turn)
{
    int node[MOST_RANKS], left[MOST_RANKS], ranks = 0, most = 0;
    least = MOST_RANKS;
    for (int n = 0; n < count; n++) {
        left[n] = sizes[n];
        least = sizes[n] < least ? sizes[n] : least;
        most = sizes[n] > most ? sizes[n] : most;
    }
    for (int turn = 0; turn < (in_turn ? most : 1); turn++)
        for (int n = 0; n < count; n++)
            for (int i = in_turn ? 1 : sizes[n]; i > 0 && left[n] > 0; i--, left[n]--)
                node[ranks++] = n;
    own_memory_free(nodes);
    nodes = node_list_new(node, ranks);
    ck_assert_ptr_nonnull(nodes);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

struct call {
    struct lanes lanes;
    int root;
    bool in_place;
};

static const char *text_of(const struct call *c, char text[160])
{
    snprintf(text, 160, "%s%s%s, %d ranks on %d nodes%s, root %d, %d lanes, %d slices%s",
             collective_name(c->lanes.collective), c->lanes.scatters ? " that scatters" : "",
             c->lanes.ordered ? " in order" : "", nodes->ranks, nodes->nodes, nodes->node[1] ? ", dealt out" : "", c->root,
             c->lanes.lanes, (int)c->lanes.slices, c->in_place ? ", in place" : "");
    return text;
}

/* Checks all calls of one collective on `nodes` with this value of `ordered`. Returns their number. */
static int calls_of_kind(enum collective c, bool ordered, void (*check)(const struct call *))
{
    const int most = lanes_one(c, ordered) ? 1 : least;
    int calls = 0;
    for (int root = 0; root < (collective_rooted(c) ? nodes->ranks : 1); root++)
        for (int lanes = 1; lanes <= most; lanes++)
            for (int chunks = 1; chunks <= (c == COLL_REDUCE ? 3 : 2); chunks++)
                for (int form = 0; form < 2; form++, calls++) /* form 1: in place, or with scattering */
                    check(&(struct call){{.collective = c,
                                          .ordered = ordered,
                                          .root = node_rank_of(nodes, root),
                                          .lanes = lanes,
                                          .slices = lanes * chunks,
                                          .scatters = form && !collective_reduces(c),
                                          .nodes = nodes},
                                         root,
                                         form && collective_reduces(c)});
    return calls;
}

/* Checks all calls on `count` nodes of 2 to `most` ranks each. Returns their number. */
static int all_calls(int count, int most, void (*check)(const struct call *))
{
    int sizes[MOST_NODES], calls = 0;
    for (int n = 0; n < count; n++)
        sizes[n] = 2;
    for (int n = 0; n < count;) {
        for (int in_turn = 0; in_turn <= 1; in_turn++) {
            lay_out(sizes, count, in_turn);
            for (enum collective c = 0; c < COLLECTIVES; c++)
                for (int ordered = 0; ordered <= (collective_reduces(c) && !in_turn); ordered++)
                    calls += in_turn && collective_prefix(c) ? 0 : calls_of_kind(c, ordered, check);
        }
        for (n = 0; n < count && ++sizes[n] > most; n++)
            sizes[n] = 2;
    }
    return calls;
}
