/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What places cost an engine; see boundaries.h. The message crosses the boundary of a place so many times, its load; and the
 * first block passes so many boundaries of each level on its way, its hops.
 */
#include "boundaries.h"

#include "constants.h"

#include <math.h>

/*
 * How often the message crosses the boundary of a part, in the direction that carries more. `near`: neighbours in the order
 * in which the ranks take part are near each other.
 */
static double load_of(const struct engine *e, const struct shape *shape, const struct level *l, bool near)
{
    const struct service *service = &e->serves[shape->collective];
    const double slope = service->pace ? service->pace(shape).slope : 0;
    if (service->generate && (!near || e->made_for == MADE_FOR_ONE_A_NODE))
        return slope * l->largest; /* each rank sends to other places */
    if (service->generate)
        return service->model.crossings > 0 ? service->model.crossings : slope;
    /* MPICH's scan sends from all ranks in each far round; its broadcasts and reductions go through all ranks in a ring. */
    if (!collective_rooted(shape->collective))
        return l->largest * (double)ceil_log2(near ? l->parts + 1 : shape->ranks);
    return near ? NATIVE_LOAD : l->largest;
}

/* Boundaries of a level that the first block passes; `before`: the parts of the level above. */
static double hops_of(const struct service *service, int parts, int before)
{
    if (service->executor.chained)
        return fmax(parts - before, 0);
    return (service->generate ? 2 : 1) * (ceil_log2(parts) - ceil_log2(before));
}

struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, bool measured)
{
    const struct places *t = shape->places ? shape->places : f->machine->places[SOURCE_MEASURED];
    const struct service *service = &e->serves[shape->collective];
    struct boundaries b = {.slowest = 0};
    if (!t || !places_differ(t))
        return b;
    const bool near = service->generate ? shape->places != NULL : !t->order;
    const struct reach *reach = measured && t->measured ? t->reach : NULL;
    for (int i = 0, before = 1; i < t->depth - 1; before = t->level[i++].parts) {
        const struct level *l = &t->level[i];
        const double up = reach ? reach[i].up : g->beta;
        const double alpha = reach ? reach[i].alpha : g->alpha;
        /* Otherwise, neighbours are as far from each other as ranks can be. */
        const double hops = near ? hops_of(service, l->parts, before) : i == 0 ? ceil_log2(shape->ranks) : 0;
        b.slowest = fmax(b.slowest, load_of(e, shape, l, near) * up);
        b.hops += hops;
        b.way += hops * alpha;
        if (t->place[0].line && i == 0 && service->model.both_ways)
            b.turn = alpha * FAR_TURN;
    }
    if (service->first && shape->places && reach) {
        b.hops = INFINITY;
        b.way = service->first(shape);
    }
    return b;
}
