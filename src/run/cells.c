/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies and folds of blocks in cells; rounds.c says when. Data in cells are packed in the order of the type signature. A
 * rank whose datatype has gaps unpacks operands into scratch slots to fold.
 */
#include "copies.h"
#include "execution.h"
#include "hot.h"
#include "segment.h"

#include <string.h>

/* ---- Blocks ---------------------------------------------------------------------------------------------------------- */

struct units {
    int64_t first, count;
};

static struct units units_of(const struct operation *o, const struct step *x)
{
    if (o->shape.ports.ranks) /* one block */
        return (struct units){0, o->facts.units};
    const int64_t first = cut_offset(&o->cut, x->a.block);
    return (struct units){first, cut_offset(&o->cut, x->a.block + x->a.more + 1) - first};
}

static inline bool is_cell(int slot)
{
    return slot >= SLOTS;
}

static char *block_of_node(const struct execution *e, struct piece p)
{
    return segment_cell(e->channel->segment, p.slot - SLOTS, number_of(e, 0)) + p.block * e->o->facts.bytes;
}

void cells_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in)
{
    const int64_t bytes = e->o->facts.bytes;
    if (x->to != NOBODY)
        *out = (struct buffer){block_of_node(e, x->a), (int)((x->a.more + 1) * bytes), MPI_BYTE};
    if (x->from != NOBODY)
        *in = (struct buffer){block_of_node(e, x->b), (int)((x->b.more + 1) * bytes), MPI_BYTE};
}

/* With CELLS_SLICES, behind the earlier blocks of the round. */
HOT static char *in_cell(const struct execution *e, const struct step *x, int slot)
{
    const struct operation *o = e->o;
    const struct segment *s = e->channel->segment;
    if (o->shape.ports.ranks)
        return block_of_node(e, (struct piece){slot, x->a.block, 0});
    const int rank = rank_at(o, slot - SLOTS);
    const int64_t number = number_of(e, x->when);
    char *cell = o->small ? segment_small_cell(s, rank, number) : segment_cell(s, rank, number);
    if (o->service->segment.cells != CELLS_SLICES)
        return cell;
    const int64_t first = part_offset(o->shape.blocks, o->cut.parts, x->when);
    return cell + (cut_offset(&o->cut, x->a.block) - cut_offset(&o->cut, first)) * o->unit;
}

static char *next_cell(const struct execution *e, const struct step *x, int slot)
{
    const struct segment *s = e->channel->segment;
    return segment_cell(s, (rank_at(e->o, slot - SLOTS) + 1) % s->ranks, number_of(e, x->when));
}

/* Of element 0 or, in a gapless broadcast, of byte 0. */
static char *message(const struct execution *e, int slot)
{
    return !collective_streams(e->o->facts.collective) ? e->slot[slot] : e->o->gapless ? e->stream : e->view->out;
}

/* The lines of a block that it reads. Not if the writer goes past the caches. */
static inline bool claims(const struct execution *e, int64_t bytes)
{
    return e->claims && bytes < e->past_from;
}

static void copy_in(const struct execution *e, char *cell, const char *memory, int64_t bytes)
{
    if (e->past_from <= bytes)
        copy_past_cache(cell, memory, (size_t)bytes);
    else
        memcpy(cell, memory, (size_t)bytes);
}

static void copy_out(const struct execution *e, char *memory, char *cell, int64_t bytes)
{
    struct segment *s = e->channel->segment;
    if (e->o->facts.bytes >= s->large_from) {
        large_copy(&s->large, memory, cell, (size_t)bytes);
        if (claims(e, bytes))
            claim_lines(cell, (size_t)bytes);
    } else if (claims(e, bytes))
        copy_and_claim(memory, cell, (size_t)bytes);
    else
        memcpy(memory, cell, (size_t)bytes);
}

/* Of the message in a slot, to or from a cell. */
static void copy_bytes(const struct execution *e, int slot, int64_t from, int64_t bytes, char *cell, bool in)
{
    const struct operation *o = e->o;
    char *memory = message(e, slot);
    if (o->gapless)
        in ? copy_in(e, cell, memory + from, bytes) : copy_out(e, memory + from, cell, bytes);
    else if (in)
        typemap_pack(o->map, memory, from, bytes, cell);
    else
        typemap_unpack(o->map, memory, from, bytes, cell);
}

/* A block larger than its cell goes on in the next rank's ring. */
static void copy(const struct execution *e, const struct step *x)
{
    const struct operation *o = e->o;
    const struct units u = units_of(o, x);
    const int64_t from = u.first * o->unit, bytes = u.count * o->unit;
    const int64_t room = INT64_C(1) << (e->width_log + e->channel->segment->spot_log);
    const bool in = is_cell(x->b.slot);
    const int own = in ? x->b.slot : x->a.slot, slot = in ? x->a.slot : x->b.slot;
    copy_bytes(e, slot, from, bytes < room ? bytes : room, in_cell(e, x, own), in);
    if (bytes > room)
        copy_bytes(e, slot, from + room, bytes - room, next_cell(e, x, own), in);
}

