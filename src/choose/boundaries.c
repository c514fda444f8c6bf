/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Costs of places; see boundaries.h. Load of a boundary: bytes across it in one direction, per byte of the message. Hops of
 * a level: its boundaries that the first block crosses.
 */
#include "boundaries.h"

#include "constants.h"
#include "model.h"

#include <math.h>

/*
 * The load for an engine that gives each rank a part. If neighbours lie near and places are equally large, it reduces inside
 * places first and gathers there last, unless made for one rank a node: ranks then send less than two messages out.
 */
static double work_load(const struct engine *e, const struct shape *shape, const struct level *l, bool near)
{
    const bool equal = (int64_t)l->parts * l->largest == shape->ranks;
    struct shape even = *shape;
    even.blocks = shape->ranks;
    if (near && equal && e->made_for != MADE_FOR_ONE_A_NODE)
        return 2 - 2 / (double)l->parts;
    return l->largest * e->serves[shape->collective].work(&even).between.sent;
}

/* In the direction that carries more. `near`: neighbours lie near each other. */
static double load_of(const struct engine *e, const struct shape *shape, const struct facts *f, const struct level *l,
                      bool near)
{
    const struct service *service = &e->serves[shape->collective];
    if (service->work)
        return work_load(e, shape, l, near);
    const double slope = service->generate ? service_round_bound(service, shape).slope : 0;
    if (service->generate && (!near || e->made_for == MADE_FOR_ONE_A_NODE))
        return slope * l->largest; /* each rank sends to other places */
    if (service->generate)
        return service->model.crossings > 0 ? service->model.crossings : slope;
    return native_load(f, l->parts, l->largest, near);
}

static bool native_returns(const struct facts *f)
{
    return f->collective == COLL_ALLREDUCE && f->op != OP_ORDERED;
}

/* `parts`: places of this level; `before`: of the next one outside. */
static double hops_of(const struct service *service, const struct facts *f, int parts, int before)
{
    if (service->executor.chained)
        return fmax(parts - before, 0);
    return (service->generate || native_returns(f) ? 2 : 1) * (ceil_log2(parts) - ceil_log2(before));
}

/* If neighbours lie as far apart as can be: every step crosses the outermost level. */
static double far_hops_of(const struct service *service, const struct facts *f, int level)
{
    const bool returns = service->generate ? service->work != NULL : native_returns(f);
    return level == 0 ? (returns ? 2 : 1) * ceil_log2(f->ranks) : 0;
}

struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, bool measured)
{
    const struct places *t = shape->places ? shape->places : f->machine->places[measured ? SOURCE_MEASURED : SOURCE_SURE];
    const struct service *service = &e->serves[shape->collective];
    struct boundaries b = {.slowest = 0};
    if (!t || !places_differ(t))
        return b;
    const bool near = service->generate ? shape->places != NULL : !t->order;
    const struct reach *reach = measured && t->measured ? t->reach : NULL;
    for (int i = 0, before = 1; i < t->depth - 1; before = t->level[i++].parts) {
        const struct level *l = &t->level[i];
        const double up = reach ? reach[i].up * (1 + f->machine->sharers) : g->beta;
        const double alpha = reach ? reach[i].alpha : g->alpha;
        const double hops = near ? hops_of(service, f, l->parts, before) : far_hops_of(service, f, i);
        b.slowest = fmax(b.slowest, load_of(e, shape, f, l, near) * up);
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
