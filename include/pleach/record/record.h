/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of intercepted calls. The log has a line for each, in the format of pleach(7). The report counts them (report.h).
 *
 * A call only copies its numbers, its return addresses and the names of communicator, datatype and operation. Names of
 * functions are looked up when records are written. If a log cannot be opened or written, a line on standard error says so,
 * and the program runs on. No function here changes errno.
 */
#pragma once

#include "call_site.h"
#include "question.h"
#include "seconds.h"

/* The version of the log's format. It grows if readers of the old format would misread the new one. */
#define RECORD_VERSION "1"

/* Most bytes of a name and of a note, with the NUL. */
enum { RECORD_NAME = 40, RECORD_NOTE = 640 };

struct record {
    double time;      /* of the call's start, in record_clock() */
    double duration;  /* seconds, without those of `measuring` */
    double measuring; /* seconds in this call that Pleach took to measure the machine and to share memory */
    enum collective collective;
    int ranks; /* size of the communicator */
    int root;  /* -1: the collective has none */
    int64_t bytes, count, blocks;
    int64_t faults; /* page faults of the native call; 0 if there is no advice to give */
    enum reason reason;
    const char *engine;       /* name; static storage */
    const char *would;        /* in a dry run, the engine that would have served; NULL: no dry run, or the same engine */
    struct expected expected; /* its engine is `would` or, if that is NULL, `engine`; times of 0 are unknown */
    uint64_t comm_id;         /* `comm` of struct rank_call; 0: unknown, an intercommunicator, or one rank alone */
    int64_t number;           /* of the call on its communicator, from 0; -1: an invalid call */
    /* Names, tabs and newlines replaced; "" unless record_names(). */
    char comm[RECORD_NAME], datatype[RECORD_NAME], op[RECORD_NAME]; /* op: "-" for broadcast */
    void *frame[CALL_SITE_FRAMES];                                  /* as call_site_capture() fills them */
};

/*
 * Opens this process's log. `pattern`: "stderr", or a file with %r (rank), %h (host), %p (process id), %j (job, see
 * launcher_job()) and %% expanded; `rank` is the rank in MPI_COMM_WORLD; `stack` as for call_site_open(). An existing file
 * is never overwritten: the records go to a file with a number in its name (output.h).
 */
void record_open(const char *pattern, int rank, int stack);

/* Writes a line "# TEXT" about the whole log without delay. Call it right after record_open(). */
void record_remark(const char *text);

/* Is there a log or a report? Fast enough for every call. */
bool record_on(void);

extern double record_epoch; /* in seconds_now(); constant while there is a log */

/* Seconds since record_open(), or, without a log, since an arbitrary moment (CLOCK_MONOTONIC). */
static inline double record_clock(void)
{
    return seconds_now() - record_epoch;
}

/* Writes a line "# ..." before the records that are not yet written. There is room for two such notes that wait. */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Notes the measured figures in log and report. `seconds`: the time that measuring took. `late`: measuring took too long,
 * and some figures were not measured.
 */
void record_measured(const struct machine *m, double seconds, bool late);

/* Notes, in the log, the figures of memory that ranks have come to share, or have measured, in so many seconds. */
void record_shared(const struct segment_figures *f, double seconds);

/* Notes, in log and report, why the ranks of some communicator share no memory. Only the first such note counts. */
void record_unshared(const char *why);

/* Is there a log, to which this record is written with its names? A report has none. Fast enough for every call. */
bool record_names(void);

/*
 * Counts a record in the report, and stores it for the log. `now`: record_clock() at the end of the call. Writes the stored
 * records when the buffer is full, when a second has passed since the last write, and after a call of more than a
 * millisecond. So a log loses little if the program is killed.
 */
void record_add(const struct record *r, double now);

/* Writes all stored records. From then on, record_add() writes each record at once. Does nothing in a child of fork(). */
void record_flush(void);

/* Writes all stored records and closes the log. Does nothing in a child that fork() made. */
void record_close(void);
