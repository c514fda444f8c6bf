/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Performs the rounds of operations that go through a segment; segment.h has the rules of segments. cells.c moves the data.
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
 * A rank that only reads tells no turn, and leaves no note. So each rank says at first which call it makes (`began`). A rank
 * that waits for long looks at it: if two ranks name different roots of a broadcast, it may wait for one that only reads.
 *
 * After calls in which ranks disagreed, their numbers of rounds may differ. Then a rank could wait in a later call for a
 * turn that never comes. So each rank says how many operations it has ended (`done`), and nobody waits for a rank that has
 * ended the operation. Notes depend on the number of the call's first round, so no rank takes one round for another.
 *
 * If longjmp or an exception has left an operation, the rank gives up the rest of its rounds when it begins the next one.
 * The stages of a composed call would go on with other rounds; but lanes do not serve calls that may be left so (struct
 * policy, `uncut`).
 *
 * A rank that waits drives the MPI library at every look, as a native call does: it looks for the alarm. The rank for which
 * it waits may itself be waiting for a message that the application has sent from this rank, and other ranks may make
 * one-sided operations here. Only the first looks of a wait leave MPI alone, as most waits end there. A rank that never
 * waits looks for the alarm now and then: a program may make calls until such a message has arrived.
 */
#include "execution.h"
#include "hash.h"
#include "hot.h"
#include "segment.h"

#include <assert.h>
#include <sched.h>
#include <time.h>

/*
 * Looks before a waiting rank drives MPI. If ranks share cores, it then yields YIELDS times, and later at each turn; else at
 * every CALM-th turn after the first LONG, as another program may have the awaited rank's core.
 */
enum { SPINS = 64, CROWDED_SPINS = 4, YIELDS = 4, LONG = 1 << 15, CALM = 64 };
enum { DOUBTS = 256 }; /* turns between checks of what the awaited rank does */
enum { LISTEN = 32 };  /* most rounds between looks for the alarm */

/* So that each function of a step saves only its own registers. */
#define STEP HOT __attribute__((noinline))

