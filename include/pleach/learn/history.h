/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The history of a communicator: the times of its calls, which decide what serves later calls. Pure: it sends nothing and
 * reads no clock.
 *
 * A kind of calls goes from KIND_NEW, where the model decides, through trials to KIND_SETTLED. In trials the candidates take
 * turns, for ROUNDS or SHORT_ROUNDS rounds, for up to FINAL_ROUNDS if the best one is in doubt, and for CONFIRM_ROUNDS if an
 * engine is to replace the incumbent. The best one then serves. It is timed again now and then; if its time has changed,
 * trials begin anew. The incumbent is native or, where measurements may not decide about bits, the model's choice.
 *
 * No rank decides alone. Before each trial there is a sync point: an all-reduce (MAX) of the times noted and of a hash of
 * the history. What serves changes only there. If the hashes differ, all ranks close the history. The count of the kind's
 * calls tells when a sync point is due. It is the same on all ranks, because a call counts if its arguments are valid, even
 * if it fails.
 */
#pragma once

#include "candidates.h"
#include "rules.h"

/* FIRST_CHECK: calls before a settled kind is timed again; then twice as many each time. PLAUSIBLE: history_hear(). */
enum { FIRST_CHECK = 64, PLAUSIBLE = 5 };

enum { ROUNDS = 3, SHORT_ROUNDS = 7, FINAL_ROUNDS = 15, CONFIRM_ROUNDS = 9, TIMED = 4, KINDS = 128 };

/*
 * A candidate first serves a call that does not count before each trial, if the least predicted seconds of a short kind are
 * at most WARM_MOST. Shadow trials do so for calls of any size.
 */
#define WARM_MOST 1e-3

/* If all ranks share memory, longer calls count as short, too, up to so many predicted seconds. */
#define SHORT_MOST 1e-4

/* An engine is as good as the best one up to this factor of the measured time. */
#define EQUAL_MARGIN 1.03

/* Promised by pleach(7): trials lose at most this share of the time in calls .. */
#define TRIALS_SHARE 0.01
#define TRIALS_CALLS 10 /* .. or the time of so many calls, whichever is more */

enum kind_state {
    KIND_NEW,    /* the model decides; trials have not begun */
    KIND_TRIED,  /* the candidates take turns */
    KIND_SETTLED /* the best one serves */
};

/* When a call began and ended on this rank, in nanoseconds of the common clock. */
struct timed {
    uint64_t start, end;
    uint64_t preempted; /* how often other work took this rank's core meanwhile */
};

/*
 * The times of a row's trials, in seconds per byte; all 0 if it had none. Of more than TIMED times, a quarter at either end
 * does not count.
 */
struct samples {
    float least, median, most;
};

/* One kind. Only timed[] and `owed` may differ between ranks. Times are in seconds per byte, unless a unit is named. */
struct kind {
    uint16_t key;  /* of kind_key(); 0: a free place */
    uint8_t state; /* enum kind_state */
    bool shadow;   /* its trials are shadow trials: the model decides the program's calls */
    bool again;    /* its shadow trials begin anew whenever its calls have doubled */
    bool shares;   /* all ranks share memory */
    uint8_t candidates;
    uint8_t incumbent;        /* the candidate to be clearly beaten by others; CANDIDATES: none */
    uint8_t row[CANDIDATES];  /* rows in the registry; native, if a candidate, is first */
    bool dropped[CANDIDATES]; /* has no more trials */
    bool confirms;            /* the trials are the confirming ones, of the incumbent and the best */
    bool warmed;              /* the candidate at turn has had its call that does not count */
    bool checked;             /* the best one has been timed again */
    uint8_t round, turn;      /* of the trials, from 0 */
    uint8_t best;             /* the row that serves, once settled */
    uint8_t noted;            /* calls in timed[] */
    bool implausible;         /* trials have contradicted the model once */
    uint16_t trials;          /* since the trials began */
    uint16_t preempted;       /* those in which some rank lost its core */
    uint32_t calls;           /* calls of the kind in this state; at most UINT32_MAX - 1 */
    uint32_t added;           /* those of them that are in the trial budget */
    uint32_t next;            /* `calls` at the next sync point or, if settled, at the next timed call */
    float predicted[CANDIDATES];
    float sample[CANDIDATES][FINAL_ROUNDS]; /* in each round; 0: no trial */
    float charged;                          /* time of trials that is in the trial budget */
    float earlier;                          /* the part of it before the confirming trials */
    float seconds;                          /* of the best one; 0: unknown */
    float native;                           /* of native; 0: unknown */
    float spread;                           /* longest time of the best one over its shortest */
    struct samples told[CANDIDATES];        /* times of the trials that settled it last */
    float apart;                            /* difference of the saving from that in the trials before */
    float owed;                             /* see kind_doubt() */
    uint64_t before, told_from;             /* calls before this state, and before told[] */
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
    bool closed;    /* for good: the ranks' histories differed */
    uint32_t syncs; /* sync points so far */
    int kinds;
    struct kind kind[KINDS];
};