/* ---- Folds ----------------------------------------------------------------------------------------------------------- */

/*
 * target = a (+) b, without gaps. `target` may be b or, if b is `lost`, a. The operation writes over its second operand: in
 * b's cell if b is lost, else in a copy.
 */
static int fold(const struct execution *e, char *a, char *b, char *target, struct units u, bool lost)
{
    const size_t bytes = (size_t)(u.count * e->o->element.size);
    if (e->o->fold) {
        e->o->fold(target, a, b, (size_t)u.count);
        return MPI_SUCCESS;
    }
    assert(lost || target != a);
    char *second = lost ? b : target;
    if (second != b)
        memcpy(second, b, bytes);
    const int error = elements_fold(e, a, second, (int)u.count);
    if (second != target)
        memcpy(target, second, bytes);
    return error;
}

/* Of the step, in IN, OUT or a scratch slot. */
static char *element(const struct execution *e, int slot, struct units u)
{
    const struct operation *o = e->o;
    return slot < SLOT_T0 ? displaced(e->slot[slot], (ptrdiff_t)(u.first * o->element.extent))
                          : displaced(e->channel->scratch + (slot - SLOT_T0) * o->room, o->slot_at);
}

/* With gaps, from `within` bytes on: both operands to scratch slots, and the result back. */
static int fold_part(const struct execution *e, const struct step *x, int target, struct units u, int64_t within)
{
    const struct operation *o = e->o;
    const int64_t from = u.first * o->element.size, bytes = u.count * o->element.size;
    const ptrdiff_t before = (ptrdiff_t)(u.first * o->element.extent);
    const int slot[2] = {x->a.slot, x->b.slot};
    char *operand[2], *result = element(e, SLOT_T1, u);
    for (int i = 0; i < 2; i++) {
        operand[i] = element(e, SLOT_T0 + i, u);
        if (is_cell(slot[i]))
            typemap_unpack(o->map, displaced(operand[i], -before), from, bytes, in_cell(e, x, slot[i]) + within);
        else
            typemap_move(o->map, e->slot[slot[i]], displaced(operand[i], -before), from, bytes);
    }
    const int error = elements_fold(e, operand[0], result, (int)u.count);
    if (is_cell(target))
        typemap_pack(o->map, displaced(result, -before), from, bytes, in_cell(e, x, target) + within);
    else
        typemap_move(o->map, displaced(result, -before), e->slot[target], from, bytes);
    return error;
}

static int fold_with_gaps(const struct execution *e, const struct step *x, int target, struct units u)
{
    const int64_t most = e->o->folded;
    int error = MPI_SUCCESS;
    for (int64_t done = 0; done < u.count && error == MPI_SUCCESS; done += most) {
        const struct units part = {u.first + done, u.count - done < most ? u.count - done : most};
        error = fold_part(e, x, target, part, done * e->o->element.size);
    }
    return error;
}

/*
 * The lines of a block that it has folded, which saves the writer time. Not if this rank folds so slowly, by the program's
 * operation, that it did not wait for the block.
 */
static inline bool fold_claims(const struct execution *e, int64_t bytes)
{
    return claims(e, bytes) && (e->o->facts.op != OP_ORDERED || e->channel->segment->waited);
}

static int fold_step(const struct execution *e, const struct step *x)
{
    const struct units u = units_of(e->o, x);
    const int target = x->kind == STEP_FOLD ? x->b.slot : x->into, slot[3] = {x->a.slot, x->b.slot, target};
    char *at[3];
    if (!e->o->gapless)
        return fold_with_gaps(e, x, target, u);
    for (int i = 0; i < 3; i++)
        at[i] = is_cell(slot[i]) ? in_cell(e, x, slot[i]) : element(e, slot[i], u);
    const int64_t bytes = u.count * e->o->element.size;
    const bool lost = x->kind == STEP_FOLD_INTO && is_cell(slot[1]);
    const int error = fold(e, at[0], at[1], at[2], u, lost);
    for (int i = 0; i < 2 && fold_claims(e, bytes); i++)
        if (is_cell(slot[i]) && slot[i] != target)
            claim_lines(at[i], (size_t)bytes);
    return error;
}

HOT int cells_act(struct execution *e, const struct step *x)
{
    if (x->kind != STEP_COPY)
        return fold_step(e, x);
    if (!is_cell(x->a.slot) && !is_cell(x->b.slot))
        return elements_act(e, x);
    copy(e, x);
    return MPI_SUCCESS;
}
