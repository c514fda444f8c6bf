/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Performs steps that go through a segment; segment.h has the rules of segments.
 *
 * Data in the cells are packed, in the order of the type signature, as ranks may have different datatypes. A rank whose
 * datatype has gaps unpacks operands into scratch slots before it folds them.
 *
 * With each turn of a round, a rank leaves a note that says which call it makes and whether it has failed. A rank that
 * awaits the turn then reads the note. So an error of one rank reaches all ranks that use its data, as it does in messages
 * (loop.c), and ranks notice when another rank makes another call, be it an earlier or a later one that looks alike.
 *
 * A rank that gives up sets its counters as if it had done all rounds of the call, so that no rank waits for it. It replaces
 * the notes of rounds of which it has told a turn: these rounds are lost. Where it has told no turn, there is no note of the
 * round, but that of an earlier round, which a slow rank may still need. So a note stays until its readers have left the
 * round, however many calls the rank gives up meanwhile. The rank also says up to which round it has given up rounds
 * (`lost`): in the rounds before that one, a note of another round does not mean another call.
 *
 * If longjmp or an exception has left an operation, the rank gives up the rest of its rounds when it begins the next one.
 * The stages of a composed call would go on with other rounds; but lanes do not serve calls that may be left so (struct
 * policy, `whole`).
 *
 * Every PROBE seconds, a waiting rank looks for the alarm, and so lets MPI make progress. This progress is necessary: the
 * rank for which this rank waits may itself be waiting for a message that the application has sent from this rank. A rank
 * that never waits looks for the alarm now and then: a program may make calls until such a message has arrived.
 */
#include "copies.h"
#include "execution.h"
#include "seconds.h"
#include "segment.h"

#include <assert.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* Turns of the waiting loop between two looks at the clock, set by hand. CROWDED_SPINS: if ranks yield after each look. */
enum { SPINS = 64, CROWDED_SPINS = 4 };
enum { LISTEN = 32 }; /* most rounds from one look for the alarm to the next, set by hand; a look takes some 0.1 us */
enum { YIELDS = 4 };  /* most yields before the first look at the clock, if ranks yield; set by hand */
static const double PROBE = 20e-6, SPINNING = 1e-3; /* seconds: between two looks for the alarm; before yielding */
/* Seconds of waiting before a rank sleeps, for each rank that may wait in a line for another one; by hand. */
static const double AWAKE = 0.05;
static const struct timespec NAP = {.tv_nsec = 100000}; /* between two looks; the MPI library makes no progress meanwhile */

static inline void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* ---- Notes ----------------------------------------------------------------------------------------------------------- */

enum { NOTE_MADE = 1, NOTE_FAILED = 2 }; /* bits of a note */
enum { NOTE_LOST = 4 };                  /* a whole note; differs from all others, which have NOTE_MADE */

static uint32_t note_of(const struct execution *e, int64_t round)
{
    const uint64_t hash = e->note + (uint64_t)round * 0x9e3779b97f4a7c15u;
    return ((uint32_t)(hash >> 32) & ~UINT32_C(3)) | NOTE_MADE;
}

/*
 * Reads the note of a rank that has reached a turn of this round. Returns an error if the rank makes another call or gave
 * up. If the note says that the rank has failed, sets e->error.
 */
static int read_note(struct execution *e, int64_t round, int rank)
{
    const struct segment *s = e->channel->segment;
    const struct segment_rank *of = segment_rank(s, rank);
    const uint32_t note = atomic_load_explicit(&of->note[round % SEGMENT_DEPTH], memory_order_relaxed);
    if ((note & ~(uint32_t)NOTE_FAILED) != note_of(e, round)) {
        const bool lost = note == NOTE_LOST || round < atomic_load_explicit(&of->lost, memory_order_relaxed);
        return lost ? MPI_ERR_OTHER : alarm_foreign(e->channel, segment_member(s, rank));
    }
    if (note & NOTE_FAILED && e->error == MPI_SUCCESS)
        e->error = MPI_ERR_OTHER;
    return MPI_SUCCESS;
}

