/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rank report: one rank's sums over calls with equal properties, call sites, and a sample of single calls. A rank counts
 * in tables (tables.h) and writes text; rank reports are merged into a job (job.h).
 *
 * The text is TSV (rank_report.c), with whole nanoseconds and bytes, so no locale matters.
 */
#pragma once

#include "facts.h"
#include "own_share.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RANK_REPORT_VERSION = 1 };

/* The state of the process when it wrote. */
enum rank_end { END_RUNNING, END_EXIT, END_FINALIZE, ENDS };

struct tally {
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    double first;          /* seconds of the first call, perhaps with agreement and setup for later ones */
    double native, engine; /* seconds of native and of the chosen engine, by model or trials, in calls with both */
    double predicted;      /* seconds that these calls took */
    double noise;          /* of trials: seconds by which the difference may be off; else 0 */
};

struct rank_row {
    enum collective collective;
    int size;   /* 2^(size-1) < bytes <= 2^size; -1: no byte */
    int engine; /* row of engines[]; 0: native */
    int would;  /* in a dry run, the row that would have served; else `engine` */
    enum reason reason;
    int site; /* index of rank_report.site[]; -1: the row of all others, for which tables had no room */
    struct tally tally;
    bool tried; /* by trials; else by the model */
    struct own_share own;
};

/*
 * A single call: of a communicator, calls 0 to 255, every second one to 511, every fourth to 1023, and so on, while there is
 * room. All ranks keep the same ones, so they show how long a rank waited for another.
 */
struct rank_call {
    uint64_t comm;  /* hash that names the communicator on all its ranks */
    int64_t number; /* among the communicator's, from 0 */
    int ranks;
    double start; /* seconds since `began` */
    double seconds;
    enum collective collective;
    int64_t bytes;
    int engine; /* row of engines[] */
    int site;   /* as in struct rank_row */
};

struct rank_other {
    char name[32]; /* a function, or what is counted of sums */
    int64_t calls;
    double bytes, seconds; /* bytes: of this rank's send buffer */
};

/* Texts are never NULL; "" is unknown. */
struct rank_report {
    int rank, ranks;                           /* of MPI_COMM_WORLD; ranks 0: unknown */
    const char *host, *command, *pleach, *mpi; /* command: arguments, joined by blanks; pleach, mpi: versions */
    const char *settings;                      /* NAME=VALUE other than the default, joined by blanks */
    const char *note;
    const char *unshared; /* why some ranks share no memory: the first failure */
    const char *cores;    /* that the process may use: "0-3,8" */
    int nodes;            /* of all ranks; 0: unknown */
    int process;
    bool dry; /* all calls were native */
    enum rank_end end;
    double began;     /* of the first call; seconds since 1970 */
    double elapsed;   /* seconds since `began` */
    double run;       /* seconds since the process began */
    double measuring; /* seconds for measuring and for sharing memory, in no call's time */
    int learned;      /* this and `lost`: see report_trials() */
    double lost;
    double faults;  /* of native calls, if there is advice; see tables.h */
    double faulted; /* seconds of these */

    int rows, sites, frames, calls, others;
    struct rank_row *row;
    const char **site;  /* as in the log's column `site` */
    const char **frame; /* origins of frames, as in the log: "0x11f3 BUILD-ID solve+0x8f /path/of/file" */
    struct rank_call *call;
    struct rank_other *other;
};

/* Does a rank report keep this call? *each: the number of calls for which it stands. */
bool rank_report_keeps(int64_t number, int64_t *each);

/* The size class: -1 to 62, which also has all larger ones. */
int rank_report_size(int64_t bytes);

void tally_add(struct tally *t, const struct tally *more);

/* For qsort(): most seconds first. */
static inline int tally_order(const struct tally *a, const struct tally *b)
{
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

/* Returns false if f has an error. */
bool rank_report_write(const struct rank_report *p, FILE *f);
