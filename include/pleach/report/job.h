/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job: what its ranks report, merged. It grows by one rank report at a time, and holds sums, never the rank reports. It is
 * written as text, tsv or html.
 *
 * What ranks waited is seen in the single calls that all ranks of a communicator have told of: a rank waits from its start
 * to that of the last one, but no longer than it is in the call. Ranks of a host share its clock. A host's clock is held to
 * be right (NTP) until an allreduce shows that it cannot be, as no rank ends one before the last one starts; then it is put
 * right by as little as will do.
 */
#ifndef PLEACH_JOB_H
#define PLEACH_JOB_H

#include "rank_report.h"

/* What the calls of a group have in common. */
enum dimension { BY_COLLECTIVE, BY_SIZE, BY_SERVICE, BY_SITE, DIMENSIONS };

struct job_group {
    enum collective collective; /* all groups are of one collective */
    int size;                   /* BY_SIZE: as in struct rank_row */
    int engine, would;          /* BY_SERVICE: likewise */
    enum reason reason;         /* BY_SERVICE */
    const char *site;           /* BY_SITE: text; "": those that found no place, "(others)" */
    struct tally tally;         /* over all ranks */
    struct tally engines;       /* of these, the calls that engines served, or would have served */
    struct tally modelled;      /* of `engines`, those of which the model predicted what they would take */
    struct tally tried;         /* in a dry run, the calls of which trials told that, be they better off natively */
    int ranks;                  /* that made such calls */
    double most;                /* seconds: the sum of the rank that has most */
    int most_rank;              /* that rank, in MPI_COMM_WORLD */
    double waited;              /* part of the seconds in which a rank waited for others to come, 0 to 1; < 0: unknown */
    double whole;               /* seconds of a single call of `engines`, last start to last end, on average; 0: unknown */
};

/* A rank that has told. */
struct job_rank {
    int rank;
    const char *host;
    enum rank_end end;
    int64_t calls;
    double seconds, elapsed, run; /* seconds: in calls */
    double waited;                /* as in struct job_group */
};

/*
 * A single call that all ranks of its communicator have told of. Start and seconds are of ranks [first .. first+ranks) of
 * job.moment, one for each of its ranks, in the order of their ranks in MPI_COMM_WORLD.
 */
struct job_call {
    enum collective collective;
    int64_t bytes;
    int engine;
    const char *site;
    int64_t each; /* for how many calls it stands */
    int ranks;
    int64_t first;
    double start; /* of the first rank that came; since the job's `began` */
};

struct job_moment {
    int rank;
    double start, seconds; /* start: since the job's `began`, by clocks that are put right */
    double waited;         /* seconds in which others had not come yet: until the last one's start, at most `seconds` */
};

struct job {
    int reported;                                         /* rank reports that were joined */
    int ranks;                                            /* of MPI_COMM_WORLD; 0: unknown */
    int nodes;                                            /* hosts */
    bool crowded;                                         /* some host has more ranks than cores that these may use */
    const char *command, *pleach, *mpi, *settings, *note; /* as in struct rank_report: of the lowest rank */
    bool dry;
    enum rank_end end;          /* the least of all ranks */
    double began, elapsed, run; /* elapsed, run: the longest of a rank */
    double measuring;           /* the sum of all ranks */
    double lost;                /* the most of a rank */
    double missed;              /* as in struct rank_report, of all ranks together */
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
    const char **frame; /* as in struct rank_report; of all ranks, each once */
    int frames;
};

/* What stands for the site of calls whose own found no place. */
#define JOB_OTHERS "(others)"

/* Is the group that has this place in its dimension shown among so many? Calls without a site always are. */
static inline bool job_shows(const struct job_group *g, int place, int top)
{
    return place < top || (g->site && !*g->site);
}

struct merge; /* a job that grows */

/* NULL: out of memory. */
struct merge *job_begin(void);

/*
 * Adds a rank report, of which nothing is kept. False: out of memory, or the rank is there already; then nothing was added.
 */
bool job_add(struct merge *j, const struct rank_report *p, char *why, size_t size);

/* The same for a rank report that is to be read; false, too, if it is none. */
bool job_add_text(struct merge *j, const char *text, size_t length, char *why, size_t size);

/*
 * What was joined so far, one rank report at least; it stays until job_free(), and nothing can be added any more. NULL: out
 * of memory.
 */
const struct job *job_finish(struct merge *j);
void job_free(struct merge *j);

enum job_format { JOB_TEXT, JOB_TSV, JOB_HTML, JOB_FORMATS };

/* The format that the name of a file asks for by its end: .html, .tsv, else text. */
enum job_format job_format_of(const char *file);

/* How many columns a line of text may have; a longer one is cut with "..". 0: as many as it likes. */
bool job_write(const struct job *j, enum job_format format, int columns, FILE *f);

/*
 * Writes where the frames of the job's sites come from behind a job that was written: as remarks, by which `pleach report`
 * shows lines of source later. False: an error of f.
 */
bool job_write_frames(const struct job *j, enum job_format format, FILE *f);

#endif
