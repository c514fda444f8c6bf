/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares two runs of a program: loads them, matches their calls, and judges whether these differ. */
#pragma once

#include "job.h"
#include "texts.h"

/* Calls that share a property, such as their call site, which is their name. */
struct sum {
    const char *name;
    struct tally tally;
    int ranks;               /* that made such calls; 0: unknown */
    double middle;           /* seconds of a call: the median if `times` are known, else the mean; set by compare_runs() */
    struct histogram *times; /* of the calls; NULL if they come from rank reports */
};

struct sums {
    struct texts names; /* a name's number is that of its sum */
    struct sum *sum;    /* in the order in which they came */
    int64_t room;
};

/* Adds calls to the sum of this name. Ends the command if memory runs out. */
void sums_add(struct sums *all, const char *name, int ranks, const struct tally *calls, const struct histogram *times);

/* The property that the compared calls share. */
enum aspect { ASPECT_COLLECTIVE, ASPECT_SIZE, ASPECT_SITE, ASPECTS };
extern const char *const aspect_names[ASPECTS]; /* also the names in reports as TSV */

struct run {
    const char *operand, *command; /* command "": unknown */
    bool log;                      /* else a report */
    int ranks;                     /* ranks whose calls are in it, at least 1 */
    double seconds, calls;         /* of the longest rank, 0: unknown; of a rank in these calls, on average */
    struct sums by[ASPECTS];
};

/* The calls of a job. Leaves out calls without a name of their own, such as those of JOB_OTHERS. */
struct run compare_job(const char *operand, const struct job *j);

enum verdict { SAME, FASTER, SLOWER, FEW, ONLY_A, ONLY_B, VERDICTS };

/* Calls of run A, and the matching calls of run B; one of the two may be NULL. */
struct pair {
    enum aspect aspect;
    const struct sum *a, *b;
    enum verdict verdict; /* of B against A */
    double change;        /* of a call's time: 0.5 is 50 % longer */
    double effect;        /* seconds by which B's calls take longer than as many calls of A */
};

struct pairs {
    struct pair *pair; /* the caller frees it; the largest effect first */
    int count;
    bool without_offsets; /* call sites were matched without offsets: the program was built anew */
};

/*
 * Finishes the sums, and matches them by aspect and name. If each run has call sites that the other one lacks, the program
 * was built anew. These call sites are matched without offsets and line numbers. Call sites of one run whose names are then
 * equal become one sum.
 */
struct pairs compare_runs(struct run *a, struct run *b);

/*
 * Judges b against a. `ranks`: ranks whose calls are in the sums. FEW: a sum has too few calls to judge. FASTER and SLOWER
 * are differences beyond noise:
 *
 *     logs      The medians are 5 % apart. By Mann and Whitney's test, chance makes such a difference less than once in 1000
 *               times.
 *     reports   The means are 10 % apart. Chance makes such a difference less than once in 1000 times, however the times
 *               spread between the least and the most. The least time of the slower run is not below that of the faster one.
 */
enum verdict compare_sums(const struct sum *a, const struct sum *b, int ranks);

const char *verdict_word(enum verdict v);
