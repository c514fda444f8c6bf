/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape of a planned call: its ranks by places, nodes, lanes and cells; see choose_shape() in choose.h. */
#include "model.h"

/*
 * Returns the places that the engines of a call work with; NULL if there are none. The order of the places may replace that
 * of the ranks if facts_any_order() holds; if not, the ranks of each place must be consecutive.
 */
static const struct places *places_for(const struct facts *f)
{
    const struct places *t = f->machine->places[facts_source(f)];
    return t && places_differ(t) && (!t->order || facts_any_order(f)) ? t : NULL;
}

/* Returns the number n of ranks of a node if, in the order of the places, rank r is on node r / n for each r; else 0. */
static int node_ranks(const struct machine *m, const struct places *t, int ranks)
{
    bool ordered = t && t->order, regular = ordered ? m->nodes * m->node_ranks == ranks : m->consecutive;
    return regular ? m->node_ranks : 0;
}

/*
 * Lanes fit if there are several nodes, each with several ranks, and if the ranks of each node are consecutive or
 * facts_any_order() holds. Lanes heed places that hold several nodes. If such places split a node, lanes do not fit.
 */
int choose_lanes(const struct facts *f, int64_t cell)
{
    const struct machine *m = f->machine;
    const struct places *t = m->places[facts_source(f)];
    if (!cell || f->units == 0 || f->bytes / f->units > cell || m->nodes < 2 || m->node_least < 2 ||
        (!m->gathered && !facts_any_order(f)))
        return 0;
    return t && t->splits_nodes ? 0 : m->node_least;
}

/*
 * The ports of a stage between nodes, as its facts have them; or those that a whole call may have: all ranks of the smallest
 * node, if there can be lanes, and a node has room for the message of each node.
 */
static struct ports ports_of(const struct facts *f, int lanes)
{
    const struct machine *m = f->machine;
    if (f->ports.most)
        return f->ports;
    return (struct ports){.most = lanes > 0 && f->bytes <= SEGMENT_NODES * m->cell / m->nodes ? m->node_least : 0};
}

struct shape choose_shape(const struct facts *f, int64_t blocks)
{
    const struct places *t = places_for(f);
    const bool cells = f->machine->cell && f->units > 0 && f->bytes / f->units <= f->machine->cell;
    const int lanes = choose_lanes(f, f->machine->cell);
    return (struct shape){.collective = f->collective,
                          .ordered = f->op == OP_ORDERED,
                          .ranks = f->ranks,
                          .root = t && t->order ? t->position[f->root] : f->root,
                          .roots = f->roots,
                          .readers = f->readers,
                          .reader = f->reader,
                          .ports = ports_of(f, lanes),
                          .blocks = blocks,
                          .node_ranks = node_ranks(f->machine, t, f->ranks),
                          .depth = cells && (f->machine->nodes == 1 || f->ports.most) ? SEGMENT_DEPTH : 0,
                          .lanes = lanes,
                          .places = t};
}
