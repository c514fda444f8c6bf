/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The history of a communicator: the times of its calls, which decide what serves the next ones.
 *
 * Calls are of one kind if they share the collective, the class of operation, the place of the root and a size class (2^k to
 * 2^(k+1)-1 bytes). The model decides the first call of a kind. Later calls try the candidates in turn, for ROUNDS rounds;
 * candidates far behind are dropped. Then the winner is settled: native, unless an engine clearly beats it. The winner is
 * timed again at the 64th, 128th, 256th .. call, and at the 8th, 16th, 32nd if its times were far apart. If its time has
 * changed, the trials begin anew.
 *
 * Ranks decide nothing alone. Before each trial they hold a sync point: an all-reduce (MAX) of what each has noted. Only
 * sync points change what serves, and a hash in them tells whether all ranks have the same history. If not, all ranks close
 * the history at once, and the model decides from then on. The number of calls of the kind tells when a sync point is due.
 * All ranks count alike, as they make the same calls of a communicator in the same order. A call counts if its arguments are
 * valid on this rank, whatever becomes of it: so ranks count alike even if one of them errs alone and calls again.
 *
 * A history is pure: it sends nothing and reads no clock.
 */
#ifndef PLEACH_HISTORY_H
#define PLEACH_HISTORY_H

#include "choose.h"

enum { ROUNDS = 3, TIMED = 4, KINDS = 128 };

/* Engines whose measured times are at most so many times the best one's are as good, for `pleach tune', too; by hand. */
#define EQUAL_MARGIN 1.03

enum kind_state {
    KIND_NEW,    /* the model decides; trials have not begun */
    KIND_TRIED,  /* the candidates take turns */
    KIND_SETTLED /* the winner serves */
};

/* When a call began and ended on this rank: nanoseconds on the clock that the ranks share. */
struct timed {
    uint64_t start, end;
};

/* All but timed[] is the same on all ranks. Times are seconds a byte, so that calls of a kind may differ in size. */
struct kind {
    uint16_t key;                     /* see kind_key(); 0: a free place */
    uint8_t state;                    /* enum kind_state */
    bool shadow;                      /* it has shadow trials: the model decides the application's calls for ever */
    uint8_t candidates;               /* how many */
    uint8_t row[CANDIDATES];          /* of the registry; native first, if it is a candidate */
    bool dropped[CANDIDATES];         /* far behind, or of no use for the kind: not tried again */
    uint8_t round, turn;              /* of the trials, from 0; the turn in the round */
    uint8_t winner;                   /* the settled row */
    uint8_t noted;                    /* calls in timed[] */
    uint32_t calls;                   /* of the kind, since it has this state */
    uint32_t added;                   /* calls among these whose time is in the trial budget */
    uint32_t next;                    /* `calls` at the next sync point or, once settled, at the next timed call */
    float predicted[CANDIDATES];      /* by the model */
    float sample[CANDIDATES][ROUNDS]; /* measured, by round; 0: no trial */
    float seconds;                    /* of the winner, once settled; 0: unknown */
    float native;                     /* of native; 0: unknown */
    float spread;                     /* of the winner: its longest sample over its shortest */
    int64_t bytes;                    /* of the kind's latest call */
    struct timed timed[TIMED];        /* this rank's notes since the last sync point */
    int64_t timed_bytes[TIMED];       /* of those calls */
};

struct history {
    bool closed;    /* ranks did not agree: nothing is learned here any more */
    uint32_t syncs; /* so far */
    int kinds;      /* that were entered */
    struct kind kind[KINDS];
};

/*
 * Nanoseconds that this process has lost by trials and their sync points, and has spent in calls, as far as histories know.
 * Calls that were not timed count with the time measured before or, failing that, with the model's.
 */
struct trial_budget {
    uint64_t lost, spent;
};

/* The words of a sync point. Of each, the largest of all ranks' values counts. */
enum { WORD_HASH, WORD_NOT_HASH, WORD_LOST, WORD_NOT_SPENT, WORD_CANNOT, WORD_TIMED, WORDS = WORD_TIMED + 2 * TIMED };

/* The key of a call's kind, > 0. */
uint16_t kind_key(const struct facts *f);

/* The k of a kind whose calls have 2^k to 2^(k+1)-1 bytes. */
int kind_size_class(const struct kind *k);

/* The kind of a call, or NULL if the history has none. Cheap. */
struct kind *history_find(struct history *l, const struct facts *f);

/* May kinds be entered? The same on all ranks. */
bool history_open(const struct history *l);

/*
 * Enters a kind that the history does not have: `count` candidates, with their predicted seconds. Fewer than two leave
 * nothing to learn: the model decides for ever. The history is open.
 */
struct kind *history_enter(struct history *l, const struct facts *f, bool shadow, const int *row, const double *seconds,
                           int count);

/* The kind has no trials from now on: the model decides for ever. The same on all ranks. */
void history_leave(struct kind *k);

/* Enters a settled kind that another communicator of the same ranks has learned. False: no room. */
bool history_inherit(struct history *l, const struct kind *settled);

/* Is a sync point due before the next call of the kind? */
static inline bool kind_syncs(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW ? k->calls >= k->next : k->noted == TIMED);
}

/*
 * The row of the registry that is to serve the next call of the kind; -1: the model decides. A kind with shadow trials gives
 * -1.
 */
int kind_serves(const struct kind *k);

/* The row for the shadow trial beside the next call of the kind; -1: there is none. */
int kind_tries(const struct kind *k);

/* Is the next call, or the trial beside it, a timed one? */
static inline bool kind_times(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_SETTLED && k->calls >= k->next);
}

/* Is no sync point due before the next call of the kind, and is that call not timed? */
static inline bool kind_calm(const struct kind *k)
{
    return k->state != KIND_TRIED && k->calls < k->next;
}

/* The nanoseconds that calls must have taken before trials may lose so many seconds; see struct trial_budget. */
uint64_t history_spending(double seconds);

/* The times of a row's trials, seconds a byte; kept after the kind is settled. All 0: it had no trial. */
struct samples {
    float least, median, most;
};
struct samples kind_samples(const struct kind *k, int row);

/* Were the times of the winner too far apart? Then it is timed again soon, and is no lesson. */
bool kind_noisy(const struct kind *k);

/*
 * Counts a call of the kind. `when`: the time of a timed call. NULL: the call was not timed, or the row of kind_serves() or
 * kind_tries() took no part in it after all.
 */
void kind_count(struct kind *k, const struct facts *f, const struct timed *when);

/* Sets this rank's words for a sync point. `cannot`: it cannot take part in trials (no memory). */
void history_say(const struct history *l, const struct kind *k, const struct trial_budget *p, bool cannot,
                 uint64_t word[WORDS]);

/*
 * Takes the words of all ranks and acts on them. `sync_ns`: nanoseconds that a sync point takes by the model, the same on
 * all ranks. Adds to *p what the trials lost and the calls took. True if there is a lesson for others: the kind has been
 * settled, or is no longer noisy.
 */
bool history_hear(struct history *l, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p);

#endif
