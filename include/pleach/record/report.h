/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: every rank counts its calls in tables (tables.h), which become its rank report (rank_report.h).
 *
 * A pattern without %r and %p asks for a joint report of all ranks, which rank 0 of MPI_COMM_WORLD writes. Each rank then
 * leaves its rank report in the folder FILE.parts now and then; these survive if the job is killed. With %r or %p each rank
 * writes a report of its own. Merging and writing is the renderer's (renderer.h). A file that cannot be opened or written
 * costs one line on standard error and nothing else. No function here changes errno.
 */
#ifndef PLEACH_REPORT_H
#define PLEACH_REPORT_H

#include "rank_report.h"
#include "record.h"

struct report_options {
    const char *pattern;      /* as for record_open() */
    struct rank_report facts; /* the constant fields: rank, ranks, process, dry, and texts, which must stay */
    bool listed;              /* does this rank write a report of its own? */
    bool advice;              /* the report is what `pleach advise' prints */
    int stack;                /* as for call_site_open() */
    double every;             /* seconds between two writings of a joint report; INFINITY: at the end alone */
};

/* Does the pattern ask for a joint report? */
bool report_joint(const char *pattern);

/* Opens this process's report, once in its life, and starts the counting. After record_open(). */
void report_open(const struct report_options *o);

/* The report's part in record_on() and record_add(), which call it. */
bool report_on(void);
void report_add(const struct record *r);

/* Adds the measured figures to the report, in words. */
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the number of kinds learned so far, and the seconds that their trials have lost. */
void report_trials(int learned, double lost);

/*
 * Ends the counting, and writes what this process alone can write: its own report, its rank report, a joint report of one
 * rank. On rank 0, with END_EXIT, it also writes the joint report of all rank reports that it finds. exit() calls it, too,
 * with END_EXIT. Does nothing in a child that fork() made.
 */
void report_close(enum rank_end end);

/* ---- A joint report that is gathered ------------------------------------------------------------------------------- */

/*
 * Ends the counting. Returns the text of the rank report, which stays; NULL: there is none. From now on the caller is
 * responsible for the report.
 */
const char *report_end(size_t *length);

/* Leaves the rank report of report_end() as a file; or removes the file, once rank 0 has the rank report. */
void report_leave_part(void);
void report_remove_part(void);

/* On rank 0: can a report be written? Its file was made, and nothing has failed so far. */
bool report_writable(void);

/* Merges the rank report of another rank, or of this one. False: there is no memory, or the text is none. */
bool report_merge(const char *text, size_t length);

/* Merges the rank report that a rank has left as a file; -1: all of these. False: there is none of this job. */
bool report_merge_left(int rank);

/*
 * Writes the joint report of what has been merged; false if that fails. Ends the merge. Removes the files of rank reports if
 * all ranks are through.
 */
bool report_write(void);

#endif
