/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records: one line for every intercepted call, in the TSV format that pleach(7) describes. The log has them all; the
 * report counts them (report.h).
 *
 * During a call its numbers, return addresses and the names of communicator, datatype and operation are copied; the names
 * of functions are looked up when records are written. A log that cannot be opened or written costs one line on standard
 * error and nothing else. No function here changes errno.
 */
#ifndef PLEACH_RECORD_H
#define PLEACH_RECORD_H

#include "facts.h"
#include "call_site.h"

/* Bytes that a name or a note may have, with the NUL at its end. */
enum { RECORD_NAME = 40, RECORD_NOTE = 512 };

struct record {
    double time;      /* seconds since the log was opened, at the call's start */
    double duration;  /* seconds, without those of `measuring` */
    double measuring; /* seconds that measuring the machine took in the call: it serves all calls, and delays this one */
    enum collective collective;
    int ranks; /* size of the communicator */
    int root;  /* or -1 */
    int64_t bytes, count, blocks;
    enum reason reason;
    const char *engine;            /* name; static storage */
    const char *would;             /* likewise: in a dry run, of what would have served; NULL: no dry run, or the same */
    double native_seconds;         /* predicted of the native call; 0: unknown */
    double engine_seconds;         /* predicted of `would`, or else of `engine`; 0: unknown */
    double noise_seconds;          /* where trials measured both: noise of their difference, as in struct expected; else 0 */
    bool tried;                    /* they were measured in trials */
    uint64_t comm_id;              /* as in struct rank_call; 0: unknown, or a communicator of one rank */
    int64_t number;                /* of the call on its communicator, from 0; -1: the call is not valid, or comm_id is 0 */
    char comm[RECORD_NAME];        /* name of the communicator, tabs and newlines replaced */
    char datatype[RECORD_NAME];    /* likewise */
    char op[RECORD_NAME];          /* likewise; "-" for broadcast */
    void *frame[CALL_SITE_FRAMES]; /* as call_site_take() fills them */
};

/*
 * Opens this process's log. `pattern`: "stderr", or a file with %r (rank), %h (host), %p (process id), %j (job, see
 * launcher_job()) and %% expanded; `rank` is the rank in MPI_COMM_WORLD; `stack` as for call_site_open(). An existing file
 * is never overwritten: the records go to the first free of NAME.1, NAME.2, ...
 */
void record_open(const char *pattern, int rank, int stack);

/* Writes a line "# ..." at once. For what holds for the whole log, right behind record_open(). */
void record_remark(const char *text);

/* Does somebody want to know about calls, the log or the report? Cheap. */
bool record_on(void);

/* Seconds since record_open(), or, without a log, since an arbitrary moment (CLOCK_MONOTONIC). */
double record_clock(void);

/* Writes a line "# ..." before the next record. A note that is not yet written gives way to the next. */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Tells log and report what was measured of the machine, in so many seconds. `late`: not all was, as it took too long.
 */
void record_measured(const struct machine *m, double seconds, bool late);

/*
 * Counts a record in the report, and stores it for the log; it gets its `seq` here. Writes what is stored when the buffer is
 * full, when a second has passed since the last write, and behind a call of over a millisecond, so that little is lost when
 * the program is killed.
 */
void record_add(const struct record *r);

/* Writes all that is stored, and from now on each record at once. Does nothing in a child that fork() made. */
void record_flush(void);

/* Writes all that is stored and closes the log. Does nothing in a child that fork() made. */
void record_close(void);

#endif
