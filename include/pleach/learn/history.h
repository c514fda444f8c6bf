/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The history of a communicator: the times of its calls, which decide what serves later calls. Pure.
 *
 * The model decides the first calls of a kind (KIND_NEW). Then the candidates take turns: for ROUNDS or SHORT_ROUNDS rounds,
 * up to FINAL_ROUNDS if the best one is in doubt, and CONFIRM_ROUNDS before an engine replaces the incumbent (KIND_TRIED).
 * The best one serves from then on (KIND_SETTLED). It is timed again now and then; if its time has changed, trials begin
 * anew. So they do when the algorithms of the MPI library can be afforded, if the first trials were without these. The
 * incumbent is native or, where measurements may not decide about bits, the model's choice.
 *
 * No rank decides alone. What serves changes only in sync points: all-reduces (MAX) of times and of hashes of the histories.
 * If the hashes differ, all ranks close the history. The count of the kind's calls tells when a sync point is due. It is the
 * same on all ranks: a call counts if its arguments are valid, even if it fails.
 */
#pragma once

#include "candidates.h"
#include "rules.h"

/* FIRST_CHECK: calls before a settled kind is timed again; then twice as many each time. */
enum { FIRST_CHECK = 64, PLAUSIBLE = 5 };

enum { ROUNDS = 3, SHORT_ROUNDS = 7, FINAL_ROUNDS = 15, CONFIRM_ROUNDS = 9, TIMED = 4, KINDS = 128 };

/*
 * Before each trial of a short kind of at most so many predicted seconds, the candidate serves a call that does not count.
 * Shadow trials of any size do so.
 */
#define WARM_MOST 1e-3

/* If all ranks share memory, longer calls of so many predicted seconds are short, too. */
#define SHORT_MOST 1e-4

/* A candidate is as good as the best one up to this factor. */
#define EQUAL_MARGIN 1.03

/* Promised by pleach(7): trials lose at most this share of the time in calls .. */
#define TRIALS_SHARE 0.01
#define TRIALS_CALLS 10 /* .. or the time of so many calls, whichever is more */

enum kind_state {
    KIND_NEW, /* the model decides; trials have not begun */
    KIND_TRIED,
    KIND_SETTLED
};

/* A call on this rank, in nanoseconds of the common clock. */
struct timed {
    uint64_t start, end;
    uint64_t preempted; /* times that it lost its core */
};

/* Of a row's trials, in seconds per byte; all 0: none. Of more than TIMED times, a quarter at either end does not count. */
struct samples {
    float least, median, most;
};

/* Only timed[] and `owed` may differ between ranks. Times are in seconds per byte, unless a unit is named. */
struct kind {
    uint16_t key; /* of kind_key(); 0: a free place */
    uint8_t state;
    bool shadow;                 /* by shadow trials: the model decides the program's calls */
    bool again;                  /* they begin anew whenever the calls have doubled */
    bool shares;                 /* all ranks share memory */
    bool own;                    /* algorithms of the MPI library, if it has any, take part in the trials, or did so */
    uint8_t candidates;          /* their number */
    uint8_t incumbent;           /* the candidate that wins unless another one is clearly faster; CANDIDATES: none */
    uint8_t row[CANDIDATES];     /* native first, if it is a candidate */
    bool dropped[CANDIDATES];    /* far behind, or could not be tried: no more trials */
    bool confirms;               /* confirming trials, of the incumbent and the best */
    bool warmed;                 /* the call that does not count is over */
    bool checked;                /* the best one has been timed again */
    uint8_t round, turn;         /* of the trials, from 0 */
    uint8_t best;                /* row that serves, once settled */
    uint8_t noted;               /* calls in timed[] */
    bool implausible;            /* trials have once contradicted the model */
    uint16_t trials;             /* since the trials began */
    uint16_t preempted;          /* of these, with a core lost on some rank */
    uint32_t calls;              /* in this state; at most UINT32_MAX - 1 */
    uint32_t added;              /* of these, in the trial budget */
    uint32_t next;               /* `calls` at the next sync point or timed call */
    float predicted[CANDIDATES]; /* times */
    float sample[CANDIDATES][FINAL_ROUNDS]; /* 0: no trial */
    float charged;                          /* time of trials that is in the trial budget */
    float earlier;                          /* the part of it before the confirming trials */
    float seconds;                          /* of the best one; 0: unknown */
    float native;                           /* 0: unknown */
    float spread;                           /* of the best one: longest time over shortest */
    struct samples told[CANDIDATES];        /* by the trials that settled the kind last */
    float apart;                            /* change of the saving since the trials before */
    float owed;                             /* see kind_doubt() */
    uint64_t before, told_from;             /* calls before this state; before told[] */
    int64_t bytes;                          /* of the latest call */
    struct timed timed[TIMED];              /* since the last sync point */
    int64_t timed_bytes[TIMED];
};