/* ---- Counters -------------------------------------------------------------------------------------------------------- */

/* Looks at the counter for some turns. Returns true if it has reached the value. */
static bool spin(const _Atomic int64_t *counter, int64_t value, unsigned turns)
{
    for (; turns > 0; turns--) {
        if (segment_reached(counter, value))
            return true;
        pause_core();
    }
    return false;
}

/* Yields up to YIELDS times, until the counter has reached the value. Returns true if it has. */
static bool yield_until(const _Atomic int64_t *counter, int64_t value)
{
    for (int i = 0; i < YIELDS; i++) {
        sched_yield();
        if (segment_reached(counter, value))
            return true;
    }
    return false;
}

/*
 * Waits until the counter of `rank` has reached the value. Looks at the clock only if this takes more than some turns or
 * yields. While another rank has the core, more time than PROBE passes. So if this rank looked at the clock after each
 * yield, it would also look for the alarm each time, and in that look the MPI library would yield once more.
 */
static int wait_until(struct execution *e, const _Atomic int64_t *counter, int64_t value, int64_t round, int rank)
{
    struct channel *c = e->channel;
    const unsigned turns = c->segment->yields ? CROWDED_SPINS : SPINS;
    int error = MPI_SUCCESS;
    if (spin(counter, value, turns) || (c->segment->yields && yield_until(counter, value)))
        return MPI_SUCCESS;
    const double begin = seconds_now();
    double now = begin, probed = begin;
    progress_wait(c->progress, round, MPI_PROC_NULL, segment_member(c->segment, rank));
    do {
        if (now - begin > AWAKE * c->segment->ranks)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &NAP, NULL); /* unlike nanosleep(), this leaves errno alone */
        else if (c->segment->yields || now - begin > SPINNING)
            sched_yield();
        if (now - probed > PROBE) {
            error = alarm_listen(e);
            probed = seconds_now();
        }
        now = seconds_now();
    } while (error == MPI_SUCCESS && !spin(counter, value, turns));
    progress_work(c->progress);
    return error;
}

static inline int await_counter(struct execution *e, const _Atomic int64_t *counter, int64_t value, int64_t round, int rank)
{
    return segment_reached(counter, value) ? MPI_SUCCESS : wait_until(e, counter, value, round, rank);
}

static int await_turn(struct execution *e, int64_t round, int turn, int position)
{
    struct segment *s = e->channel->segment;
    const int rank = rank_at(e->o, position);
    const _Atomic int64_t *counter = &segment_rank(s, rank)->turn;
    const int64_t value = round * SEGMENT_TURNS + turn;
    s->waited = !segment_reached(counter, value);
    const int error = s->waited ? wait_until(e, counter, value, round, rank) : MPI_SUCCESS;
    return error != MPI_SUCCESS ? error : read_note(e, round, rank);
}

/* Is the rank the first of a group? Then it gathers the group's counters. */
static inline bool gathers(const struct segment *s, int rank)
{
    return s->group > 1 && rank % s->group == 0;
}

/*
 * Waits until the cells of a round are free: all ranks have left the earlier round that used these cells. If the `gathered`
 * of a group is high enough, one look serves for the group; else the rank looks at each rank of the group.
 */
static int await_free(struct execution *e, int64_t round)
{
    struct segment *s = e->channel->segment;
    const int64_t enough = round - SEGMENT_DEPTH + 1;
    int64_t least = INT64_MAX;
    int error = MPI_SUCCESS;
    if (round < s->spare)
        return MPI_SUCCESS;
    for (int r = 0; r < s->ranks && error == MPI_SUCCESS;) {
        const struct segment_rank *of = segment_rank(s, r);
        const bool whole = gathers(s, r) && segment_reached(&of->gathered, enough);
        const _Atomic int64_t *counter = whole ? &of->gathered : &of->out;
        error = await_counter(e, counter, enough, round, r);
        const int64_t now = atomic_load_explicit(counter, memory_order_acquire);
        least = now < least ? now : least;
        r += whole ? s->group : 1;
    }
    if (error == MPI_SUCCESS)
        s->spare = least + SEGMENT_DEPTH;
    return error;
}