static inline void pause_core(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

/* ---- Notes ----------------------------------------------------------------------------------------------------------- */

enum { NOTE_MADE = 1, NOTE_FAILED = 2 };
enum { NOTE_LOST = 4 }; /* a whole note; others have NOTE_MADE */

static uint32_t note_of(const struct execution *e, int64_t round)
{
    const uint64_t hash = e->note + (uint64_t)round * 0x9e3779b97f4a7c15u;
    return ((uint32_t)(hash >> 32) & ~UINT32_C(3)) | NOTE_MADE;
}

/*
 * Of a rank that has reached a turn of this round. An error if it makes another call or gave up; e->error if it has failed.
 */
static int read_note(struct execution *e, int64_t round, int rank)
{
    const struct segment *s = e->channel->segment;
    const struct segment_turn *of = segment_turn(s, rank, round);
    const uint32_t note = atomic_load_explicit(&of->note[(uint64_t)round % SEGMENT_NOTES], memory_order_relaxed);
    if ((note & ~(uint32_t)NOTE_FAILED) != note_of(e, round)) {
        const bool lost =
            note == NOTE_LOST || round < atomic_load_explicit(&segment_rank(s, rank)->lost, memory_order_relaxed);
        return lost ? MPI_ERR_OTHER : alarm_foreign(e->channel, segment_member(s, rank));
    }
    if (note & NOTE_FAILED && e->error == MPI_SUCCESS)
        e->error = MPI_ERR_OTHER;
    return MPI_SUCCESS;
}

/* ---- Counters -------------------------------------------------------------------------------------------------------- */

/* True if it reaches the value. */
static bool spin(const _Atomic int64_t *counter, int64_t value, unsigned looks)
{
    for (; looks > 0; looks--) {
        if (segment_reached(counter, value))
            return true;
        pause_core();
    }
    return false;
}

/* Has the rank ended this operation although its counter has not reached the value? */
static bool has_missed(const struct segment *s, const _Atomic int64_t *counter, int64_t value, int rank)
{
    return segment_reached(&segment_rank(s, rank)->done, s->operations) && !segment_reached(counter, value);
}

/* This rank's operation, as a number, and the upper half of its note. */
static uint64_t began_of(const struct execution *e)
{
    return (uint64_t)e->channel->segment->operations << 32 | e->note >> 32;
}

/* In the operation of the same number. */
static bool differs(const struct execution *e, int rank)
{
    const uint64_t its = atomic_load_explicit(&segment_rank(e->channel->segment, rank)->began, memory_order_relaxed);
    const uint64_t own = began_of(e);
    return its >> 32 == own >> 32 && its != own;
}

/* Also looks for the alarm. An error if the counter will never reach the value. */
static int doubt(struct execution *e, const _Atomic int64_t *counter, int64_t value, int rank)
{
    const struct segment *s = e->channel->segment;
    return has_missed(s, counter, value, rank) ? MPI_ERR_OTHER
           : differs(e, rank)                  ? alarm_foreign(e->channel, segment_member(s, rank))
                                               : alarm_listen(e);
}

HOT static int wait_until(struct execution *e, const _Atomic int64_t *counter, int64_t value, int64_t round, int rank)
{
    struct channel *c = e->channel;
    const bool crowded = c->segment->yields;
    int error = MPI_SUCCESS;
    if (spin(counter, value, crowded ? CROWDED_SPINS : SPINS))
        return MPI_SUCCESS;
    progress_wait(c->progress, round, MPI_PROC_NULL, segment_member(c->segment, rank));
    for (int64_t turn = 1; error == MPI_SUCCESS && !segment_reached(counter, value); turn++) {
        if (!crowded || turn > YIELDS)
            error = turn % DOUBTS == 0 ? doubt(e, counter, value, rank) : alarm_listen(e);
        if (crowded || (turn > LONG && turn % CALM == 0))
            sched_yield();
    }
    progress_work(c->progress);
    return error;
}

static inline int await_counter(struct execution *e, const _Atomic int64_t *counter, int64_t value, int64_t round, int rank)
{
    return segment_reached(counter, value) ? MPI_SUCCESS : wait_until(e, counter, value, round, rank);
}

STEP static int await_turn(struct execution *e, int64_t round, int turn, int position)
{
    struct segment *s = e->channel->segment;
    const int rank = part_at(e->o, position);
    const _Atomic int64_t *counter = &segment_turn(s, rank, round)->turn;
    const int64_t value = round * SEGMENT_TURNS + turn;
    s->waited = !segment_reached(counter, value);
    const int error = s->waited ? wait_until(e, counter, value, round, rank) : MPI_SUCCESS;
    return error != MPI_SUCCESS ? error : read_note(e, round, rank);
}

static inline bool gathers(const struct segment *s, int rank)
{
    return s->group > 1 && rank % s->group == 0;
}

/* Until all have left the numbers below `enough`. A group's `gathered` saves looks at its ranks. */
__attribute__((noinline)) static int await_all(struct execution *e, int64_t enough, int64_t round)
{
    struct segment *s = e->channel->segment;
    int64_t least = INT64_MAX;
    int error = MPI_SUCCESS;
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
        s->spare = least + s->spots;
    return error;
}

/* Of a round. `reader`: their only reader's position, or NOBODY. Others may need the spots for earlier operations. */
STEP static int await_free(struct execution *e, int64_t round, int reader)
{
    const struct segment *s = e->channel->segment;
    const int64_t end = round + (INT64_C(1) << e->width_log), enough = end - s->spots;
    if (end <= s->spare)
        return MPI_SUCCESS;
    if (reader == NOBODY || round - s->spots < e->base)
        return await_all(e, enough, round);
    const int rank = part_at(e->o, reader);
    return await_counter(e, &segment_rank(s, rank)->out, enough, round, rank);
}

STEP static int tell(struct execution *e, int64_t round, int turn)
{
    const struct segment *s = e->channel->segment;
    struct segment_turn *own = segment_turn(s, s->rank, round);
    const uint32_t note = note_of(e, round) | (e->error != MPI_SUCCESS ? NOTE_FAILED : 0);
    assert(turn < SEGMENT_TURNS);
    atomic_store_explicit(&own->note[(uint64_t)round % SEGMENT_NOTES], note, memory_order_relaxed);
    segment_set(&own->turn, round * SEGMENT_TURNS + turn);
    return MPI_SUCCESS;
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

static void leave(const struct segment *s, int64_t number)
{
    segment_set(&segment_rank(s, s->rank)->out, number);
    if (gathers(s, s->rank) && (number & (s->spots / 2 - 1)) == 0)
        gather(s);
}

/* ---- Steps ----------------------------------------------------------------------------------------------------------- */

/*
 * Is it time to look for the alarm? The clock is cheap to read, and goes on every few milliseconds. So a program with long
 * pauses between short calls soon gives MPI a chance, too.
 */
static bool listens(struct segment *s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    const bool later = now.tv_nsec != s->listened || ++s->unheard == LISTEN;
    s->listened = now.tv_nsec;
    if (later)
        s->unheard = 0;
    return later;
}

STEP static int await_turns(struct execution *e, int64_t round, int turn)
{
    int error = MPI_SUCCESS;
    for (int r = 0; r < e->channel->segment->ranks && error == MPI_SUCCESS; r++)
        if (r != e->o->at)
            error = await_turn(e, round, turn, r);
    return error;
}

STEP static int leave_round(struct execution *e, int64_t next)
{
    struct segment *s = e->channel->segment;
    leave(s, next);
    return listens(s) ? alarm_listen(e) : MPI_SUCCESS;
}

STEP static int act(struct execution *e, const struct step *x)
{
    if (e->error == MPI_SUCCESS)
        e->error = cells_act(e, x);
    return MPI_SUCCESS;
}

HOT int rounds_step(struct execution *e, const struct step *x)
{
    const int64_t round = number_of(e, x->when);
    switch (x->kind) {
    case STEP_AWAIT:
        return await_turn(e, round, x->turn, x->from);
    case STEP_AWAIT_ALL:
        return await_turns(e, round, x->turn);
    case STEP_AWAIT_FREE:
        return await_free(e, round, x->from);
    case STEP_TELL:
        return tell(e, round, x->turn);
    case STEP_LEAVE:
        return leave_round(e, number_of(e, x->when + 1));
    default:
        return act(e, x);
    }
}

static int64_t told(const struct segment *s)
{
    int64_t most = 0;
    for (int64_t at = 0; at < s->spots; at += SEGMENT_NOTES) {
        const int64_t turn = atomic_load_explicit(&segment_turn(s, s->rank, at)->turn, memory_order_relaxed);
        most = turn > most ? turn : most;
    }
    return most;
}

/*
 * Gives up the rounds of numbers from `from` up to s->next. Overwrites the latest notes, those of as many numbers as the
 * ring has, if they belong to these rounds. No rank needs an older note: before this rank told a turn of round k, all
 * readers had left the rounds up to k - s->spots.
 *
 * A reader that has acquired the turn of a lost round sees NOTE_LOST or, if the rank has told no turn of the round, `lost`.
 */
static void give_up(struct segment *s, int64_t from)
{
    struct segment_rank *own = segment_rank(s, s->rank);
    const int64_t turn = told(s), kept = turn / SEGMENT_TURNS - s->spots + 1;
    for (int64_t number = from > kept ? from : kept; number * SEGMENT_TURNS < turn; number++)
        atomic_store_explicit(&segment_turn(s, s->rank, number)->note[(uint64_t)number % SEGMENT_NOTES], NOTE_LOST,
                              memory_order_relaxed);
    atomic_store_explicit(&own->lost, s->next, memory_order_relaxed);
    for (int64_t at = 0; at < s->spots; at += SEGMENT_NOTES)
        segment_set(&segment_turn(s, s->rank, at)->turn, s->next * SEGMENT_TURNS);
    segment_set(&own->out, s->next);
}

/* After an operation's end, all so far. */
static int64_t left(const struct segment *s)
{
    return atomic_load_explicit(&segment_rank(s, s->rank)->out, memory_order_relaxed);
}

static int width_log(const struct segment *s, const struct operation *o)
{
    assert(INT64_C(1) << o->cell_log <= (o->shape.ports.ranks ? SEGMENT_NODES * s->cell : s->cell));
    return o->cell_log > s->spot_log ? o->cell_log - s->spot_log - shape_halves(&o->shape) : 0;
}

/* With cells of 2^log spots. */
static int64_t first_number(const struct segment *s, int log)
{
    const int64_t more = (INT64_C(1) << log) - 1;
    return (s->next + more) & ~more;
}

/* Returns the first round's number; leaves those skipped before it. */
static int64_t begin(struct segment *s, int log, int64_t rounds)
{
    const int64_t first = first_number(s, log);
    if (first > s->next)
        segment_set(&segment_rank(s, s->rank)->out, first);
    s->next = first + (rounds << log);
    s->operations++;
    return first;
}

void operation_fetch(const struct operation *o, const struct channel *c)
{
    enum { LINE = 64, MOST = 512 << 10 }; /* bytes of a fetch; bytes that caches should keep */
    const struct segment *s = c->segment;
    const int64_t rounds = o->cut.blocks < SEGMENT_DEPTH ? o->cut.blocks : SEGMENT_DEPTH; /* with parts, there are fewer */
    if (!s || !o->service->segment.cells || o->small || operation_has_stages(o))
        return;
    const int log = width_log(s, o), cell_log = log + s->spot_log;
    if (s->ranks * rounds << cell_log > MOST)
        return;
    for (int64_t round = 0; round < rounds; round++)
        for (int r = 0; r < s->ranks; r++) {
            const char *cell = segment_cell(s, r, first_number(s, log) + (round << log));
            for (int64_t at = 0; at < INT64_C(1) << cell_log; at += LINE)
                __builtin_prefetch(cell + at);
        }
}

HOT void rounds_begin(struct execution *e, const struct schedule *schedule)
{
    struct segment *s = e->channel->segment;
    const bool one_reader = schedule->one_reader;
    if (s->ended < s->next)
        give_up(s, left(s));
    e->width_log = width_log(s, e->o);
    e->base = begin(s, e->width_log, schedule->rounds);
    e->note = e->meaning + e->channel->calls * 0xd1b54a32d192ed03u + mix64((uint64_t)e->base);
    atomic_store_explicit(&segment_rank(s, s->rank)->began, began_of(e), memory_order_relaxed);
    e->claims = one_reader && s->claims && !e->o->small;
    e->past_from = one_reader ? s->stream_past : collective_streams(e->o->facts.collective) ? s->spread_past : INT64_MAX;
}

static void end(struct segment *s)
{
    assert(left(s) == s->next);
    s->ended = s->next;
    segment_set(&segment_rank(s, s->rank)->done, s->operations);
}

HOT void rounds_end(const struct execution *e, int error)
{
    struct segment *s = e->channel->segment;
    if (error != MPI_SUCCESS)
        give_up(s, e->base);
    end(s);
}

void rounds_skip(struct segment *s, const struct operation *o, int64_t rounds)
{
    give_up(s, begin(s, width_log(s, o), rounds));
    end(s);
}
