/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job: its ranks' rank reports, or the records of its logs, merged. A merge takes one rank report at a time. It keeps sums
 * and single calls, not the rank reports. job_write() writes the job; job_read.h reads it again.
 *
 * Waiting times come from the single calls that all ranks of a communicator report. A rank waits from its own start to the
 * start of the last rank, or to its own end if that is earlier. Ranks of a host share its clock. A host's clock, which NTP
 * sets, counts as right unless an all-reduce contradicts it: no rank can end an all-reduce before the last rank starts it. A
 * contradicted clock gets the smallest correction that resolves all contradictions, if there is one (job_clocks.c).
 */
#pragma once

#include "histogram.h"
#include "rank_report.h"
#include "seconds.h"
#include "table.h"

/* The property that the calls of a group share. Reports have a table for each of the first ones. */
enum dimension { BY_COLLECTIVE, BY_SIZE, BY_SERVICE, BY_SITE, TABLES, BY_SIZE_AND_SITE = TABLES, DIMENSIONS };

struct job_group {
    enum collective collective; /* in all dimensions, the calls of a group share their collective */
    int size;                   /* BY_SIZE, BY_SIZE_AND_SITE: as in struct rank_row */
    int engine, would;          /* BY_SERVICE: as in struct rank_row */
    enum reason reason;         /* BY_SERVICE */
    const char *site;           /* BY_SITE, BY_SIZE_AND_SITE: its text; "": JOB_OTHERS */
    const char *source;         /* BY_SITE: its text with lines of source; NULL: not known */
    struct tally tally;         /* over all ranks */
    struct tally engines;       /* calls that engines served or, in a dry run, would have served */
    struct tally modelled;      /* the calls of `engines` whose times the model predicted */
    struct tally tried;         /* in a dry run: calls whose times trials measured, even if native is best for them */
    struct own_share own;       /* BY_SERVICE */
    int ranks;                  /* number of ranks that made such calls */
    double most;                /* seconds: the largest sum of a rank */
    int most_rank;              /* the rank with this sum, in MPI_COMM_WORLD */
    double waited;              /* part of the seconds in which ranks waited for other ranks, 0 to 1; < 0: unknown */
    double whole;               /* average seconds of a call of `engines`, from the last start to the last end; 0: unknown */
    struct histogram *times;    /* of the calls, in a job of logs; else NULL */
    double middle;              /* seconds of a call: the median in a job of logs, else the mean */
};

/* A rank whose rank report was merged. */
struct job_rank {
    int rank;
    const char *host;
    enum rank_end end;
    int64_t calls;
    double seconds, elapsed, run; /* seconds: in calls */
    double waited;                /* as in struct job_group */
    double late_calls;            /* calls to which this rank came last, so that others waited */
    double late;                  /* seconds that all others together waited in these calls */
};

/*
 * A single call that all ranks of its communicator report. Rows first to first+ranks-1 of job.moment have the start and the
 * seconds of each rank, in the order of ranks in MPI_COMM_WORLD.
 */
struct job_call {
    enum collective collective;
    int64_t bytes;
    int engine;
    enum reason reason; /* as the lowest rank reports */
    const char *site;   /* the same; NULL: none of its rows has such calls */
    int64_t each;       /* the number of calls that this one stands for */
    int ranks;
    int64_t first;
    double start; /* the earliest start of a rank; seconds since the job's `began` */
};

/* A rank's part in a single call. */
struct job_moment {
    int rank;
    double start, seconds; /* start: seconds since the job's `began`, by corrected clocks; both are whole nanoseconds */
    double waited;         /* seconds until the last rank's start, at most `seconds` */
};

struct job {
    int reported;    /* merged rank reports */
    int ranks;       /* of MPI_COMM_WORLD; 0: unknown */
    const char *log; /* the job comes from logs: what stands as site: "site", "rank" or "comm"; else NULL */
    bool own;        /* one rank's own report: no other rank reports */
    int nodes;       /* of all ranks, as MPI finds them; the hosts of the ranks that have reported, where that is unknown */
    bool crowded;    /* on some host, ranks outnumber the cores that they may use */
    const char *command, *pleach, *mpi, *settings, *note; /* as in struct rank_report, from the lowest rank */
    const char *unshared;                                 /* from the lowest rank that says more than "" */
    bool dry;
    enum rank_end end;          /* the least value of all ranks: END_RUNNING if one rank is running */
    double began, elapsed, run; /* began: the earliest; elapsed, run: the longest of all ranks */
    double measuring;           /* as in struct rank_report; the sum over all ranks */
    double lost;                /* the largest of all ranks */
    double faults, faulted;     /* as in struct rank_report; the sums over all ranks */
    int learned;
    struct tally all;
    double waited;                       /* as in struct job_group */
    struct job_group *group[DIMENSIONS]; /* most seconds first */
    int groups[DIMENSIONS];
    struct job_rank *rank; /* in the order of ranks */
    struct job_call *call; /* in the order of starts */
    struct job_moment *moment;
    int64_t calls, moments;
    struct rank_other *other; /* sums over all ranks, most seconds first */
    int others;
    const char **frame; /* as in struct rank_report; the frames of all ranks, each once */
    int frames;
};

