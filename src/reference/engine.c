/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry of engines. */
#include "hash.h"
#include "trees.h"

#include <assert.h>
#include <string.h>

#define ENGINES(X)                                                                                                          \
    X(native)                                                                                                               \
    X(node_flat)                                                                                                            \
    X(node_tree)                                                                                                            \
    X(node_copy)                                                                                                            \
    X(node_line)                                                                                                            \
    X(node_ring)                                                                                                            \
    X(node_prefixes)                                                                                                        \
    X(chain)                                                                                                                \
    X(ring)                                                                                                                 \
    X(bintree)                                                                                                              \
    X(fractional)                                                                                                           \
    X(butterfly)                                                                                                            \
    X(two_tree)                                                                                                             \
    X(two_tree_mirror)                                                                                                      \
    X(doubly_pipelined)                                                                                                     \
    X(smp)                                                                                                                  \
    X(smp_nested)                                                                                                           \
    X(smp_phases)                                                                                                           \
    X(places)                                                                                                               \
    X(places_line)                                                                                                          \
    X(places_tree)                                                                                                          \
    X(lanes)                                                                                                                \
    X(multiport)                                                                                                            \
    X(circulant)                                                                                                            \
    X(binomial)                                                                                                             \
    X(doubling)                                                                                                             \
    X(latency_tree)                                                                                                         \
    X(mesh)                                                                                                                 \
    X(scatter_allgather)                                                                                                    \
    X(adaptive_latency)                                                                                                     \
    X(adaptive_bandwidth)                                                                                                   \
    X(fractional_places)

#define DECLARE(name) extern const struct engine engine_##name;
#define DECLARE_NATIVE(name) DECLARE(native_##name)
#define ROW(name) &engine_##name,
#define ROW_NATIVE(name) ROW(native_##name)

ENGINES(DECLARE)
NATIVE_ALGORITHMS(DECLARE_NATIVE)

const struct engine *const engines[] = {ENGINES(ROW) NATIVE_ALGORITHMS(ROW_NATIVE) NULL};

int engine_count(void)
{
    return (int)(sizeof engines / sizeof engines[0]) - 1;
}

const struct engine *engine_find(const char *name)
{
    for (int i = 0; engines[i]; i++)
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

int engine_row(const struct engine *e)
{
    int i = 0;
    while (engines[i] != e)
        i++;
    return i;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return hash_add(hash, text ? hash_text(text) : 0);
}

uint64_t engine_hash(uint64_t hash, const struct engine *e)
{
    hash = add_text(hash, e->name);
    hash = hash_add(hash, (uint64_t)e->halves << 32 | (uint64_t)e->scratch);
    for (int c = 0; c < COLLECTIVES; c++) {
        const struct service *s = &e->serves[c];
        hash = add_text(hash, s->text.rounds);
        hash = hash_add(hash, (uint64_t)s->needs);
        hash = hash_add(hash, (uint64_t)s->model.order_varies << 2 | (uint64_t)s->executor.keeps_input << 1 |
                                  (uint64_t)s->executor.chained);
    }
    return hash;
}

uint32_t engine_mark(const struct engine *e)
{
    return (uint32_t)engine_hash(hash_text(WIRE_PROTOCOL), e) | 1;
}

bool engine_fits(const struct engine *e, const struct shape *shape)
{
    const struct service *s = &e->serves[shape->collective];
    const bool staged = shape->roots || shape->readers != READERS_ALL;
    return (s->generate || s->composed) && need_met(s->needs, shape) && (!staged || s->segment.staged);
}

struct round_bound service_round_bound(const struct service *s, const struct shape *shape)
{
    return s->trees ? s->trees->round_bound(s->trees, shape) : s->round_bound(shape);
}

int64_t service_wide(const struct service *s, int ranks, int64_t wide)
{
    const bool several = s->segment.cells == CELLS_SLICES || s->segment.cells == CELLS_NODES;
    const int64_t most = several ? ranks : s->work ? INT64_MAX : 1;
    return wide < most ? wide : most;
}

int64_t engine_parts(const struct engine *e, const struct shape *s)
{
    const struct service *service = &e->serves[s->collective];
    if (s->roots)
        return s->roots;
    if (service->segment.cells == CELLS_SLICES)
        return ceil_div(s->blocks, shape_wide(s));
    return service->work || service->segment.cells == CELLS_PARTS ? s->ranks : 1 + e->halves;
}

void engine_make(const struct engine *e, struct schedule *s, const struct shape *shape, int rank)
{
    assert(engine_fits(e, shape));
    assert(shape->wide == service_wide(&e->serves[shape->collective], shape->ranks, shape->wide));
    schedule_clear(s, shape, rank, e->scratch);
    s->trees = e->serves[shape->collective].trees;
    s->one_reader = shape->ranks <= e->serves[shape->collective].segment.one_reader;
    assert(!s->one_reader || e->serves[shape->collective].segment.cells != CELLS_SLICES);
    if (shape->ranks > 1)
        e->serves[shape->collective].generate(s);
    else if (collective_writes(shape->collective, rank, shape->root))
        schedule_lane(s, (struct lane){.leg = LEG_LOCAL,
                                       .peer = NOBODY,
                                       .before = {{STEP_COPY, SLOT_IN, SLOT_OUT}},
                                       .period = 1,
                                       .left = shape->blocks});
}

void engine_walk(const struct engine *e, struct walk *w, const struct shape *shape, int rank)
{
    schedule_in(&w->schedule, &w->arena);
    engine_make(e, &w->schedule, shape, rank);
    cursor_begin(&w->cursor, &w->schedule);
}
