/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job: the rank reports of its ranks, merged. It grows by one rank report at a time, and holds sums, never the rank
 * reports. It is written as text, tsv or html.
 *
 * Waiting times come from the single calls that all ranks of a communicator report: a rank waits from its start to that of
 * the last rank, but no longer than it is in the call. Ranks of a host share its clock. A host's clock counts as right (NTP)
 * until an allreduce disproves it: no rank ends one before the last rank starts. Then the least sufficient correction is
 * applied.
 */
#ifndef PLEACH_JOB_H
#define PLEACH_JOB_H

#include "rank_report.h"

/* The property that the calls of a group share. */
enum dimension { BY_COLLECTIVE, BY_SIZE, BY_SERVICE, BY_SITE, DIMENSIONS };

struct job_group {
    enum collective collective; /* all groups are of one collective */
    int size;                   /* BY_SIZE: as in struct rank_row */
    int engine, would;          /* BY_SERVICE: as in struct rank_row */
    enum reason reason;         /* BY_SERVICE */
    const char *site;           /* BY_SITE: text; "": the sites without room in the tables, "(others)" */
    struct tally tally;         /* over all ranks */
    struct tally engines;       /* its calls that engines served, or would have served */
    struct tally modelled;      /* the calls of `engines` whose times the model predicted */
    struct tally tried;         /* in a dry run: the calls whose times trials measured, also those that are best native */
    int ranks;                  /* that made such calls */
    double most;                /* seconds: the largest sum of a rank */
    int most_rank;              /* that rank, in MPI_COMM_WORLD */
    double waited;              /* share of the seconds in which ranks waited for others to come, 0 to 1; < 0: unknown */
    double whole;               /* seconds of a single call of `engines`, last start to last end, on average; 0: unknown */
};

/* A rank with a rank report. */
struct job_rank {
    int rank;
    const char *host;
    enum rank_end end;
    int64_t calls;
    double seconds, elapsed, run; /* seconds: in calls */
    double waited;                /* as in struct job_group */
};

/*
 * A single call that all ranks of its communicator report. Rows [first .. first+ranks) of job.moment have each rank's start
 * and seconds, in the order of ranks in MPI_COMM_WORLD.
 */
struct job_call {
    enum collective collective;
    int64_t bytes;
    int engine;
    const char *site;
    int64_t each; /* the number of calls that it stands for */
    int ranks;
    int64_t first;
    double start; /* of the first rank that came; since the job's `began` */
};

struct job_moment {
    int rank;
    double start, seconds; /* start: since the job's `began`, by corrected clocks */
    double waited;         /* seconds until the last rank's start, at most `seconds` */
};

struct job {
    int reported;                                         /* merged rank reports */
    int ranks;                                            /* of MPI_COMM_WORLD; 0: unknown */
    int nodes;                                            /* hosts */
    bool crowded;                                         /* some host has more ranks than cores that they may use */
    const char *command, *pleach, *mpi, *settings, *note; /* as in struct rank_report: of the lowest rank */
    bool dry;
    enum rank_end end;          /* the least of all ranks */
    double began, elapsed, run; /* elapsed, run: the longest of any rank */
    double measuring;           /* the sum over all ranks */
    double lost;                /* the most of any rank */
    double missed;              /* as in struct rank_report; the sum over all ranks */
    int learned;
    struct tally all;
    double waited;                       /* as in struct job_group */
    struct job_group *group[DIMENSIONS]; /* most seconds first */
    int groups[DIMENSIONS];
    struct job_rank *rank; /* in their order */
    struct job_call *call; /* in the order of their start */
    struct job_moment *moment;
    int64_t calls, moments;
    struct rank_other *other; /* sums over all ranks, most seconds first */
    int others;
    const char **frame; /* as in struct rank_report; those of all ranks, each once */
    int frames;
};

/* Seconds by which clocks of hosts may be apart; by hand. */
#define JOB_CLOCKS_APART 0.1

/* Stands for the sites that had no room in the tables. */
#define JOB_OTHERS "(others)"

/* Is this group, number `place` in its dimension, among the `top` that are shown? Calls without a site always are. */
static inline bool job_shows(const struct job_group *g, int place, int top)
{
    return place < top || (g->site && !*g->site);
}

struct merge; /* a job that grows */

/* NULL: out of memory. */
struct merge *job_begin(void);

/*
 * Adds a rank report, and keeps no pointer to it. False, with the reason: out of memory, or the rank is there already; then
 * nothing was added.
 */
bool job_add(struct merge *j, const struct rank_report *p, char *why, size_t size);

/* The same for the text of a rank report; false, too, if it cannot be read. */
bool job_add_text(struct merge *j, const char *text, size_t length, char *why, size_t size);

/*
 * Ends the merge of one or more rank reports: nothing can be added any more. The job stays until job_free(). NULL: out of
 * memory.
 */
const struct job *job_finish(struct merge *j);
void job_free(struct merge *j);

enum job_format { JOB_TEXT, JOB_TSV, JOB_HTML, JOB_FORMATS };

/* The format for a file, by the end of its name: .html, .tsv, else text. */
enum job_format job_format_of(const char *file);

/* Writes the job. A line of text with more than `columns` columns is cut and ends with ".."; 0: no limit. */
bool job_write(const struct job *j, enum job_format format, int columns, FILE *f);

/*
 * Writes the origins of the sites' frames, as remarks after a job that was written: `pleach report` needs them to show lines
 * of source. False: an error of f.
 */
bool job_write_frames(const struct job *j, enum job_format format, FILE *f);

#endif