/* Seconds by which the clocks of hosts may be apart; chosen by hand. */
#define JOB_CLOCKS_APART 0.1

/* The words, before the name of the folder of rank reports, with which a file tells that there is no report yet. */
#define JOB_STUB "This program has not ended, or was killed. 'pleach report "

/* The site of calls that have no row of their own, and what reports say of it. */
#define JOB_OTHERS "(others)"
#define JOB_OTHERS_NOTE JOB_OTHERS " are calls of any site, for which the tables of a rank had no room."

static inline bool job_has_others(const struct job *j)
{
    bool found = false;
    for (int i = 0; i < j->groups[BY_SITE] && !found; i++)
        found = !*j->group[BY_SITE][i].site;
    return found;
}

/*
 * Does a report with `top` groups show this group, number `place` in its dimension? It always shows the group of all
 * others.
 */
static inline bool job_shows(const struct job_group *g, int place, int top)
{
    return place < top || (g->site && !*g->site);
}

/* Seconds of a call: the median if the calls' times are known, else the mean. */
double job_middle(const struct tally *t, const struct histogram *times);

/*
 * Sets the start of a call, and the time that each rank waited in it: until the last rank started, or until its own end if
 * that is earlier. Returns the seconds from the last start to the last end.
 */
double job_find_waits(struct job_call *c, struct job_moment *first);

/* Seconds of whole nanoseconds, as a reader of their number gets them. */
static inline double job_seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* The nearest number of whole nanoseconds; at most 2^62. */
static inline int64_t job_ns(double seconds)
{
    return seconds < 4e9 ? (int64_t)nanoseconds_of(seconds + 0.5e-9) : INT64_C(1) << 62;
}

struct merge; /* rank reports that are being merged */

/* Begins a merge, without rank reports. NULL: out of memory. */
struct merge *job_begin(void);

/*
 * Adds a rank report, and keeps no pointer to it. Returns false, with the reason in why[size], if memory runs out or if the
 * merge has a rank report of this rank already; the merge is unchanged then.
 */
bool job_add(struct merge *j, const struct rank_report *p, char *why, size_t size);

/*
 * Adds a call of a log; `by`: what `site` is, as in `log` of struct job; `end`: its end, in seconds since the log began. A
 * rank's calls may come by turns with others. `row` has the call, without its site. Returns false if memory runs out.
 */
bool job_add_call(struct merge *j, const char *by, int rank, double end, const struct rank_row *row, const char *site);

/* Adds the origin of a frame, as a log has it. Returns false if memory runs out. */
bool job_add_frame(struct merge *j, const char *origin);

/*
 * Ends the merge of one or more rank reports. The job stays until job_free(), or until a further call of a log is added.
 * NULL: out of memory.
 */
const struct job *job_finish(struct merge *j);
void job_free(struct merge *j);

enum job_format { JOB_TEXT, JOB_TSV, JOB_CSV, JOB_JSON, JOB_HTML, JOB_TRACE, JOB_FORMATS };

/* The format of a file, by its suffix: .html, .json, .tsv or .csv; text for any other suffix. */
enum job_format job_format_of(const char *file);

/*
 * Writes the job. In text, a line with more than `columns` columns is cut and ends with "..", unless it is a sentence; 0: no
 * limit. Returns false if f has an error, or if memory runs out.
 */
bool job_write(const struct job *j, enum job_format format, int columns, FILE *f);

/* Writes one of the job's tables: the `top` groups with most time. False if memory runs out. */
bool job_write_table(const struct job *j, enum dimension d, int top, struct document *in);

/* Returns the name of a group in its dimension, such as "allreduce up to 64K". It may lie in text[JOB_NAME]. */
enum { JOB_NAME = 160 };
const char *job_name(const struct job_group *g, enum dimension d, char text[JOB_NAME]);
