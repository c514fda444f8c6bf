/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: every rank counts its calls in tables (tables.h), and tells of them as a rank report (rank_report.h).
 *
 * Where the pattern has no %r and no %p there is one report for all ranks: rank 0 of MPI_COMM_WORLD writes it, and each rank
 * leaves its rank report in the folder FILE.parts now and then, so that a job that is killed leaves them. Else a rank writes
 * a report of its own. What cannot be opened or written costs one line on standard error and nothing else. No function here
 * changes errno.
 */
#ifndef PLEACH_REPORT_H
#define PLEACH_REPORT_H

#include "job.h"
#include "record.h"

struct report_options {
    const char *pattern;      /* as for record_open() */
    struct rank_report facts; /* what does not change: rank, ranks, process, dry, and texts, which must stay */
    bool listed;              /* does this rank write a report of its own? */
    bool advice;              /* the report is an advice (advice.h) */
    int stack;                /* as for call_site_open() */
    double every;             /* seconds after which a joint report is written anew; INFINITY: at the end alone */
};

/* Does the pattern ask for one report for all ranks? */
bool report_joint(const char *pattern);

/* Opens this process's report, once in its life: from now on calls are counted. After record_open(). */
void report_open(const struct report_options *o);

/* The report's part in record_on() and record_add(), which call it. */
bool report_on(void);
void report_add(const struct record *r);

/* Tells the report of measured figures, in words. */
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Tells the report how many kinds of calls have been learned so far, and how many seconds their trials have lost. */
void report_trials(int learned, double lost);

/*
 * Ends the counting, and writes what this process has to write by itself: its own report, its rank report, a joint report of
 * one rank, and, when it exits, as rank 0, the joint report of all rank reports that are there. Does nothing in a child that
 * fork() made. It is called by exit() as well, with END_EXIT.
 */
void report_close(enum rank_end end);

/* ---- A joint report that is gathered ------------------------------------------------------------------------------- */

/*
 * Ends the counting. The text of the rank report, which stays; NULL: there is none. From now on the caller sees to the
 * report.
 */
const char *report_end(size_t *length);

/* Leaves the part of report_end() as a file, or, as others have it now, takes away what was left. */
void report_leave_part(void);
void report_remove_part(void);

/* Adds the rank report that a rank has left as a file. False: there is none that is of this job. */
bool report_add_left(struct merge *j, int rank);

/* Writes the joint report: true. Takes away what was left if all have told that they are through. Ends the merge. */
bool report_write(struct merge *j);

#endif
