/* SPDX-License-Identifier: BSD-2-Clause */
/* Two runs of a program, compared: what is loaded of each, how their calls are matched, and when they differ. */
#ifndef PLEACH_CLI_COMPARE_H
#define PLEACH_CLI_COMPARE_H

#include "sums.h"

/* The property that calls share which are compared. */
enum aspect { ASPECT_COLLECTIVE, ASPECT_SIZE, ASPECT_SITE, ASPECTS };
extern const char *const aspect_names[ASPECTS]; /* also in a report as TSV */

struct run {
    const char *operand;
    bool log;      /* else a report */
    int ranks;     /* whose calls are in it, at least 1 */
    char *command; /* "": unknown */
    struct sums by[ASPECTS];
};

/* Loads what an operand names: a log, a report as TSV, a part, or a folder of logs or parts. Ends the command on failure. */
void compare_load(struct run *r, char *operand);

enum verdict { SAME, FASTER, SLOWER, FEW, ONLY_A, ONLY_B, VERDICTS };

/* Calls of run A, and the same of run B; one of them may be NULL. */
struct pair {
    enum aspect aspect;
    const struct sum *a, *b;
    enum verdict verdict; /* of B against A */
    double change;        /* of a call's time: 0.5 is half as much again */
    double effect;        /* seconds that B's calls take more than they would in A */
};

struct pairs {
    struct pair *pair; /* to be freed; the largest effect first */
    int count;
    bool without_offsets; /* call sites were matched so: the program was built anew */
};

/*
 * Finishes sums, and matches them by aspect and name. Where call sites of both have no match, these are matched by their
 * names without what changes when a program is built anew: offsets and line numbers; those of a run that are the same then
 * are one.
 */
struct pairs compare_runs(struct run *a, struct run *b);

/*
 * When is a difference beyond noise? In logs, where two calls, one of each run, show the same of them to be faster so often
 * that chance would do that less than once in a thousand times (Mann and Whitney's rank test, in which calls of several
 * ranks count as one), and medians are 5 % apart. In reports, which have the least and the most seconds of a call, where
 * means are 10 % apart, and by more than chance would do as often if calls were spread between these as widely as they can
 * be; and where the least does not say the contrary.
 */
enum verdict compare_sums(const struct sum *a, const struct sum *b, int ranks);

const char *verdict_word(enum verdict v);

#endif
