/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The history of a communicator has the times of its calls, which decide what serves later calls.
 *
 * Calls are of one kind if they share the collective, the class of operation, the place of the root and a size class (2^k to
 * 2^(k+1)-1 bytes). Sums for which trials may choose among engines with equal bits are a kind apart. The model decides the
 * first call of a kind. Later calls are trials: the candidates take turns, for ROUNDS rounds. A candidate far behind the
 * best drops out. Short calls (SHORT_BYTES, SHORT_MOST) have SHORT_ROUNDS rounds instead, as their times are noisier and
 * their trials cheaper; no candidate drops out before it has had ROUNDS trials. If noise may have decided which one is the
 * best, native and those that may be the best have FINAL_ROUNDS rounds. If an engine then beats native, both have
 * CONFIRM_ROUNDS new trials, which confirm it. Then the kind is settled: native is the best, unless an engine clearly
 * beats it, and the best one serves all further calls. Pleach times it again after 64, 128, 256 .. calls, and also
 * after 8, 16 and 32 calls if its times were far apart. If its time has changed, the trials begin anew. Where measurements
 * may not decide, the model's choice takes the part of native: it serves in this run, so a rule that names another engine
 * must be worth it.
 *
 * No rank decides alone. Before each trial the ranks hold a sync point: an all-reduce (MAX) of the times that each rank has
 * noted. The engine that serves changes only in sync points. A sync point also compares hashes of the histories. If these
 * differ, all ranks close the history at once, and the model decides from then on.
 *
 * The number of calls of the kind tells when a sync point is due. All ranks count the same number, since they make the same
 * calls on a communicator in the same order. A call counts if its arguments are valid on this rank, whether or not it fails
 * later. So the counts stay equal even if one rank passes invalid arguments and then repeats the call.
 *
 * The history is pure: it sends nothing and reads no clock.
 */
#pragma once

#include "candidates.h"
#include "rules.h"

/* A settled kind is timed again after FIRST_CHECK calls, then after twice as many, and so on. PLAUSIBLE: history_hear(). */
enum { FIRST_CHECK = 64, PLAUSIBLE = 5 };

enum { ROUNDS = 3, SHORT_ROUNDS = 7, FINAL_ROUNDS = 15, CONFIRM_ROUNDS = 9, TIMED = 4, KINDS = 128 };

/*
 * If the least predicted time of a kind of short calls is at most WARM_MOST seconds, a candidate first serves a call that
 * does not count, before each of its trials: the first call of an engine after those of others finds cold caches. The same
 * holds for shadow trials of calls of any size, which have new buffers, too. Chosen by hand.
 */
#define WARM_MOST 1e-3

/*
 * If all ranks share memory, calls from SHORT_BYTES on are short, too, if their least predicted time is at most so many
 * seconds. Chosen by hand.
 */
#define SHORT_MOST 1e-4

/* An engine is as good as the best one if its measured time exceeds the best by at most this factor. Chosen by hand. */
#define EQUAL_MARGIN 1.03

/* pleach(7) promises these. */
#define TRIALS_SHARE 0.01 /* trials lose at most this share of the time in calls; budget.h: each call earns it .. */
#define TRIALS_CALLS 10   /* .. or the time of this many calls, whichever is more; budget.h: the advance */

enum kind_state {
    KIND_NEW,    /* the model decides; trials have not begun */
    KIND_TRIED,  /* the candidates take turns */
    KIND_SETTLED /* the best one serves */
};

/* The times at which a call began and ended on this rank, in nanoseconds on the clock that the ranks share. */
struct timed {
    uint64_t start, end;
    uint64_t preempted; /* how often other work took this rank's core meanwhile */
};

/*
 * The times of a row's trials, in seconds per byte; all 0 if the row had none. If
 * there are more than TIMED times, a quarter of them at either end does not count: a call is short if its last rank comes so
 * late that it finds all data there.
 */
struct samples {
    float least, median, most;
};

/*
 * The history of one kind. Only timed[] and `owed` may differ between ranks. Other times are in seconds per byte, as sizes
 * differ.
 */
