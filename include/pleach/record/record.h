/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records: one line for every intercepted call, in the TSV format that pleach(7) describes; and the report, their sums.
 *
 * During a call only numbers and program counters are stored; names are looked up when records are written. A log or
 * report that cannot be opened or written costs one warning and nothing else. No function here changes errno.
 */
#ifndef PLEACH_RECORD_H
#define PLEACH_RECORD_H

#include "facts.h"

/* SITE_NAME: longest text of one frame. SITE_TEXT: longest text of a call site, its frames joined by ' < '. */
enum { SITE_FRAMES = 32, RECORD_NAME = 40, RECORD_NOTE = 512, SITE_NAME = 256, SITE_TEXT = SITE_FRAMES * (SITE_NAME + 3) };

struct record {
    double time;     /* seconds since the log was opened, at the call's start */
    double duration; /* seconds */
    enum collective collective;
    int ranks; /* size of the communicator */
    int root;  /* or -1 */
    int64_t bytes, count, blocks;
    enum reason reason;
    const char *engine;         /* name; static storage */
    char comm[RECORD_NAME];     /* name of the communicator, tabs and newlines replaced */
    char datatype[RECORD_NAME]; /* likewise */
    char op[RECORD_NAME];       /* likewise; "-" for broadcast */
    void *frame[SITE_FRAMES];   /* return addresses, innermost first, beginning in the caller of MPI_*; NULL ends */
};

/*
 * Opens this process's log. `pattern`: "stderr", or a file with %r (rank), %h (host), %p (process id), %j (job, from
 * SLURM_JOB_ID, PBS_JOBID, LSB_JOBID, ..., else 0) and %% expanded; `rank` is the rank in MPI_COMM_WORLD; `stack` the frames
 * kept of a call site, 0 for none. An existing file is never overwritten: the records go to the first free of NAME.1,
 * NAME.2, ... On failure: one line on standard error, and nothing is logged.
 */
void record_open(const char *pattern, int rank, int stack);

/* Does somebody want to know about calls, the log or the report? Cheap. */
bool record_on(void);

/* Seconds since record_open(), or, without a log, since an arbitrary moment (CLOCK_MONOTONIC). */
double record_clock(void);

/*
 * Fills frames with up to the wished depth of return addresses, beginning at `caller`, the return address of the
 * intercepted function. Async-safe in practice: no lock of ours is held while unwinding.
 */
void record_site(struct record *r, void *caller);

/* Makes record_site() keep `stack` frames, 0 for none, and loads the unwinder. To open a log or report does it, too. */
void site_open(int stack);

/*
 * Writes the column `site` for frames as record_site() stored them, '-' for none, and returns its length; `size` is
 * SITE_TEXT or more.
 */
int site_text(void *const frame[], char *text, int size);

/*
 * Writes a line "# ..." among the records, before the next of them, and a line in the report. The latest one that is not yet
 * written counts.
 */
void record_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Counts a record in the report, and stores it for the log; it gets its `seq` here. Writes what is stored when the buffer is
 * full, when a second has passed since the last write, and behind a call of over a millisecond, so that little is lost when
 * the program is killed.
 */
void record_add(const struct record *r);

/* Writes all that is stored and closes the log. Does nothing in a child that fork() made. */
void record_close(void);

/*
 * Opens this process's report, once in its life: from now on calls are counted by what they have in common (collective,
 * engine, reason; call site). Arguments as for record_open(). On failure: one line on standard error, and no report.
 */
void report_open(const char *pattern, int rank, int stack);

/* Writes the report, in one piece, and closes it. Does nothing in a child that fork() made. */
void report_close(void);

/*
 * The text of a return address: "function+0x1f" if known, else "module+0x1234". Returns text. Used by the log, tested alone.
 */
const char *site_name(void *address, char *text, int size);

#endif