/*
 * Nanoseconds that this process has lost by trials and sync points, and has spent in calls of its kinds. A call counts with
 * the time of the best one, if known, else with the least predicted time.
 */
struct trial_budget {
    uint64_t lost, spent;
};

/* The words of a sync point. A word NOT_X has ~X: by MAX, the ranks learn the least X. */
enum { WORD_HASH, WORD_NOT_HASH, WORD_LOST, WORD_NOT_SPENT, WORD_PREEMPTED, WORD_TIMED, WORDS = WORD_TIMED + 2 * TIMED };

/* A history is all zeros at first and when it is clear. */
void history_clear(struct history *h);
void history_free(struct history *h); /* from own_memory(), or NULL */

/* > 0 */
uint16_t kind_key(const struct facts *f);

/* The k of the kind: calls of 2^k to 2^(k+1)-1 bytes. */
int kind_size_class(const struct kind *k);

/* NULL: the history does not have the kind, or is closed. */
struct kind *history_find(struct history *h, const struct facts *f);

/* Is there room for another kind? The same on all ranks. */
bool history_open(const struct history *h);

/*
 * Enters the kind of a call with `count` candidates, their rows and predicted seconds. `incumbent`: a row, which need not be
 * a candidate. The history must be open and not have the kind. With fewer than two candidates the model always decides.
 */
struct kind *history_enter(struct history *h, const struct facts *f, bool shadow, int incumbent, const int *row,
                           const double *seconds, int count);

/* The model decides from now on. Collective. */
void history_leave(struct kind *k);

/* Mixes in all that decides whether the next call is timed or has a sync point, and what serves it. */
uint64_t kind_hash(uint64_t h, const struct kind *k);

/* Enters a kind that a learned rule has settled, with native and the rule's engine as candidates. NULL: no room. */
const struct kind *history_start(struct history *h, const struct kind_traits *traits, const struct rule *rule);

/* Is a sync point due before the next call of the kind? */
static inline bool kind_syncs(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW || k->shadow ? k->calls >= k->next : k->noted == TIMED);
}

/* The row that serves the next call; -1: the model decides, as always in a kind with shadow trials. */
int kind_serves(const struct kind *k);

/* The row for the shadow trial beside the next call; -1: none. */
int kind_tries(const struct kind *k);

/* Is the next call, or its shadow trial, timed? */
static inline bool kind_times(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_SETTLED && k->calls >= k->next);
}

/* Nanoseconds from the common start to a trial; START_PAUSE or 0. The same on all ranks. */
uint64_t kind_pause(const struct kind *k);

/* Does a call that does not count come before each trial? The same on all ranks. */
bool kind_warms(const struct kind *k);

/* Is the next call such a call? Never with shadow trials, which make both calls at once. */
bool kind_warming(const struct kind *k);

/* Are there trials to come before the kind is settled? */
static inline bool kind_learns(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW && k->next < UINT32_MAX);
}

/* Has the next call neither a sync point nor a timing? */
static inline bool kind_calm(const struct kind *k)
{
    return k->state != KIND_TRIED && k->calls < k->next;
}

/* Nanoseconds that calls must have taken before trials may lose so many seconds. */
uint64_t history_spending(double seconds);

/* The times of the trials that settled the kind last, even while new trials go on. */
struct samples kind_told(const struct kind *k, int row);

/*
 * The doubt about these times, in seconds per byte of the next call: by how much the saving differed in the trials before.
 * It makes up for earlier doubts that were too small.
 */
float kind_doubt(struct kind *k);

/* Were the times of the best one far apart? It is then timed again soon. */
bool kind_noisy(const struct kind *k);

/*
 * Does the settled kind make a rule? All candidates must have had a trial. If the times of one were far apart, all times of
 * the best must be below all of native's.
 */
bool kind_teaches(const struct kind *k);

/* Has other work taken a rank's core in more than a quarter of the trials? */
bool kind_disturbed(const struct kind *k);

/* Counts a call. `when`: the times of a timed call or shadow trial; NULL if not timed, or if the row did not run. */
void kind_count(struct kind *k, const struct facts *f, const struct timed *when);

/* Sets this rank's words for a sync point. */
void history_say(const struct history *h, const struct kind *k, const struct trial_budget *p, uint64_t word[WORDS]);

/*
 * Acts on the result of a sync point, which takes `sync_ns` nanoseconds by the model. Adds to *p what trials have lost and
 * calls have taken. If the best candidate is faster, compared with native, than the model explains by a factor of PLAUSIBLE,
 * the kind is new again, and is settled only when later trials say the same. Returns true if the kind may make a rule only
 * now: see kind_teaches().
 */
bool history_hear(struct history *h, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p);
