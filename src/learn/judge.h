/* SPDX-License-Identifier: BSD-2-Clause */
/* How trials of a kind begin and end: which candidates go on, and which one is the best; see history.h. */
#pragma once

#include "history.h"

/* The number of candidates that have not been dropped. */
int kind_live(const struct kind *k);

/*
 * Returns the candidate whose turn it is. The program may alternate calls of two sizes. If each trial takes two calls, all
 * trials have the same size. Else each candidate gets calls of both sizes: an even number of candidates begins each round
 * with another one, and an odd number needs no such change.
 */
int kind_candidate(const struct kind *k);

/* Returns the least predicted time per byte. */
float kind_least_predicted(const struct kind *k);

/* Are the kind's calls short? Trials of short calls have more rounds. */
bool kind_short(const struct kind *k);

/*
 * May trials begin? The time that earlier trials have lost, and that these trials will lose, must not exceed TRIALS_SHARE of
 * the time spent in calls, or the time of TRIALS_CALLS calls, whichever is more. Shadow trials of a kind that had some leave
 * a part of this to other kinds.
 */
bool judge_affordable(const struct kind *k, const uint64_t *word, double sync_ns);

/* Begins the trials of a kind. */
void judge_begin(struct kind *k);

/* Takes the time of a trial. Drops the candidate if it could not be tried. Returns true if the trial settles the kind. */
bool judge_trial(struct kind *k, const uint64_t *word, struct trial_budget *p);

/* Twice as many calls, below UINT32_MAX. */
uint32_t judge_twice(uint32_t calls);

/* Takes the times of an engine that was timed again. Returns true if the kind makes a rule only since this check. */
bool judge_check(struct kind *k, const uint64_t *word, double sync_ns);
