/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: every rank counts its calls in tables (tables.h), which become its rank report (rank_report.h).
 *
 * A pattern without %r and %p asks for a joint report of all ranks, which rank 0 of MPI_COMM_WORLD writes. If rank 0 has no
 * rank report, the lowest rank that has one writes it from files, after MPI_Finalize. While the job runs, each rank writes
 * its rank report again and again to a file in the folder FILE.parts; the files stay if the job is killed. With %r or %p
 * each rank writes a report of its own. The renderer (renderer.h) merges rank reports and writes reports. If a file cannot
 * be opened or written, a line on standard error says so, and the program runs on. No function here changes errno.
 */
#pragma once

#include "rank_report.h"
#include "record.h"

struct report_options {
    const char *pattern;      /* as for record_open() */
    struct rank_report facts; /* rank, ranks, process, dry, run so far, and texts, which must stay valid */
    bool listed;              /* if reports are not joint: does this rank write one? */
    bool advice;              /* the report is what `pleach advise` prints */
    int stack;                /* as for call_site_open() */
    double every;             /* seconds between two joint reports while the job runs; INFINITY: one report, at the end */
};

/* Does a pattern of the list ask for a joint report? */
bool report_joint(const char *list);

/* Opens this process's report, and starts the counting. Call it at most once in a process, after record_open(). */
void report_open(const struct report_options *o);

bool report_on(void);

/* Counts a call in the report. `now`: seconds_now() at its end. Only record_add() calls this function. */
void report_add(const struct record *r, double now);

/* Sets the report's line on the measured figures. */
void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the report's line on why the ranks of some communicator share no memory. Returns false if there was one. */
bool report_unshared(const char *why);

/* Sets the number of nodes of all ranks, as MPI finds them; 0: unknown. */
void report_nodes(int nodes);

/*
 * Sets the number of kinds learned so far, and the seconds that their trials have lost. In a dry run, `lost` is the time
 * that Pleach has taken beside the calls.
 */
void report_trials(int learned, double lost);

/*
 * Ends the counting, and writes what needs no other rank: the report of this rank alone, the report of a job of one rank, or
 * the file of the rank report. With END_EXIT, rank 0 also writes the joint report, from the files of rank reports that it
 * finds. So does the lowest rank that has one, if END_FINALIZE came before. exit() calls this function, too, with END_EXIT.
 * Does nothing after report_end(), or in a child that fork() made.
 */
void report_close(enum rank_end end);

/* ---- A joint report that ranks gather by messages (src/interpose/gather.c) ----------------------------------------- */

/*
 * Ends the counting. Returns the text of the rank report, which stays valid, or NULL if there is none. From now on the
 * caller is responsible for the report.
 */
const char *report_end(size_t *length);

/* report_leave_file() writes the rank report to its file. report_remove_file() removes it, once rank 0 has the text. */
void report_leave_file(void);
void report_remove_file(void);

/* On rank 0: can a report be written? True if its file was made, and no write has failed so far. */
bool report_writable(void);

/* Merges the rank report of any rank. False if memory runs out, or if the text is no rank report. */
bool report_merge(const char *text, size_t length);

/* Merges the file of a rank, or the files of all ranks if `rank` is -1. False if nothing was merged. */
bool report_merge_left(int rank);

/* Ends the merge, and writes the joint report; false on failure. If all ranks have ended, removes their files. */
bool report_write(void);
