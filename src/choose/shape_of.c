/* SPDX-License-Identifier: BSD-2-Clause */
/* The shape of a planned call: places, nodes, lanes, cells; see choose.h. */
#include "model.h"

/* NULL: none. Their order may replace that of ranks if facts_any_order(); else each place needs consecutive ranks. */
static const struct places *places_for(const struct facts *f)
{
    const struct places *t = f->machine->places[facts_source(f)];
    return t && places_differ(t) && (!t->order || facts_any_order(f)) ? t : NULL;
}

/* n if, in the order of the places, each rank r is on node r / n; else 0. */
static int node_ranks(const struct machine *m, const struct places *t, int ranks)
{
    bool ordered = t && t->order, regular = ordered ? m->nodes * m->node_ranks == ranks : m->consecutive;
    return regular ? m->node_ranks : 0;
}

/*
 * Lanes need several nodes of several ranks each, consecutive ones unless facts_any_order(). Places around nodes must not
 * split one.
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
 * Of a stage between nodes, as its facts say; or for a whole call: the ranks of the smallest node, if lanes and all nodes'
 * messages fit.
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
                          .domain = f->machine->domain,
                          .depth = cells && (f->machine->nodes == 1 || f->ports.most) ? SEGMENT_DEPTH : 0,
                          .lanes = lanes,
                          .places = t};
}