struct kind {
    uint16_t key;             /* of kind_key(); 0: this place of the table is free */
    uint8_t state;            /* enum kind_state */
    bool shadow;              /* its trials are shadow trials: the model always decides the application's calls */
    bool again;               /* its shadow trials begin anew whenever its calls have doubled; see kind_doubt() */
    bool shares;              /* all ranks are on one node and share memory */
    uint8_t candidates;       /* number of candidates */
    uint8_t incumbent;        /* the candidate that wins unless another one is clearly faster; CANDIDATES: none */
    uint8_t row[CANDIDATES];  /* rows of the candidates in the registry; native comes first, if it is a candidate */
    bool dropped[CANDIDATES]; /* the candidate is far behind, or could not be tried: it has no more trials */
    bool confirms;            /* the trials are those of `held` and of the best candidate, and confirm that it is faster */
    bool warmed;              /* the candidate whose turn it is has had its call that does not count */
    bool checked;             /* the best one has been timed again since the kind was settled */
    uint8_t round, turn;      /* the round of the trials, and the turn in it, from 0; `round` rounds are over */
    uint8_t best;             /* row of the best one in the registry, once the kind is settled */
    uint8_t noted;            /* number of calls in timed[] */
    bool implausible;         /* trials have contradicted the model; see history_hear() */
    uint16_t trials;          /* number of trials since they began */
    uint16_t preempted;       /* number of these in which some rank lost its core */
    uint32_t calls;           /* calls of the kind since it has had this state; at most UINT32_MAX - 1 */
    uint32_t added;           /* the number of these calls whose time is in the trial budget */
    uint32_t next;            /* the value of `calls` at the next sync point or, in a settled kind, at the next timed call */
    float predicted[CANDIDATES];            /* predicted times */
    float sample[CANDIDATES][FINAL_ROUNDS]; /* times measured in each round; 0 if there was no trial */
    float charged;                          /* time of the trials that is in the trial budget */
    float earlier;                          /* the part of it that belongs to trials before those that confirm */
    float seconds;                          /* time of the best one; 0 if unknown */
    float native;                           /* time of native; 0 if unknown */
    float spread;                           /* longest time of the best one over its shortest */
    struct samples told[CANDIDATES];        /* the times of the trials that settled the kind last */
    float apart;                            /* by how much trials differ from those before in the part that is saved */
    float owed;                             /* see kind_doubt(); may differ between ranks */
    uint64_t before, told_from;             /* numbers of the kind's calls before it had this state, and before told[] */
    int64_t bytes;                          /* bytes of the latest call */
    struct timed timed[TIMED];              /* the calls that this rank has timed since the last sync point */
    int64_t timed_bytes[TIMED];             /* their bytes */
};

/* What a settled kind has beside its rule; see struct kind. */
struct kind_traits {
    uint16_t key;
    bool shadow, again, shares;
};

struct history {
    bool closed;    /* histories differed between ranks: this communicator learns nothing any more */
    uint32_t syncs; /* number of sync points so far */
    int kinds;      /* number of kinds entered */
    struct kind kind[KINDS];
};

/*
 * Nanoseconds that this process has lost by trials and their sync points, and nanoseconds that it has spent in calls of the
 * kinds in its histories. Each such call counts with the time of the best one, if known, else with the least predicted time.
 */
struct trial_budget {
    uint64_t lost, spent;
};

/* The words of a sync point, an all-reduce (MAX). A word NOT_X has ~X, so that the ranks learn the least X, too. */
enum { WORD_HASH, WORD_NOT_HASH, WORD_LOST, WORD_NOT_SPENT, WORD_PREEMPTED, WORD_TIMED, WORDS = WORD_TIMED + 2 * TIMED };

/* Both functions take little time if the history has few kinds. A history is all zeros at first and when it is clear. */
void history_clear(struct history *h);
void history_free(struct history *h); /* from own_memory(), or NULL */

/* Returns the key of the kind of a call, > 0. */
uint16_t kind_key(const struct facts *f);

/* Returns the k of a kind whose calls have 2^k to 2^(k+1)-1 bytes. */
int kind_size_class(const struct kind *k);

/* Returns the kind of a call, or NULL if the history does not have it or is closed. Takes little time. */
struct kind *history_find(struct history *h, const struct facts *f);

/* Can the history take another kind? It cannot if it is closed or full. The answer is the same on all ranks. */
bool history_open(const struct history *h);

/*
 * Enters the kind of a call with `count` candidates: their rows in the registry and their predicted seconds. `held`: the row
 * that wins unless another one is clearly faster, if it is a candidate. The history is open and does not have the kind. With
 * fewer than two candidates there is nothing to learn: the model always decides.
 */