/* What a settled kind has beside its rule. */
struct kind_traits {
    uint16_t key;
    bool shadow, again, shares;
};

struct history {
    bool closed; /* for good: the ranks' histories differed */
    uint32_t syncs;
    int kinds;
    struct kind kind[KINDS];
};

/*
 * Nanoseconds that this process has lost by trials and sync points, and has spent in calls of its kinds, by the best one's
 * time or the least predicted time.
 */
struct trial_budget {
    uint64_t lost, spent;
};

/* Of a sync point. NOT_X: ~X, so that MAX gives the least X. */
enum { WORD_HASH, WORD_NOT_HASH, WORD_LOST, WORD_NOT_SPENT, WORD_PREEMPTED, WORD_TIMED, WORDS = WORD_TIMED + 2 * TIMED };

/* All zeros at first and when clear. */
void history_clear(struct history *h);
void history_free(struct history *h); /* from own_memory(), or NULL */

/* Never 0. */
uint16_t kind_key(const struct facts *f);

/* The kind's calls have 2^k to 2^(k+1)-1 bytes. */
int kind_size_class(const struct kind *k);

/* NULL: not there, or the history is closed. */
struct kind *history_find(struct history *h, const struct facts *f);

/* Room for another kind? The same on all ranks. */
bool history_open(const struct history *h);

/*
 * Enters a kind with `count` candidates: rows and predicted seconds. `incumbent`: a row, perhaps no candidate. The history
 * is open and lacks the kind. With fewer than two candidates the model always decides.
 */
struct kind *history_enter(struct history *h, const struct facts *f, bool shadow, int incumbent, const int *row,
                           const double *seconds, int count);

/* Collective. Ends the trials; the model decides from now on. */
void history_leave(struct kind *k);

/* Mixes in what decides about the next call: timing, sync point, engine. */
uint64_t kind_hash(uint64_t h, const struct kind *k);

/* Enters a kind settled by a learned rule; candidates: native and the rule's engine. NULL: no room. */
const struct kind *history_start(struct history *h, const struct kind_traits *traits, const struct rule *rule);

/* The rows of the registry that serve settled kinds, or may still win in kinds that are being tried. */
uint64_t history_rows(const struct history *h);

/* Is a sync point due before the next call? */
static inline bool kind_syncs(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW || k->shadow ? k->calls >= k->next : k->noted == TIMED);
}

/* The row that serves the next call; -1: the model decides, as always with shadow trials. */
int kind_serves(const struct kind *k);

/* The row for the shadow trial beside it; -1: none. */
int kind_tries(const struct kind *k);

/* Is the call, or its shadow trial, timed? */
static inline bool kind_times(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_SETTLED && k->calls >= k->next);
}

/* Nanoseconds from the common start to a trial. The same on all ranks. */
uint64_t kind_pause(const struct kind *k);

/* Does a call that does not count come before each trial? The same on all ranks. */
bool kind_warms(const struct kind *k);

/* Is the next call the one that does not count? Never with shadow trials. */
bool kind_warming(const struct kind *k);

/* Are there trials to come? */
static inline bool kind_learns(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW && k->next < UINT32_MAX);
}

/* Has the next call neither sync point nor timing? */
static inline bool kind_calm(const struct kind *k)
{
    return k->state != KIND_TRIED && k->calls < k->next;
}

/* Nanoseconds that calls must have spent before trials may lose so many seconds. */
uint64_t history_spending(double seconds);

/* The times by which trials settled the kind last, even during new ones. */
struct samples kind_told(const struct kind *k, int row);

/*
 * The doubt about these times, in seconds per byte: by how much the saving differed in the trials before. It makes up for
 * earlier doubts that were too small.
 */
float kind_doubt(struct kind *k);

/* Were the times of the best one far apart? */
bool kind_noisy(const struct kind *k);

/*
 * Does the settled kind make a rule? All candidates were tried; if times were far apart, all of the best are below native's.
 */
bool kind_teaches(const struct kind *k);

/* Has a rank lost its core in more than a quarter of the trials? */
bool kind_disturbed(const struct kind *k);

/* Counts a call. `when`: of a timed call or shadow trial; NULL: not timed, or the row did not run. */
void kind_count(struct kind *k, const struct facts *f, const struct timed *when);

void history_say(const struct history *h, const struct kind *k, const struct trial_budget *p, uint64_t word[WORDS]);

/*
 * Acts on a sync point, which takes `sync_ns` nanoseconds by the model. Adds the trials' losses and calls' times to *p. A
 * best candidate PLAUSIBLE times faster, compared with native, than the model explains must win twice. Returns true if only
 * now the kind may make a rule (kind_teaches()).
 */
bool history_hear(struct history *h, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p);