/* Waits until one rank has left the earlier round that used the cells of a round. */
static int await_reader(struct execution *e, int64_t round, int position)
{
    const struct segment *s = e->channel->segment;
    const int rank = rank_at(e->o, position);
    return round < s->spare ? MPI_SUCCESS
                            : await_counter(e, &segment_rank(s, rank)->out, round - SEGMENT_DEPTH + 1, round, rank);
}

static void tell(struct execution *e, int64_t round, int turn)
{
    const struct segment *s = e->channel->segment;
    struct segment_rank *own = segment_rank(s, s->rank);
    const uint32_t note = note_of(e, round) | (e->error != MPI_SUCCESS ? NOTE_FAILED : 0);
    assert(turn < SEGMENT_TURNS);
    atomic_store_explicit(&own->note[round % SEGMENT_DEPTH], note, memory_order_relaxed);
    segment_set(&own->turn, round * SEGMENT_TURNS + turn);
}

/* The loads acquire what the ranks of the group have released, and the store releases it to the readers of `gathered`. */
static void gather(const struct segment *s)
{
    const int after = s->rank + s->group;
    int64_t least = INT64_MAX;
    for (int r = s->rank; r < after && r < s->ranks; r++) {
        const int64_t out = atomic_load_explicit(&segment_rank(s, r)->out, memory_order_acquire);
        least = out < least ? out : least;
    }
    segment_set(&segment_rank(s, s->rank)->gathered, least);
}

static void leave(const struct segment *s, int64_t round)
{
    segment_set(&segment_rank(s, s->rank)->out, round + 1);
    if (gathers(s, s->rank) && (round + 1) % SEGMENT_GATHER == 0)
        gather(s);
}

/* ---- Blocks ---------------------------------------------------------------------------------------------------------- */

struct units {
    int64_t first, count;
};

static struct units units_of(const struct operation *o, const struct step *x)
{
    const int64_t first = cut_offset(&o->cut, x->a.block);
    return (struct units){first, cut_offset(&o->cut, x->a.block + x->a.more + 1) - first};
}

static inline bool is_cell(int slot)
{
    return slot >= SLOTS;
}

/* The address of the step's blocks in a cell. With CELLS_SLICES, earlier blocks of the same round lie before them. */
static char *in_cell(const struct execution *e, const struct step *x, int slot)
{
    const struct operation *o = e->o;
    const struct segment *s = e->channel->segment;
    char *cell = segment_cell(s, rank_at(o, slot - SLOTS), e->base + x->when);
    if (o->service->segment.cells != CELLS_SLICES)
        return cell;
    const int64_t first = part_offset(o->shape.blocks, o->cut.parts, x->when);
    return cell + (cut_offset(&o->cut, x->a.block) - cut_offset(&o->cut, first)) * o->unit;
}

/* The address of the message in IN or OUT: of element 0 or, in a gapless broadcast, of byte 0 of the data. */
static char *message(const struct execution *e, int slot)
{
    return !collective_streams(e->o->facts.collective) ? e->slot[slot] : e->o->gapless ? e->stream : e->view->out;
}

/* Does a rank take the cache lines of a block that it reads in a cell? Not if the writer goes past the caches. */
static inline bool takes(const struct execution *e, int64_t bytes)
{
    return e->takes && bytes < e->past_from;
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
        if (takes(e, bytes))
            take_lines(cell, (size_t)bytes);
    } else if (takes(e, bytes))
        copy_and_take(memory, cell, (size_t)bytes);
    else
        memcpy(memory, cell, (size_t)bytes);
}