struct kind *history_enter(struct history *h, const struct facts *f, bool shadow, int incumbent, const int *row,
                           const double *seconds, int count);

/* Ends the trials of a kind, so that the model always decides about its calls. All ranks call this at the same time. */
void history_leave(struct kind *k);

/* Mixes into the hash h what decides whether the next call of the kind is timed or has a sync point, and who serves it. */
uint64_t kind_hash(uint64_t h, const struct kind *k);

/*
 * Enters the kind that a rule of an earlier communicator of the same ranks has settled; its candidates are native and the
 * engine of the rule. Returns NULL if there is no room.
 */
const struct kind *history_start(struct history *h, const struct kind_traits *traits, const struct rule *rule);

/* Is a sync point due before the next call of the kind? */
static inline bool kind_syncs(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW || k->shadow ? k->calls >= k->next : k->noted == TIMED);
}

/*
 * Returns the row of the registry that serves the next call of the kind. Returns -1 if the model decides, as it always does
 * for a kind with shadow trials.
 */
int kind_serves(const struct kind *k);

/* Returns the row for the shadow trial beside the next call of the kind; -1 if there is no trial. */
int kind_tries(const struct kind *k);

/* Is the next call of the kind, or the shadow trial beside it, timed? */
static inline bool kind_times(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_SETTLED && k->calls >= k->next);
}

/* Nanoseconds by which each trial of the kind begins after the common start; see START_PAUSE. The same on all ranks. */
uint64_t kind_pause(const struct kind *k);

/* Does a call that does not count come before each trial of the kind? See WARM_MOST. The same on all ranks. */
bool kind_warms(const struct kind *k);

/* Is the next call of the kind such a call? No in a kind with shadow trials, which make both calls at once. */
bool kind_warming(const struct kind *k);

/* Are there still trials to come before the kind is settled? No if there is nothing to choose from. */
static inline bool kind_learns(const struct kind *k)
{
    return k->state == KIND_TRIED || (k->state == KIND_NEW && k->next < UINT32_MAX);
}

/* Does the next call of the kind need neither a sync point before it nor a timing? */
static inline bool kind_calm(const struct kind *k)
{
    return k->state != KIND_TRIED && k->calls < k->next;
}

/* Returns the nanoseconds that calls must have taken before trials may lose this many seconds; see struct trial_budget. */
uint64_t history_spending(double seconds);

/* The times of the trials that settled the kind last, even while new trials go on; all 0 if the row had none. */
struct samples kind_told(const struct kind *k, int row);

/*
 * The doubt about what these times tell of the next call, in seconds per byte: by how much the saving of an engine differed
 * in the trials before. If it differs in later trials, the doubt about the call after these makes up for the calls so far,
 * whose doubt was too small. If the machine was busy during some of the trials, it shows here.
 */
float kind_doubt(struct kind *k);

/* Were the times of the best one far apart? If so, it is timed again soon. */
bool kind_noisy(const struct kind *k);

/*
 * Does the settled kind make a rule? Each candidate must have had a trial. If its times or native's were far apart, all
 * of its times must be below all of native's. If both were, there is no rule.
 */
bool kind_teaches(const struct kind *k);

/* Did other work take a rank's core in more than a quarter of the trials? */
bool kind_disturbed(const struct kind *k);

/*
 * Counts a call of the kind. `when`: the times of a timed call or shadow trial. It is NULL if nothing was timed, or if the
 * row of kind_serves() or kind_tries() did not run after all.
 */
void kind_count(struct kind *k, const struct facts *f, const struct timed *when);

/* Sets this rank's words for a sync point. */
void history_say(const struct history *h, const struct kind *k, const struct trial_budget *p, uint64_t word[WORDS]);

/*
 * Takes the result of a sync point, and acts on it. If the best candidate is faster, compared with native, than the model
 * explains by a factor of PLAUSIBLE, that is noise: the kind is new again, and later trials that say the same settle it.
 * `sync_ns`: the nanoseconds that a sync point takes by the model, the same on all ranks. Adds to *p the time that trials
 * have lost and calls have taken. Returns true if the kind has just been settled, or if its times are no longer far apart.
 * The kind then makes a rule, if kind_teaches().
 */
bool history_hear(struct history *h, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p);
