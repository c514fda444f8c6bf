/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: every rank counts its calls in tables (tables.h), which become its rank report (rank_report.h).
 *
 * A pattern without %r and %p asks for a joint report, by rank 0 of MPI_COMM_WORLD. If rank 0 has no rank report, the lowest
 * rank that has one writes it from files, after MPI_Finalize. Meanwhile each rank writes its rank report again and again to
 * the folder FILE.parts; these files stay if the job is killed. With %r or %p each rank writes its own report. If a file
 * cannot be written, a line on standard error says so. No function here changes errno.
 */
#pragma once

#include "rank_report.h"
#include "record.h"

struct report_options {
    const char *pattern;
    struct rank_report facts; /* rank, ranks, process, dry, run so far, and texts that stay valid */
    bool listed;              /* without a joint report: does this rank write one? */
    int advice;               /* as in struct settings */
    int stack;
    double every; /* seconds between joint reports; INFINITY: one, at the end */
};

bool report_joint(const char *list);

/* Starts the counting. At most once in a process, after record_open(). */
void report_open(const struct report_options *o);

bool report_on(void);

/* Counts a call, for record_add(). `now`: seconds_now() at the call's end. */
void report_add(const struct record *r, double now);

void report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the line on why ranks share no memory. Returns false if there was one. */
bool report_unshared(const char *why);

/* The nodes of all ranks; 0: unknown. */
void report_nodes(int nodes);

/* The kinds learned, and the seconds lost by trials; in a dry run, Pleach's own time beside the calls. */
void report_trials(int learned, double lost);

/*
 * Ends the counting, and writes what needs no other rank: this rank's report, that of a job of one rank, or the rank
 * report's file. With END_EXIT, also from exit(), rank 0 or, after END_FINALIZE, the lowest rank that has one, writes the
 * joint report from files. Nothing after report_end(), or in a child of fork().
 */
void report_close(enum rank_end end);

/* ---- A joint report that ranks gather by messages (src/interpose/gather.c) ----------------------------------------- */

/* Ends the counting. Returns the rank report, which stays valid, or NULL. The caller is now responsible for the report. */
const char *report_end(size_t *length);

/* Writes the rank report's file; removes it, once rank 0 has the text. */
void report_leave_file(void);
void report_remove_file(void);

/* On rank 0: is there a file, and has no write failed? */
bool report_writable(void);

/* Merges any rank's report. Returns false without memory, or if it is none. */
bool report_merge(const char *text, size_t length);

/* Merges from files, of all ranks if `rank` is -1. Returns false if nothing was merged. */
bool report_merge_left(int rank);

/* Writes the joint report; false on failure. If all ranks have ended, removes the files. */
bool report_write(void);
