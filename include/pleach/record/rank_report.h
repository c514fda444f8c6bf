/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rank report: the report of one rank on its calls. It has sums over calls with equal properties, call sites, and a sample
 * of single calls. A rank counts in tables (tables.h) and writes its rank report as text; rank reports are merged into a job
 * (job.h).
 *
 * The text is TSV. Its first line is "pleach-part VERSION"; each further line begins with a word that names its content
 * (rank_report.c); the last line is "end". Times are whole nanoseconds and sizes are bytes, so no locale matters. A reader
 * skips lines whose word it does not know.
 */
#pragma once

#include "facts.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RANK_REPORT_VERSION = 1 };

/* The state of the process when it wrote its rank report: running, in exit() or in MPI_Finalize. */
enum rank_end { END_RUNNING, END_EXIT, END_FINALIZE, ENDS };

/* Sums over calls. */
struct tally {
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    double first;          /* seconds of the first call, which may include agreement and setup for later calls */
    double native, engine; /* seconds of native and of the chosen engine, by the model or by trials, in calls with both */
    double predicted;      /* seconds that the calls with both took */
    double noise;          /* if trials measured native and engine: seconds by which their difference may be off; else 0 */
};

/* A rank's calls with equal properties. */
struct rank_row {
    enum collective collective;
    int size;   /* 2^(size-1) < bytes <= 2^size; 0: one byte; -1: no byte */
    int engine; /* row of engines[] that served; 0: native */
    int would;  /* in a dry run, the row of engines[] that would have served; else the same as `engine` */
    enum reason reason;
    int site; /* index of rank_report.site[]; -1: the row of all others, for whose calls the tables had no room */
    struct tally tally;
    bool tried; /* trials measured the tally's `native` and `engine`; else the model predicted them */
};

/*
 * A single call. A rank report has a communicator's calls 0 to 255, every second call from 256 to 511, every fourth call
 * from 512 to 1023, and so on, while its table of single calls has room. All ranks keep the same calls, so their times show
 * how long one rank waited for another.
 */
struct rank_call {
    uint64_t comm;  /* a hash that names the communicator: the same on all its ranks, another one for each communicator */
    int64_t number; /* among the communicator's calls, from 0 */
    int ranks;      /* of the communicator */
    double start;   /* seconds since the rank report's `began` */
    double seconds; /* duration of the call */
    enum collective collective;
    int64_t bytes;
    int engine; /* row of engines[] that served */
    int site;   /* as in struct rank_row */
};

/* A row of othercalls.h. */
struct rank_other {
    char name[32]; /* a function, such as MPI_Alltoall, or what is counted of sums */
    int64_t calls;
    double bytes, seconds; /* bytes: of this rank's send buffer */
};

/* A rank report. Its texts are never NULL; "" is unknown. */
struct rank_report {
    int rank, ranks;                           /* of MPI_COMM_WORLD; ranks 0: unknown */
    const char *host, *command, *pleach, *mpi; /* command: arguments, joined by blanks; pleach, mpi: versions */
    const char *settings;                      /* settings other than the default: NAME=VALUE, joined by blanks */
    const char *note;                          /* the measured figures, in words */
    const char *unshared;                      /* why some ranks share no memory: the first failure, in words; "": none */
    const char *cores;                         /* cores of the host that the process may use: "0-3,8" */
    int nodes;                                 /* of all ranks, as MPI finds them; 0: unknown */
    int process;
    bool dry; /* a dry run: all calls were native */
    enum rank_end end;
    double began;     /* time of the first call; seconds since 1970 */
    double elapsed;   /* seconds since `began` */
    double run;       /* seconds since the process began */
    double measuring; /* seconds for measuring the machine and for sharing memory; no call's time includes them */
    int learned;      /* kinds; see report_trials() */
    double lost;      /* seconds; see report_trials() */
    double faults;    /* page faults of native calls, if there is advice to give; see tables.h */
    double faulted;   /* seconds that these have taken */

    int rows, sites, frames, calls, others;
    struct rank_row *row;
    const char **site;  /* texts as in the log's column `site` */
    const char **frame; /* origins of the sites' frames: "0x11f3 BUILD-ID solve+0x8f /path/of/file", as in the log */
    struct rank_call *call;
    struct rank_other *other;
};

/* Does a rank report keep the call with this number? Sets *each to the number of calls that a kept call stands for. */
bool rank_report_keeps(int64_t number, int64_t *each);

/* The size class of a message, -1 to 62; class 62 also has messages of more than 2^62 bytes. */
int rank_report_size(int64_t bytes);

/* Adds a tally of later calls to a tally. */
void tally_add(struct tally *t, const struct tally *more);

/* Compares tallies for qsort(): most seconds first. */
static inline int tally_order(const struct tally *a, const struct tally *b)
{
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

/* Writes a rank report; false if f has an error. */
bool rank_report_write(const struct rank_report *p, FILE *f);