static void copy(const struct execution *e, const struct step *x)
{
    const struct operation *o = e->o;
    const struct units u = units_of(o, x);
    const int64_t from = u.first * o->unit, bytes = u.count * o->unit;
    const bool in = is_cell(x->b.slot);
    char *cell = in_cell(e, x, in ? x->b.slot : x->a.slot), *memory = message(e, in ? x->a.slot : x->b.slot);
    if (o->gapless)
        in ? copy_in(e, cell, memory + from, bytes) : copy_out(e, memory + from, cell, bytes);
    else if (in)
        typemap_pack(o->map, memory, from, bytes, cell);
    else
        typemap_unpack(o->map, memory, from, bytes, cell);
}

/* ---- Folds ----------------------------------------------------------------------------------------------------------- */

/* Sets target = a (+) b; none of them has gaps. `target` may be a or b. If it is a, the function may overwrite b. */
static int fold(const struct execution *e, char *a, char *b, char *target, struct units u)
{
    const size_t bytes = (size_t)(u.count * e->o->element.size);
    if (e->o->fold) {
        e->o->fold(target, a, b, (size_t)u.count);
        return MPI_SUCCESS;
    }
    if (target == a) {
        const int error = elements_fold(e, a, b, (int)u.count);
        memcpy(target, b, bytes);
        return error;
    }
    if (target != b)
        memcpy(target, b, bytes);
    return elements_fold(e, a, target, (int)u.count);
}

/* The address of the step's first element in IN, in OUT or in a scratch slot. */
static char *element(const struct execution *e, int slot, struct units u)
{
    const struct operation *o = e->o;
    return slot < SLOT_T0 ? displaced(e->slot[slot], (ptrdiff_t)(u.first * o->element.extent))
                          : displaced(e->channel->scratch + (slot - SLOT_T0) * o->room, o->slot_at);
}

/* Folds data with gaps: moves both operands to scratch slots, folds them there, and moves the result to the target. */
static int fold_with_gaps(const struct execution *e, const struct step *x, int target, struct units u)
{
    const struct operation *o = e->o;
    const int64_t from = u.first * o->element.size, bytes = u.count * o->element.size;
    const ptrdiff_t before = (ptrdiff_t)(u.first * o->element.extent);
    const int slot[2] = {x->a.slot, x->b.slot};
    char *operand[2], *result = element(e, SLOT_T1, u);
    for (int i = 0; i < 2; i++) {
        operand[i] = element(e, SLOT_T0 + i, u);
        if (is_cell(slot[i]))
            typemap_unpack(o->map, displaced(operand[i], -before), from, bytes, in_cell(e, x, slot[i]));
        else
            typemap_move(o->map, e->slot[slot[i]], displaced(operand[i], -before), from, bytes);
    }
    const int error = elements_fold(e, operand[0], result, (int)u.count);
    if (is_cell(target))
        typemap_pack(o->map, displaced(result, -before), from, bytes, in_cell(e, x, target));
    else
        typemap_move(o->map, displaced(result, -before), e->slot[target], from, bytes);
    return error;
}

/*
 * Does a rank take the lines of a block that it has folded? That saves the writer time. But if an operation of the program
 * is so slow that this rank has not waited for the block, the writer has time enough.
 */
static inline bool fold_takes(const struct execution *e, int64_t bytes)
{
    return takes(e, bytes) && (e->o->facts.op != OP_ORDERED || e->channel->segment->waited);
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
    const int error = fold(e, at[0], at[1], at[2], u);
    for (int i = 0; i < 2 && fold_takes(e, bytes); i++)
        if (is_cell(slot[i]) && slot[i] != target)
            take_lines(at[i], (size_t)bytes);
    return error;
}

/* ---- Steps ----------------------------------------------------------------------------------------------------------- */

/*
 * Is it time to look for the alarm? The clock is cheap to read, and goes on every few milliseconds. So a program with long
 * pauses between short calls soon gives MPI a chance, too.
 */
