/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads logs, also into a job (job.h), as if their ranks had reported their calls. */
#pragma once

#include "job.h"

/* The lines of logs. */
struct log_lines {
    int64_t records;
    int64_t broken; /* that were not understood */
};

enum { MOST_LOG_RANKS = 1 << 24 }; /* a record has no larger rank */

struct log_columns {
    int fields; /* of a line; 0: not read yet */
    int where[16];
};

/* A log that is being read. All but the first four fields is the reader's. */
struct log_reader {
    FILE *f;
    const char *name;
    const char *by; /* what stands for the site: "rank" or "comm", for all collectives together; NULL: the site */
    bool grows;     /* the last line may be unfinished: it is read later */
    struct log_lines lines;
    struct merge *job; /* gets the origins of frames; or NULL */
    bool dry;
    struct log_columns columns;
};

/* A record, as far as the command needs it. Its texts stay until the next one is read. */
struct log_record {
    int rank;
    double time, seconds; /* time: of the start, since the log began */
    double epoch;         /* seconds since 1970 at which the log of the rank began; 0: unknown */
    int64_t bytes;
    struct rank_row row; /* without a site; in a log of a dry run, `would` has served */
    const char *site, *comm, *rank_text;
};

/* Reads the next record; false at the end of the log. Ends the command as logs_read() does. */
bool logs_next(struct log_reader *r, struct log_record *x);

/*
 * Adds the records up to the end of the log; a later call goes on there. Records without a rank count as those of rank 0.
 * Ends the command if the log cannot be read, lacks a column, or has a newer format than this command knows.
 */
void logs_read(struct merge *j, struct log_reader *r);

/* Reads a whole log, and counts its lines. */
void logs_add(struct merge *j, FILE *f, const char *name, struct log_lines *lines);

/* The moment, as in struct log_record, at which the first log in a whole file began; INFINITY: unknown. */
double logs_epoch(FILE *f, const char *name);

/* Are the logs that have been read of several runs? Then returns the file that shows it; else NULL. */
const char *logs_of_several(void);

/* Ends the command if the logs are of several runs. */
void logs_expect_one_run(void);

/* Writes logs as a trace (trace.h). False, and writes nothing, if an operand is no log. */
bool logs_trace(char *const *operand, FILE *f); /* log_trace.c */

/* Says how many lines were not understood, if any. `name`: the name of the only log, or "". */
void logs_tell_broken(const char *name, const struct log_lines *lines);
