/* SPDX-License-Identifier: BSD-2-Clause */
/* See simulate.h. How an engine becomes a generator. */
#include "simulate.h"

#include "simplex.h"

#include <stdio.h>

static void start_engine(void *self, struct walk *w, const struct shape *shape, int rank)
{
    const struct engine *e = self;
    engine_walk(e, w, shape, rank);
}

static bool next_of_engine(void *self, struct walk *w, struct step *step, int rank)
{
    (void)self;
    (void)rank;
    return walk_next(w, step);
}

int64_t simulate_bound(const struct engine *e, const struct shape *shape)
{
    struct round_bound bound = service_round_bound(&e->serves[shape->collective], shape);
    return (int64_t)(bound.slope * (double)shape->blocks + bound.latency + 1e-6); /* the slope may be rounded down */
}

static bool within_bound(const struct engine *e, const struct shape *shape, struct verdict *v)
{
    const int64_t bound = simulate_bound(e, shape);
    v->ok = v->rounds <= bound;
    if (!v->ok)
        snprintf(v->why, sizeof v->why, "%lld rounds, more than the bound %lld", (long long)v->rounds, (long long)bound);
    return v->ok;
}

/* Alone, then three in a row, the second in place. */
static bool simulate_in_segment(const struct generator *g, const struct engine *e, const struct shape *shape,
                                struct verdict *v)
{
    const struct segment_call calls[] = {
        {g, shape, false, 1, false}, {g, shape, true, 1, false}, {g, shape, false, 1, false}};
    struct verdict more;
    if (!simulate_segment(calls, 1, shape->depth, 1, v) || !within_bound(e, shape, v))
        return false;
    v->ok = simulate_segment(calls, 3, shape->depth, 1, &more);
    if (!v->ok)
        snprintf(v->why, sizeof v->why, "three calls: %.200s", more.why);
    return v->ok;
}

bool simulate_engine(const struct engine *e, const struct shape *shape, struct verdict *v)
{
    return simulate_engine_by(e, shape, engine_is_simplex(e), v);
}

bool simulate_engine_by(const struct engine *e, const struct shape *shape, bool simplex, struct verdict *v)
{
    const struct generator g = {start_engine, next_of_engine, (void *)e,
                                e->scratch,   simplex,        e->serves[shape->collective].executor.keeps_input};
    if (e->serves[shape->collective].segment.cells && shape->ranks > 1)
        return simulate_in_segment(&g, e, shape, v);
    if (!simulate(&g, shape, false, v) || !within_bound(e, shape, v))
        return false;
    struct verdict in_place;
    if (collective_reduces(shape->collective) && !simulate(&g, shape, true, &in_place)) {
        v->ok = false;
        snprintf(v->why, sizeof v->why, "with MPI_IN_PLACE: %.200s", in_place.why);
    }
    return v->ok;
}
