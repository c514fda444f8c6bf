/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What places cost an engine; see boundaries.h. PLACES: the message crosses the boundary of a place so many times (its
 * load), and the first block passes so many boundaries of each level on its way (its hops).
 */
#include "boundaries.h"

#include "constants.h"

#include <assert.h>
#include <math.h>

/* How often the message crosses the boundary of a part, in the direction that carries more. */
static double load_of(const struct engine *e, const struct shape *shape, const struct level *l)
{
    const struct service *service = &e->serves[shape->collective];
    const bool native = !service->generate, scan = !collective_rooted(shape->collective);
    const double slope = native ? 0 : service->pace(shape).slope;
    if (!native && (!shape->places || e->made_for == MADE_FOR_ONE_A_NODE))
        return slope * l->largest; /* each rank sends to all places, or their ranks are dealt out */
    if (!native)
        return service->model.crossings > 0 ? service->model.crossings : slope;
    /* MPICH's scan sends from all ranks in each far round; its broadcasts and reductions go through all ranks in a ring. */
    if (scan)
        return l->largest * (double)ceil_log2(shape->places ? (l->parts + 1) : shape->ranks);
    return shape->places ? NATIVE_LOAD : l->largest;
}

/* Boundaries of a level that the first block passes. */
static double hops_of(const struct service *service, const struct level *l, int before)
{
    if (service->executor.chained)
        return fmax(l->parts - before, 0);
    return 2 * (ceil_log2(l->parts) - ceil_log2(before));
}

struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, const struct reach *reach)
{
    const struct places *t = shape->places ? shape->places : f->machine->places[SOURCE_MEASURED];
    const struct service *service = &e->serves[shape->collective];
    struct boundaries b = {.slowest = 0};
    if (!t || !places_differ(t))
        return b;
    if (t != f->machine->places[SOURCE_MEASURED])
        reach = NULL; /* it tells of other levels */
    for (int i = 0, before = 1; i < t->depth - 1; before = t->level[i++].parts) {
        const struct level *l = &t->level[i];
        const double up = reach && reach[i].up > 0 ? reach[i].up : g->beta;
        const double alpha = reach && reach[i].alpha > 0 ? reach[i].alpha : g->alpha;
        /* Dealt out, neighbours are as far from each other as ranks can be. */
        const double hops = shape->places ? hops_of(service, l, before) : i == 0 ? ceil_log2(shape->ranks) : 0;
        b.slowest = fmax(b.slowest, load_of(e, shape, l) * up);
        b.hops += hops;
        b.way += hops * alpha;
        if (t->place[0].line && i == 0 && service->model.both_ways)
            b.turn = alpha * FAR_TURN;
    }
    return b;
}
