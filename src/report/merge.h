/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A merge of rank reports: job.c adds rank reports to it, job_finish.c makes it a job. Entries refer to entries of other
 * arrays by their index.
 */
#pragma once

#include "job.h"
#include "texts.h"

/*
 * Sums over the whole calls of a group, of a rank or of the job. A whole call is a single call that all ranks of its
 * communicator have reported. It counts as all calls that it stands for.
 */
struct sampled {
    double seconds, waited;
    double moments, whole; /* moments of calls that engines served or would have served; the sum of their `whole` */
};

struct grown_group {
    struct job_group group;
    int rank;      /* the last one with such calls; -1: none yet */
    double here;   /* seconds of this rank's calls in the group */
    int64_t share; /* in a job of logs: the number of its share */
    struct sampled sampled;
};

/* The seconds of a rank's calls in a group. */
struct share {
    int dimension, rank;
    int64_t group;
    double seconds;
};

/* A kind, in a merge: calls with equal properties, and their group in each dimension. */
struct merge_kind {
    struct job_group key;
    int64_t group[DIMENSIONS];
};

/* A rank that has reported. */
struct reporter {
    struct job_rank rank;
    double began;
    int64_t host;
    int64_t first, calls; /* its single calls are merge.reported[first .. first+calls-1] */
    struct sampled sampled;
};

enum { CORES = 4096 }; /* most cores of a host */

struct host {
    const char *name;
    double offset;              /* seconds to add to its clock; see job_clocks.c */
    int ranks;                  /* ranks that reported their cores */
    uint64_t cores[CORES / 64]; /* the set of cores that its ranks may use, as bits */
};

/* A single call, as far as ranks have reported it. */
struct grown_call {
    uint64_t comm;
    int64_t number;
    struct job_call call;           /* engine: of the lowest rank; first: where its moments begin, or -1 */
    int lowest, reported, reporter; /* of the ranks that reported the call: the lowest, their number, index of the last */
    int placed, counted;            /* moments so far; see place_moments(), count_waits() */
    double whole;                   /* seconds from the last start to the last end */
    bool broken;                    /* the ranks' reports contradict each other */
};

/* A rank's report of a call. */
struct reported {
    int64_t call, kind; /* kind -1: none of the rank's rows has such calls */
    double start, seconds;
};

struct merge {
    struct job job;
    bool finished;   /* the job has its groups and ranks */
    double earliest; /* the least `began` */
    int lowest;      /* the lowest rank that has reported; its texts are the job's, except `unshared` */
    int obstructed;  /* the lowest rank that says why ranks share no memory */

    struct texts texts;
    struct merge_kind *kind;
    struct grown_group *group[DIMENSIONS];
    struct reporter *reporter; /* in the order in which they came */
    struct host *host;
    struct grown_call *call;
    struct reported *reported;
    struct rank_other *other;
    const char **frame;
    int64_t kinds, groups[DIMENSIONS], reporters, hosts, calls, reported_calls, others, frames; /* lengths of the arrays */
    int64_t kind_room, group_room[DIMENSIONS], reporter_room, host_room, call_room, reported_room, other_room, frame_room;
    struct index kind_index, group_index[DIMENSIONS], reporter_index, call_index;

    struct share *share; /* in a job of logs, whose ranks may come by turns */
    int64_t shares, share_room;
    struct index share_index;

    /* For the rank report that is being added: */
    const char **site;
    int64_t *row_kind; /* of each row */
    int *match;        /* rows to which single calls may belong */
    int matches;
    int64_t site_room, row_room, match_room;
    struct index match_index;
};

/*
 * Returns the merge's only copy of a text, so that equal texts have the same address. NULL if memory runs out for a new
 * text.
 */
static inline const char *keep_text(struct merge *j, const char *text)
{
    const int64_t number = texts_add(&j->texts, text);
    return number < 0 ? NULL : j->texts.text[number];
}

/* Count the rows and the single calls of a rank report for a reporter. The arrays must have room. */
void count_rows(struct merge *j, const struct rank_report *p, int64_t reporter);
void count_calls(struct merge *j, const struct rank_report *p);

/* The number of the reporter of this rank; -1: it has not reported yet. */
int64_t reporter_of(const struct merge *j, int rank);

/* Adds the seconds of the call that count_rows() has counted last to the groups' times. False if memory runs out. */
bool count_each(struct merge *j, double seconds);

/*
 * Sets the offsets of the hosts' clocks. Returns false if memory runs out. Ranks on one host have one clock. A clock counts
 * as right unless calls show an error; then it gets the least offset that makes the calls possible. An all-reduce cannot end
 * on a rank before it has started on all ranks: so its first end on a host comes after its last start on every other host.
 * Each host is compared with the host of the lowest rank. If ranks did not wait in calls, the remaining error is at most the
 * time of a call.
 */
bool job_clocks(struct merge *j);
