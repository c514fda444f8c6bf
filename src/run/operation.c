/* SPDX-License-Identifier: BSD-2-Clause */
/* See operation.h. */
#include "execution.h"
#include "hot.h"
#include "own_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Most steps on a tape. Without one, each step costs more. */
enum { TAPE = 64 };

/* Of what must be equal on all ranks. By it, different calls get different tags: an error, not wrong blocks. */
static uint64_t hash_of(const struct operation *o)
{
    const struct facts *f = &o->facts;
    const uint64_t words[] = {(uint64_t)f->bytes, (uint64_t)f->units, (uint64_t)o->plan.blocks, (uint64_t)o->plan.wide};
    uint64_t h = o->sort;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15u + 1;
    return h;
}

/* Blocks are bytes. With messages, all ranks agree on memory for bounce buffers, which those with gaps need. */
static void make_stream(struct operation *o)
{
    o->room = span_align(cut_largest(&o->cut));
    o->scratch = o->scratch_agreed = o->service->segment.cells ? 0 : BOUNCE_BUFFERS * o->room;
    if (o->map)
        o->gapless = typemap_contiguous(o->map, &o->stream_at);
}

enum { FOLD_ROOM = 1 << 20 }; /* bytes, with gaps, of the operands of a fold in a segment */

/*
 * Blocks are elements, with the application's gaps in scratch slots and none in cells. In a segment, a rank with gaps folds
 * some elements at once in two scratch slots; but a user's operation that gets one block gets it whole (PLEACH_BLOCK=inf).
 */
static void make_elements(struct operation *o)
{
    bool copies = o->service->executor.keeps_input;
    int64_t slots = o->plan.engine->scratch;
    const int64_t wide = o->shape.ports.ranks ? 1 : shape_wide(&o->shape);
    int64_t largest = cut_largest(&o->cut) * wide;
    const bool apart = o->service->segment.cells && !o->gapless, whole = o->facts.op == OP_ORDERED && o->plan.blocks == 1;
    const int64_t fit = o->element.extent ? FOLD_ROOM / llabs(o->element.extent) : largest;
    o->folded = whole || fit > largest ? largest : fit > 1 ? fit : 1;
    o->room = extents_span(&o->element, apart ? o->folded : largest, &o->slot_at);
    int64_t copy = copies ? extents_span(&o->element, o->facts.units, &o->copy_at) : 0;
    o->scratch = (apart ? 2 : slots) * o->room + copy;
    o->scratch_agreed = slots * span_align(largest * o->unit) + (copies ? span_align(o->facts.bytes) : 0);
}

/* With CELLS_SLICES, a part is a round. */
static int cell_log_of(const struct operation *o)
{
    if (o->shape.ports.ranks)
        return ceil_log2(o->shape.ranks * o->facts.bytes);
    const bool slices = o->service->segment.cells == CELLS_SLICES;
    return ceil_log2((slices ? ceil_div(o->cut.units, o->cut.parts) : cut_largest(&o->cut)) * o->unit);
}

/* The outermost places, if they form a line; else one site. */
static void find_site(struct operation *o)
{
    const struct places *t = o->shape.places;
    o->site_first = 0;
    o->site_end = o->shape.ranks;
    if (!t || !t->place[0].line)
        return;
    int part = places_part(0);
    while (t->place[part].end <= o->at)
        part = t->place[part].next;
    o->site_first = t->place[part].first;
    o->site_end = t->place[part].end;
}

static void drop_schedule(struct operation *o)
{
    composition_drop(&o->composition);
    own_memory_free(o->schedule);
    own_memory_free(o->tape);
    o->schedule = NULL;
    o->tape = NULL;
}

static void set_size(struct operation *o)
{
    const struct plan *plan = &o->plan;
    assert(plan->blocks >= 1 && plan->blocks <= o->facts.units);
    const bool ports = o->facts.ports.ranks > 0;
    o->shape.blocks = ports ? o->shape.ranks : plan->blocks;
    o->shape.wide = ports ? o->shape.ranks : plan->wide;
    assert(engine_fits(plan->engine, &o->shape));
    o->cut = (struct cut){
        .units = o->facts.units, .blocks = plan->blocks, .parts = ports ? 1 : engine_parts(plan->engine, &o->shape)};
    o->meaning = hash_of(o);
    o->cell_log = o->service->segment.cells ? cell_log_of(o) : 0;
    o->small = o->service->segment.cells && !ports && INT64_C(1) << o->cell_log <= SEGMENT_SMALL;
}

void operation_plan(struct operation *o, int rank)
{
    const struct facts *f = &o->facts;
    const struct plan *plan = &o->plan;
    assert(plan->engine != engines[0]);
    o->service = &plan->engine->serves[f->collective];
    o->shape = choose_shape(f, plan->blocks);
    const struct places *t = o->shape.places;
    o->order = t ? t->order : NULL;
    o->at = o->order ? t->position[rank] : rank;
    find_site(o);
    o->unit = f->bytes / f->units;
    o->sort =
        (uint64_t)f->root << 32 | (uint64_t)f->collective << 24 | (uint64_t)f->op << 16 | (uint64_t)engine_row(plan->engine);
    set_size(o);
}

HOT void operation_cut(struct operation *o, const struct facts *f, const struct plan *plan)
{
    assert(plan->engine == o->plan.engine && !operation_has_stages(o) && f->bytes / f->units == o->unit);
    if (plan->blocks != o->plan.blocks || plan->wide != o->plan.wide)
        drop_schedule(o);
    o->facts.bytes = f->bytes;
    o->facts.units = f->units;
    o->plan = *plan;
    set_size(o);
}

/* Not for dense elements in order. */
static void drop_map(struct operation *o)
{
    ptrdiff_t first;
    if (!o->map || !extents_dense(&o->element) || !typemap_contiguous(o->map, &first) || first != 0)
        return;
    typemap_free(o->map);
    o->map = NULL;
    o->element.plain = true;
}

void operation_fit(struct operation *o, int rank)
{
    drop_map(o);
    o->gapless = o->element.plain;
    o->slot_at = o->copy_at = o->stream_at = 0;
    if (collective_streams(o->facts.collective))
        make_stream(o);
    else
        make_elements(o);
    if (operation_has_stages(o))
        composition_make(o, rank);
}

void operation_make(struct operation *o, int rank)
{
    operation_plan(o, rank);
    operation_fit(o, rank);
}

struct making {
    struct walk walk;
    struct step step[TAPE + 1];
};

/* NULL: more than TAPE, or no memory. */
static struct step *record_tape(struct making *m, int *steps)
{
    struct step *tape = NULL;
    int count = 0;
    while (count <= TAPE && walk_next(&m->walk, &m->step[count]))
        count++;
    if (count <= TAPE)
        tape = own_memory((size_t)(count + 1) * sizeof *tape);
    if (tape)
        memcpy(tape, m->step, (size_t)count * sizeof *tape);
    *steps = count;
    return tape;
}

void operation_keep(struct operation *o)
{
    if (operation_has_stages(o)) {
        composition_keep(o);
        return;
    }
    struct making *m = malloc(sizeof *m);
    if (!m)
        return;
    engine_walk(o->plan.engine, &m->walk, &o->shape, o->at);
    o->schedule = schedule_copy(&m->walk.schedule);
    o->tape = o->schedule ? record_tape(m, &o->steps) : NULL;
    free(m);
}

void operation_end(struct operation *o)
{
    typemap_free(o->map);
    o->map = NULL;
    drop_schedule(o);
}
