/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For unit tests that run the executor on ranks that are threads of one process: calls, their operands and their results. In
 * a call, each rank has a layout of its own, with gaps or without. Some calls use MPI_IN_PLACE.
 */
#pragma once

#include "affine.h"
#include "gaps.h"
#include "hash.h"
#include "operation.h"
#include "segment.h"

enum { RANKS = 6, CALLS = 2000, ELEMENTS_MOST = 1009 };

struct call {
    struct facts facts;
    struct plan plan;
    bool kernel, in_place, kept;
    uint64_t drawn; /* a random number, from which the layouts of the ranks follow */
    size_t at;      /* the number of elements of all earlier calls */
    /* For check_composed: the rank that fails, or NOBODY; the number of the exchange in which it fails; 0: before all. */
    int fails, exchange;
};

static struct {
    int ranks, calls;
    struct machine machine;
    struct call call[CALLS];
    size_t elements; /* of all calls */
} job;

/* ---- Memory ----------------------------------------------------------------------------------------------------------- */

/* Memory for a segment, all zero. The caller frees it. */
static inline char *segment_memory(const struct segment *s)
{
    const size_t bytes = (size_t)(s->bytes + SEGMENT_PAGE - 1) / SEGMENT_PAGE * SEGMENT_PAGE;
    char *memory = aligned_alloc(SEGMENT_PAGE, bytes);
    ck_assert_ptr_nonnull(memory);
    return memset(memory, 0, bytes);
}

/* The number of elements of a call. The message of a broadcast lacks the last three bytes. */
static inline size_t elements_of(const struct call *c)
{
    return (size_t)(c->facts.bytes + ELEMENT - 1) / ELEMENT;
}

static inline void set_length(struct facts *f, int64_t elements)
{
    const bool streams = collective_streams(f->collective);
    f->bytes = elements * ELEMENT - (streams ? 3 : 0);
    f->units = streams ? f->bytes : elements;
}

static inline bool is_in_place(const struct call *c, int rank)
{
    return c->in_place && collective_in_place(c->facts.collective, rank, c->facts.root);
}

/* Half of all layouts have no gaps. */
static inline const struct layout *layout_of(const struct call *c, int rank)
{
    const uint64_t drawn = mix64(c->drawn * RANKS + (uint64_t)rank);
    return &layouts[drawn & 1 ? PLAIN : drawn / 2 % COUNT(layouts)];
}

/* Where element 0 of a call lies in IN or OUT of a rank. */
static inline char *data_of(const struct call *c, int rank, char *memory)
{
    return first_element(layout_of(c, rank), memory + c->at * ROOM, elements_of(c));
}

/* The operand of a rank at element i, counted through all calls. */
static inline int64_t input(int rank, size_t i)
{
    return (int64_t)mix64(((uint64_t)rank + 1) << 32 | i);
}

/* An element of OUT before the call: the operand if OUT is the send buffer, too, else -1. */
static inline int64_t before(const struct call *c, int rank, size_t i)
{
    const bool sends = is_in_place(c, rank) || (collective_streams(c->facts.collective) && rank == c->facts.root);
    return sends ? input(rank, c->at + i) : -1;
}

/* Writes the elements of a call into the memory of a rank, in the rank's layout. */
static inline void lay(const struct call *c, int rank, const int64_t *value, char *memory)
{
    const struct layout *l = layout_of(c, rank);
    char *data = data_of(c, rank, memory);
    for (size_t i = 0; i < elements_of(c); i++)
        store(l, data + (int64_t)i * l->element.extent, value[i]);
}

/* IN and OUT of a rank for all calls: ROOM bytes for each element; GAP where nothing lies. */
struct buffers {
    char *in, *out;
};

static inline struct buffers filled_buffers(int rank)
{
    const struct buffers b = {malloc(job.elements * ROOM), malloc(job.elements * ROOM)};
    ck_assert(b.in && b.out);
    memset(b.in, GAP, job.elements * ROOM);
    memset(b.out, GAP, job.elements * ROOM);
    for (int i = 0; i < job.calls; i++) {
        const struct call *c = &job.call[i];
        int64_t in[ELEMENTS_MOST], out[ELEMENTS_MOST];
        for (size_t k = 0; k < elements_of(c); k++) {
            in[k] = input(rank, c->at + k);
            out[k] = before(c, rank, k);
        }
        lay(c, rank, in, b.in);
        lay(c, rank, out, b.out);
    }
    return b;
}

/* Memory for operation_run(), with a guard behind it. */
static inline char *scratch_of(const struct operation *o)
{
    char *memory = aligned_alloc(SPAN_ALIGN, (size_t)o->scratch + SPAN_ALIGN);
    ck_assert(memory);
    memset(memory + o->scratch, ~GAP, SPAN_ALIGN);
    return memory;
}

