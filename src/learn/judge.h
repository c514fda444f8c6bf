/* SPDX-License-Identifier: BSD-2-Clause */
/* How trials of a kind begin and end: which candidates go on, and which one is the best; see history.h. */
#pragma once

#include "history.h"

/* Candidates that have not been dropped. */
int kind_live(const struct kind *k);

/*
 * The candidate whose turn it is. An even number of them begins each round with another one: each gets both sizes of a
 * program that alternates two.
 */
int kind_candidate(const struct kind *k);

/* Seconds per byte. */
float kind_least_predicted(const struct kind *k);

bool kind_short(const struct kind *k);

/*
 * Begins trials, within TRIALS_SHARE and TRIALS_CALLS. Repeated shadow trials leave a part to other kinds. Returns whether
 * they have begun: perhaps without the algorithms of the MPI library, which then have to earn what they cost.
 */
bool judge_begin(struct kind *k, const uint64_t *word, double sync_ns);

/* Drops the candidate if it could not be tried. Returns true if the trial settles the kind. */
bool judge_trial(struct kind *k, const uint64_t *word, struct trial_budget *p);

/* Twice as many, at most UINT32_MAX - 1. */
uint32_t judge_twice(uint32_t calls);

/* Takes the times of the best one, timed again. Returns true if the kind may make a rule only now. */
bool judge_check(struct kind *k, const uint64_t *word, double sync_ns);
