/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A rank report: what one rank tells of its calls. It has sums over calls that have everything in common, call sites, and a
 * sample of single calls. A rank counts in tables (tables.h) and writes its rank report as text; rank reports are joined to
 * a job (job.h).
 *
 * The text is TSV: a first line "pleach-part VERSION", then lines whose first word is their kind (rank_report.c), the last
 * one "end". Times are whole nanoseconds and sizes are bytes, so no locale matters. A reader skips kinds that it does not
 * know.
 */
#ifndef PLEACH_RANK_REPORT_H
#define PLEACH_RANK_REPORT_H

#include "facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RANK_REPORT_VERSION = 1 };

/* How the process ended, as far as its rank report knows. */
enum rank_end { END_RUNNING, END_EXIT, END_FINALIZE, ENDS };

/* Sums over calls. */
struct tally {
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
    double first;          /* seconds of the first call: it may have agreed and made what later ones find made */
    double native, engine; /* seconds predicted of native and of the chosen engine, of the calls that have both; else 0 */
    double predicted;      /* seconds that the calls took which have both: what the two are held against */
    double noise;          /* where trials measured both: seconds by which their difference may be off; else 0 */
};

/* Calls of a rank that have all this in common. */
struct rank_row {
    enum collective collective;
    int size;   /* 2^(size-1) < bytes <= 2^size; 0: one byte; -1: none */
    int engine; /* that served: its row of engines[]; 0: native */
    int would;  /* in a dry run, the row of what would have served; else the same as `engine` */
    enum reason reason;
    int site; /* of part.site[], or -1: the site found no place */
    struct tally tally;
    bool tried; /* the tally's `native` and `engine` were measured in trials, not predicted by the model */
};

/*
 * A single call. Of a communicator's calls, those numbered 0 to 255 are kept, every second one to 511, every fourth to 1023,
 * and so on: the same ones on all its ranks. So what one rank waited for another can be seen.
 */
struct rank_call {
    uint64_t comm;  /* the same on all ranks of the communicator, and on no other of this program, as a hash can be */
    int64_t number; /* of the communicator's calls, from 0 */
    int ranks;      /* of the communicator */
    double start;   /* seconds since the rank report's `began` */
    double seconds; /* that it took */
    enum collective collective;
    int64_t bytes;
    int engine; /* that served: row of engines[] */
    int site;   /* as in struct rank_row */
};

/* What other collectives, which Pleach does not serve, took; counted by `pleach advise` alone. */
struct rank_other {
    char name[32]; /* of the function, as MPI_Alltoall */
    int64_t calls;
    double bytes, seconds; /* bytes: of this rank's send buffer */
};

/*
 * Texts are never NULL; "" is unknown. In memory of a rank report that was read, all arrays and texts are freed by
 * rank_report_free().
 */
struct rank_report {
    int rank, ranks;                           /* of MPI_COMM_WORLD; ranks 0: unknown */
    const char *host, *command, *pleach, *mpi; /* command: the program's arguments, joined by blanks; versions in words */
    const char *settings;                      /* those that are not the default: NAME=VALUE, joined by blanks */
    const char *note;                          /* the measured figures, in words */
    const char *cores;                         /* that the process may use, of its host: "0-3,8" */
    int process;
    bool dry; /* a dry run: all calls were native */
    enum rank_end end;
    double began;     /* seconds since 1970, of the first call */
    double elapsed;   /* seconds from then on */
    double run;       /* seconds that the process ran, with what was before the first call */
    double measuring; /* seconds that measuring the machine took: in the time of no call */
    int learned;      /* kinds of calls; see report_trials() */
    double lost;      /* seconds; likewise */
    double missed;    /* seconds that a call site may have taken beyond its rows, at most: in rows without a site */

    int rows, sites, frames, calls, others;
    struct rank_row *row;
    const char **site;  /* texts as in the log's column `site` */
    const char **frame; /* where frames of sites come from: "0x11f3 BUILD-ID solve+0x8f /path/of/file", as in the log */
    struct rank_call *call;
    struct rank_other *other;
};

/* Is the call of this number one of those that are kept? `*each`: for how many calls it stands. */
bool rank_report_keeps(int64_t number, int64_t *each);

/* The size class of a message, -1 .. 62; of one of more than 2^62 bytes, the last. */
int rank_report_size(int64_t bytes);

/* Adds to a tally what another one has counted later. */
void tally_add(struct tally *t, const struct tally *more);

/* Writes a rank report. False: an error of f. */
bool rank_report_write(const struct rank_report *p, FILE *f);

/*
 * Reads a rank report from text[length]. NULL, with the reason in why[size]: it is none, or of another version, or out of
 * memory.
 */
struct rank_report *rank_report_read(const char *text, size_t length, char *why, size_t size);
void rank_report_free(struct rank_report *p);

#endif