static inline void scratch_free(const struct operation *o, char *memory)
{
    for (int i = 0; i < SPAN_ALIGN; i++)
        REQUIRE(memory[o->scratch + i] == (char)~GAP, "byte %d behind the scratch memory has changed", i);
    free(memory);
}

/* ---- Operations ------------------------------------------------------------------------------------------------------- */

static inline int64_t combined(enum op_class op, int64_t low, int64_t high)
{
    return op == OP_EXACT ? (int64_t)((uint64_t)low + (uint64_t)high) : affine_then(low, high);
}

/* Writes whole elements, as operations of programs may do. */
static inline int reduce_local(const void *low, void *high, int count, MPI_Datatype type, MPI_Op op)
{
    const struct layout *l = layouts;
    while (l->type != type)
        l++;
    for (int i = 0; i < count; i++) {
        const int64_t at = i * l->element.extent;
        char *to = (char *)high + at;
        const int64_t value = combined(op == MPI_SUM ? OP_EXACT : OP_ORDERED, load(l, (const char *)low + at), load(l, to));
        memset(to + l->element.begin, GAP, (size_t)(l->element.end - l->element.begin));
        store(l, to, value);
    }
    return MPI_SUCCESS;
}

/* The operation of a call, for operation_make(). */
static inline struct operation operation_of(const struct call *c, int rank)
{
    const struct layout *l = layout_of(c, rank);
    const bool plain = l == layouts, bytes = plain && collective_streams(c->facts.collective);
    const size_t elements = elements_of(c);
    return (struct operation){.facts = c->facts,
                              .datatype = bytes ? MPI_BYTE : l->type,
                              .in_place = is_in_place(c, rank),
                              .plan = c->plan,
                              .element =
                                  bytes ? (struct extents){.size = 1, .extent = 1, .end = 1, .plain = true} : l->element,
                              .map = plain ? NULL : map_of(l, elements, (int)((int64_t)elements * ELEMENT - c->facts.bytes)),
                              .fold = c->kernel && plain ? kernel_at(0, KERNEL_SUM, KERNEL_I64, 0) : NULL};
}

static inline struct view view_of(const struct call *c, const struct operation *o, int rank, const struct buffers *b)
{
    char *out = data_of(c, rank, b->out);
    return (struct view){.in = collective_streams(c->facts.collective) ? NULL
                               : o->in_place                           ? out
                                                                       : data_of(c, rank, b->in),
                         .out = out,
                         .count = c->facts.units,
                         .datatype = o->datatype,
                         .op = c->facts.op == OP_EXACT ? MPI_SUM : MPI_OP_NULL};
}

/* ---- Results ---------------------------------------------------------------------------------------------------------- */

static inline void expect(const struct call *c, int rank, int64_t *result)
{
    const struct facts *f = &c->facts;
    const int last = collective_last(f->collective, rank, f->ranks);
    int64_t source[ELEMENTS_MOST];
    for (size_t i = 0; i < elements_of(c); i++) {
        result[i] = before(c, rank, i);
        source[i] = input(collective_streams(f->collective) ? f->root : 0, c->at + i);
        for (int r = 1; collective_reduces(f->collective) && r <= last; r++)
            source[i] = combined(f->op, source[i], input(r, c->at + i));
    }
    if (collective_writes(f->collective, rank, f->root))
        memcpy(result, source, (size_t)f->bytes);
}

/* Does IN or OUT have these values, and GAP in its gaps? */
static inline bool has(const struct call *c, int rank, const int64_t *value, const char *memory)
{
    static char want[ELEMENTS_MOST * ROOM];
    struct call alone = *c;
    alone.at = 0;
    memset(want, GAP, elements_of(c) * ROOM);
    lay(&alone, rank, value, want);
    return memcmp(memory + c->at * ROOM, want, elements_of(c) * ROOM) == 0;
}

/* Fails unless a rank has the right result of a call and its operand is unchanged. */
static inline void check_result(const struct call *c, int rank, const struct buffers *b)
{
    const struct facts *f = &c->facts;
    int64_t result[ELEMENTS_MOST], operand[ELEMENTS_MOST];
    expect(c, rank, result);
    for (size_t k = 0; k < elements_of(c); k++)
        operand[k] = input(rank, c->at + k);
    REQUIRE(
        has(c, rank, result, b->out),
        "call %d, %s %s of %lld bytes, root %d, op %d, %d blocks, %d wide, in place: %d: rank %d, layout %d, has a wrong "
        "result",
        (int)(c - job.call), c->plan.engine->name, collective_name(f->collective), (long long)f->bytes, f->root, f->op,
        (int)c->plan.blocks, (int)c->plan.wide, is_in_place(c, rank), rank, (int)(layout_of(c, rank) - layouts));
    REQUIRE(has(c, rank, operand, b->in), "call %d, rank %d: an operand has changed", (int)(c - job.call), rank);
}