static bool listens(struct segment *s, int64_t round)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const bool later = now.tv_nsec != s->listened;
    s->listened = now.tv_nsec;
    return later || round % LISTEN == LISTEN - 1;
}

static void act(struct execution *e, const struct step *x)
{
    if (e->error != MPI_SUCCESS)
        return;
    if (x->kind != STEP_COPY)
        e->error = fold_step(e, x);
    else if (is_cell(x->a.slot) || is_cell(x->b.slot))
        copy(e, x);
    else
        e->error = elements_act(e, x);
}

int rounds_step(struct execution *e, const struct step *x)
{
    struct segment *s = e->channel->segment;
    const int64_t round = e->base + x->when;
    int error = MPI_SUCCESS;
    switch (x->kind) {
    case STEP_AWAIT:
        return await_turn(e, round, x->turn, x->from);
    case STEP_AWAIT_ALL:
        for (int r = 0; r < s->ranks && error == MPI_SUCCESS; r++)
            if (r != e->o->at)
                error = await_turn(e, round, x->turn, r);
        return error;
    case STEP_AWAIT_FREE:
        return x->from == NOBODY ? await_free(e, round) : await_reader(e, round, x->from);
    case STEP_TELL:
        tell(e, round, x->turn);
        return MPI_SUCCESS;
    case STEP_LEAVE:
        leave(s, round);
        return listens(s, round) ? alarm_listen(e) : MPI_SUCCESS;
    default:
        act(e, x);
        return MPI_SUCCESS;
    }
}

/*
 * Gives up the rounds from `from` up to s->rounds. Overwrites the latest SEGMENT_DEPTH notes, if they belong to these
 * rounds. No rank needs an older note: before this rank told a turn of round k, all readers had left k - SEGMENT_DEPTH.
 *
 * A reader that has acquired the turn of a lost round sees NOTE_LOST or, if the rank has told no turn of the round, `lost`.
 */
static void give_up(struct segment *s, int64_t from)
{
    struct segment_rank *own = segment_rank(s, s->rank);
    const int64_t turn = atomic_load_explicit(&own->turn, memory_order_relaxed);
    const int64_t kept = turn / SEGMENT_TURNS - SEGMENT_DEPTH + 1;
    for (int64_t round = from > kept ? from : kept; round * SEGMENT_TURNS < turn; round++)
        atomic_store_explicit(&own->note[round % SEGMENT_DEPTH], NOTE_LOST, memory_order_relaxed);
    atomic_store_explicit(&own->lost, s->rounds, memory_order_relaxed);
    segment_set(&own->turn, s->rounds * SEGMENT_TURNS);
    segment_set(&own->out, s->rounds);
    s->ended = s->rounds;
}

/* The rounds that this rank has left; after an operation that has come to its end, all rounds so far. */
static int64_t left(const struct segment *s)
{
    return atomic_load_explicit(&segment_rank(s, s->rank)->out, memory_order_relaxed);
}

void rounds_begin(struct execution *e, const struct schedule *schedule)
{
    struct segment *s = e->channel->segment;
    const bool one_reader = schedule->one_reader;
    if (s->ended < s->rounds)
        give_up(s, left(s));
    e->base = s->rounds;
    s->rounds += schedule->rounds;
    e->note = e->meaning + e->channel->calls * 0xd1b54a32d192ed03u;
    e->takes = one_reader && s->takes;
    e->past_from = one_reader ? s->stream_past : collective_streams(e->o->facts.collective) ? s->spread_past : INT64_MAX;
}

void rounds_end(const struct execution *e, int error)
{
    struct segment *s = e->channel->segment;
    if (error != MPI_SUCCESS)
        give_up(s, e->base);
    assert(left(s) == s->rounds);
    s->ended = s->rounds;
}

void rounds_skip(struct segment *s, int64_t rounds)
{
    const int64_t from = s->rounds;
    s->rounds += rounds;
    give_up(s, from);
}
