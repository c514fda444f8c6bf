/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of intercepted calls, for the log in the format of pleach-report(5), and for the report (report.h).
 *
 * A call copies its numbers, return addresses and names of MPI objects; functions are named when records are written. If a
 * log cannot be opened or written, a line on standard error says so. No function here changes errno.
 */
#pragma once

#include "call_site.h"
#include "question.h"
#include "seconds.h"

/* The version of the log's format; grows if readers would misread it. */
#define RECORD_VERSION "1"

/* Most bytes, with the NUL. */
enum { RECORD_NAME = 40, RECORD_NOTE = 640 };

struct record {
    double time;      /* of the start, in record_clock() */
    double duration;  /* seconds, without `measuring` */
    double measuring; /* seconds that Pleach measured the machine and shared memory */
    enum collective collective;
    int ranks;
    int root; /* -1: none */
    int64_t bytes, count, blocks;
    int64_t faults; /* of the native call; 0 if there is no advice to give */
    enum reason reason;
    const char *engine;       /* static storage */
    const char *would;        /* in a dry run, the engine that would have served, unless it is the same; else NULL */
    struct expected expected; /* of `would` or else `engine`; 0 is unknown */
    uint64_t comm_id;         /* see struct rank_call; 0: unknown, an intercommunicator, or one rank */
    int64_t number;           /* on its communicator, from 0; -1: an invalid call */
    /* Without tabs and newlines; "" unless record_names(). */
    char comm[RECORD_NAME], datatype[RECORD_NAME], op[RECORD_NAME]; /* op: "-" for broadcast */
    void *frame[CALL_SITE_FRAMES];                                  /* by call_site_capture() */
};

/*
 * Opens this process's log. `pattern`: "stderr", or a file with %r (rank), %h (host), %p (process), %j (launcher_job()) and
 * %%. `rank`, `ranks`: of MPI_COMM_WORLD. `stack`: for call_site_open(). No file is overwritten (output.h).
 */
void record_open(const char *pattern, int rank, int ranks, int stack);

/* Writes a line "# TEXT" at once. Call it right after record_open(). */
void record_remark(const char *text);

/* Is there a log or a report? Fast. */
bool record_on(void);

extern double record_epoch; /* in seconds_now(); constant while there is a log */

/* Seconds since record_open() or, without a log, an arbitrary moment. */
static inline double record_clock(void)
{
    return seconds_now() - record_epoch;
}

/* Writes a line "# ..." before the records not yet written; two such notes may wait. */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Notes the measured figures in log and report. `seconds` it took; `late`: it took too long, and some are missing. */
void record_measured(const struct machine *m, double seconds, bool late);

/* Notes in the log the figures of memory that ranks share or have measured. */
void record_shared(const struct segment_figures *f, double seconds);

/* Notes in log and report why some ranks share no memory. The first one counts. */
void record_unshared(const char *why);

/* Is there a log, for which records need names? Fast. */
bool record_names(void);

/*
 * Counts a record, and stores it for the log. `now`: record_clock() at its end. Writes the stored records if the buffer is
 * full, a second has passed, or the call took over a millisecond.
 */
void record_add(const struct record *r, double now);

/* Writes all stored records; from then on, each at once. Both functions do nothing in a child of fork(). */
void record_flush(void);

void record_close(void);
