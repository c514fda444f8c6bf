/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures a segment by laps of a few rounds:
 *
 *     alike    each rank works on its own cell, then on the next rank's, as engines whose ranks are all alike
 *     stream   in pairs: one rank copies in, the other out, some rounds behind
 *     spread   rank 0 copies in, all others out, as a broadcast
 *
 * The copy in an alike lap is its time minus that of a lap that only waits. Streams and spreads count whole, and try several
 * ways to copy (copies.h), as caches share lines in different ways.
 */
#include "segment_figures.h"

#include "copies.h"
#include "hold.h"
#include "kernels.h"
#include "sample.h"
#include "small_stack.h"

#include <math.h>
#include <sched.h>
#include <string.h>

enum { ROUNDS = 2 * SEGMENT_DEPTH }; /* of a lap, which uses each cell twice */
enum { LAPS = 2 };
enum { SPINS = 4096 };                    /* of a waiting loop between two calls of the MPI library */
static const double AGAIN = 10e-3;        /* seconds to measure again after a disturbance */
static const double PAYS = 0.9;           /* another copy serves up to this part of memcpy()'s time */
static const double SHORTEST_WAIT = 1e-8; /* seconds; no processor is faster */
static const double LEAST_BYTE = 1e-12;   /* seconds per byte; likewise */
static const int64_t PAST_FROM = 8 << 10; /* bytes; each copy past the caches has a fence */

struct laps {
    struct measurement w; /* first, for lap() */
    struct segment *s;
    enum { WAITS, COPIES, FOLDS, STREAM, STREAM_TAKEN, STREAM_PAST, SPREAD, SPREAD_PAST } work;
    fold_kernel *sum;
};

/* ---- Rounds ---------------------------------------------------------------------------------------------------------- */

static void await(const struct laps *l, const _Atomic int64_t *counter, int64_t value)
{
    for (unsigned spins = 1; !segment_reached(counter, value); spins++)
        if (spins % SPINS == 0) {
            int there;
            pmpi.wire.Iprobe(MPI_ANY_SOURCE, 0, l->w.comm, &there, MPI_STATUS_IGNORE);
            sched_yield();
        }
}

static int64_t width(const struct segment *s)
{
    return s->spots / SEGMENT_DEPTH;
}

static void await_turn(const struct laps *l, int rank, int64_t round, int turn)
{
    await(l, &segment_turn(l->s, rank, round)->turn, round * SEGMENT_TURNS + turn);
}

static void tell(const struct segment *s, int64_t round, int turn)
{
    segment_set(&segment_turn(s, s->rank, round)->turn, round * SEGMENT_TURNS + turn);
}

static void leave(const struct segment *s, int64_t round)
{
    segment_set(&segment_rank(s, s->rank)->out, round + width(s));
}

/* Until `reader` has left the earlier round in this cell. */
static void await_free(const struct laps *l, int reader, int64_t round)
{
    await(l, &segment_rank(l->s, reader)->out, round + width(l->s) - l->s->spots);
}

static void alike(const struct laps *l, int64_t k, size_t bytes)
{
    struct segment *s = l->s;
    const int after = (s->rank + 1) % s->ranks, before = (s->rank + s->ranks - 1) % s->ranks;
    char *other = segment_cell(s, after, k);
    await_free(l, before, k);
    memcpy(segment_cell(s, s->rank, k), l->w.out, bytes);
    tell(s, k, 1);
    await_turn(l, after, k, 1);
    if (l->work == FOLDS)
        l->sum(other, l->w.out, other, bytes / sizeof(double));
    else
        memcpy(l->w.in, other, bytes);
    tell(s, k, 2);
    if (l->work == FOLDS)
        await_turn(l, before, k, 2);
}

static void write_cell(const struct laps *l, int64_t k, size_t bytes, int end)
{
    struct segment *s = l->s;
    char *own = segment_cell(s, s->rank, k);
    for (int r = s->rank + 1; r < end; r++)
        await_free(l, r, k);
    if (l->work == STREAM_PAST || l->work == SPREAD_PAST)
        copy_past_cache(own, l->w.out, bytes);
    else
        memcpy(own, l->w.out, bytes);
    tell(s, k, 1);
}

static void read_cell(const struct laps *l, int64_t k, size_t bytes, int writer)
{
    char *other = segment_cell(l->s, writer, k);
    await_turn(l, writer, k, 1);
    if (l->work == STREAM_TAKEN)
        copy_and_claim(l->w.in, other, bytes);
    else
        memcpy(l->w.in, other, bytes);
}

/* Ranks 2i write, ranks 2i+1 read; an odd last rank rests. */
static void stream(const struct laps *l, int64_t k, size_t bytes)
{
    const struct segment *s = l->s;
    if (s->rank % 2)
        read_cell(l, k, bytes, s->rank - 1);
    else if (s->rank + 1 < s->ranks)
        write_cell(l, k, bytes, s->rank + 2);
}

static void spread(const struct laps *l, int64_t k, size_t bytes)
{
    if (l->s->rank)
        read_cell(l, k, bytes, 0);
    else
        write_cell(l, k, bytes, l->s->ranks);
}

static void lap(struct measurement *w)
{
    const struct laps *l = (const struct laps *)(const void *)w;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t k = l->s->next;
        l->s->next += width(l->s);
        (l->work < STREAM ? alike : l->work < SPREAD ? stream : spread)(l, k, (size_t)w->bytes);
        leave(l->s, k);
    }
}

