/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of sentences: numbers of two digits, lists of ranks. The numbers need a locale with decimal points. */
#pragma once

#include "job.h"

enum { PHRASE = 64 };

/* A time, at least 0: "31 s", "4.2 ms". This function and the next two return `text`. */
const char *phrase_time(double seconds, char text[PHRASE]);

/* A part of a whole: "4.2 %", "less than 0.1 %". */
const char *phrase_share(double part, double whole, char text[PHRASE]);

/* A range of parts: "13 to 26 %"; "13 %" if both have the same digits. */
const char *phrase_shares(double least, double most, double whole, char text[PHRASE]);

/* What measuring took, and what trials took. Both functions return `text`, "" if they took nothing. */
enum { PHRASE_FACT = 192 };
const char *phrase_measuring(const struct job *j, char text[PHRASE_FACT]);
const char *phrase_trials(const struct job *j, char text[PHRASE_FACT]);

/* By trials, the MPI library's default takes over SLOW times as long as what was best: where most was lost. "": nowhere. */
#define SLOW 5
const char *phrase_slow(const struct job *j, char text[PHRASE_FACT]);

/*
 * Lists the ranks that have ended in this way or, for ENDS, that have not reported: "0-3,8"; behind `most` ranges, "...".
 * Returns the number of ranges.
 */
enum { RANK_LIST = 512 };
int phrase_ranks(const struct job *j, enum rank_end end, int most, const char *comma, const char *dash,
                 char text[RANK_LIST]);

/* What a reason means. */
const char *phrase_reason(enum reason r);

/* Takes the reasons of a job's calls, each once, in the order of its table of engines. */
void phrase_reasons(const struct job *j, void (*put)(void *to, enum reason r), void *to);

/* The sum of the seconds that the ranks ran. */
double job_run(const struct job *j);

/* Writes date and time, UTC: 2026-11-22 10:58:17. */
enum { DATE_TEXT = 72 };
void job_date(double since_1970, char text[DATE_TEXT]);