/* ---- Figures --------------------------------------------------------------------------------------------------------- */

static double seconds_of(struct laps *l, int work)
{
    l->work = work;
    l->w.bytes = work == WAITS ? 0 : (int)l->s->cell;
    const struct sample s = sample_measure(&l->w, LAPS, LAPS);
    return s.noisy ? INFINITY : s.seconds / ROUNDS;
}

/* As in segment.h. Figures are zeros if disturbed. */
struct result {
    struct segment_figures figures;
    bool known, claims;
    int64_t stream_past, spread_past;
};

static const struct result nothing = {.stream_past = INT64_MAX, .spread_past = INT64_MAX};

/*
 * memcpy() is measured before and after the other ways: writer and reader may take turns by accident. A single reader claims
 * lines unless memcpy() is clearly faster, as its speed without claims may change later. Copies past the caches do not serve
 * if they were disturbed. `several`: some node has more than two ranks.
 */
static struct result measure(struct laps *l, bool several)
{
    const double bytes = (double)l->s->cell, wait = fmax(seconds_of(l, WAITS), SHORTEST_WAIT);
    const double copies = seconds_of(l, COPIES), folds = seconds_of(l, FOLDS);
    const double first = seconds_of(l, STREAM), taken = seconds_of(l, STREAM_TAKEN), past = seconds_of(l, STREAM_PAST);
    const double plain = fmin(first, seconds_of(l, STREAM)), stream = fmin(fmin(plain, taken), past);
    const double early = several ? seconds_of(l, SPREAD) : stream,
                 spread_past = several ? seconds_of(l, SPREAD_PAST) : stream,
                 spread = several ? fmin(early, seconds_of(l, SPREAD)) : stream;
    struct result r = nothing;
    if (!isfinite(wait + copies + folds + plain + spread))
        return r;
    r.figures = (struct segment_figures){.wait = wait,
                                         .copy = fmax((copies - wait) / 2 / bytes, LEAST_BYTE),
                                         .stream = stream / bytes,
                                         .spread = fmin(spread, spread_past) / bytes,
                                         .fold = fmax((folds - 2 * wait) / 2 / bytes, LEAST_BYTE)};
    r.claims = !isfinite(taken) || PAYS * taken <= plain;
    if (past <= PAYS * fmin(plain, taken))
        r.stream_past = PAST_FROM;
    if (spread_past <= PAYS * spread)
        r.spread_past = PAST_FROM;
    return r;
}

/* ---- Earlier segments ------------------------------------------------------------------------------------------------ */

enum { KEPT = 16, MOST_FAILURES = 3 }; /* of a process; of a number of ranks */

/* A number of ranks has its place modulo KEPT, and keeps `nothing` after too many failures. For several threads. */
static struct remembered {
    int ranks, failures;
    struct result result;
} remembered[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct result recall(int ranks)
{
    HOLD(lock);
    const struct remembered *k = &remembered[ranks % KEPT];
    return k->ranks == ranks ? k->result : nothing;
}

static void remember(int ranks, struct result *r)
{
    HOLD(lock);
    struct remembered *k = &remembered[ranks % KEPT];
    if (k->ranks != ranks)
        *k = (struct remembered){.ranks = ranks, .result = nothing};
    k->failures += r->figures.fold <= 0;
    r->known = r->figures.fold > 0 || k->failures >= MOST_FAILURES;
    if (r->known)
        k->result = *r;
}

static void share_result(struct segment *s, MPI_Comm comm, struct result *r)
{
    pmpi.Bcast(r, (int)sizeof *r, MPI_BYTE, 0, comm);
    s->figures = r->figures;
    s->known = r->known;
    s->claims = r->claims;
    s->stream_past = r->stream_past;
    s->spread_past = r->spread_past;
}

void segment_figures_recall(struct segment *s, MPI_Comm comm)
{
    struct result r = recall(s->ranks);
    if (pmpi_agreed(comm, r.known, MPI_MIN))
        share_result(s, comm, &r);
}

/* Behind all ended operations, from the largest number: ranks may have given up different rounds. */
static void begin(struct segment *s, int64_t next)
{
    s->next = (next + width(s) - 1) & -width(s);
    segment_set(&segment_rank(s, s->rank)->out, s->next);
}

void segment_figures_measure(struct segment *s, MPI_Comm comm, char *buffers, struct limit *limit)
{
    enum { NEXT, UNKNOWN, RANKS, WORDS };
    struct result r = recall(s->ranks);
    uint64_t most[WORDS] = {[NEXT] = (uint64_t)s->next, [UNKNOWN] = !r.known, [RANKS] = (uint64_t)s->ranks};
    words_largest(comm, most, WORDS);
    if (most[UNKNOWN]) {
        struct laps l = {
            .w = {.comm = comm, .once = lap, .out = buffers, .in = buffers + s->cell, .extra = AGAIN, .limit = limit},
            .s = s,
            .sum = kernel_at(kernel_levels() - 1, KERNEL_SUM, KERNEL_F64, 0)};
        memset(buffers, 0, 2 * (size_t)s->cell); /* else one page of zeros lies everywhere */
        begin(s, (int64_t)most[NEXT]);
        r = measure(&l, most[RANKS] > 2);
        s->ended = s->next;
        remember(s->ranks, &r);
    }
    share_result(s, comm, &r);
}
