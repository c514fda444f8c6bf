/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing job: job.c counts into it, job_finish.c makes the job of it. Numbers are those of entries in these arrays. */
#ifndef PLEACH_MERGE_H
#define PLEACH_MERGE_H

#include "cores.h"
#include "job.h"
#include "texts.h"

/* Sums of a group, a rank or all of sampled calls that are whole: each counts for as many calls as it stands for. */
struct sampled {
    double seconds, waited;
    double moments, whole; /* of calls that engines served, or would have: how many, and the sum of the calls' `whole` */
};

struct grown_group {
    struct job_group group;
    int reporter; /* the last that had such calls */
    double here;  /* seconds of its calls */
    struct sampled sampled;
};

/* Calls that have everything in common, and the groups that they are in. */
struct merge_kind {
    struct job_group key;
    int64_t group[DIMENSIONS];
};

/* A rank that has reported. */
struct reporter {
    struct job_rank rank;
    double began;
    int64_t host;
    int64_t first, calls; /* of merge.reported */
    struct sampled sampled;
};

struct host {
    const char *name;
    double offset; /* seconds that its clock must be put forward; see job_clocks.c */
    int ranks;     /* that reported their cores */
    struct cores cores;
};

/* A single call, as far as ranks have reported it. */
struct grown_call {
    uint64_t comm;
    int64_t number;
    struct job_call call;           /* engine and site: of the lowest rank; first: where its moments begin, or -1 */
    int lowest, reported, reporter; /* reporter: the last that reported */
    int placed, counted;            /* moments: see job_finish.c */
    double whole;                   /* as in struct job_group, of this call */
    bool broken;                    /* the ranks' reports contradict each other */
};

/* A rank's report of a call. */
struct reported {
    int64_t call, kind; /* kind: or -1 */
    double start, seconds;
};

struct merge {
    struct job job;
    double earliest; /* the least `began` */
    int lowest;      /* rank whose texts the job has */

    struct texts texts;
    struct merge_kind *kind;
    struct grown_group *group[DIMENSIONS];
    struct reporter *reporter; /* in the order in which they came */
    struct host *host;
    struct grown_call *call;
    struct reported *reported;
    struct rank_other *other;
    const char **frame;
    int64_t kinds, groups[DIMENSIONS], reporters, hosts, calls, reported_calls, others, frames; /* how many there are */
    int64_t kind_room, group_room[DIMENSIONS], reporter_room, host_room, call_room, reported_room, other_room, frame_room;
    struct index kind_index, group_index[DIMENSIONS], reporter_index, call_index;

    /* Of the rank report that is added. */
    const char **site;
    int64_t *row_kind; /* of each row */
    int *match;        /* rows that single calls may be of */
    int matches;
    int64_t site_room, row_room, match_room;
    struct index match_index;
};

/* The one copy of a text; NULL: out of memory, but never for a text that is there. Same texts have the same address. */
const char *keep_text(struct merge *j, const char *text);

/* They count rows and single calls of a rank report, for which there is room; its rank is the reporter behind the last. */
void count_rows(struct merge *j, const struct rank_report *p);
void count_calls(struct merge *j, const struct rank_report *p);

/*
 * Finds out how far hosts' clocks are apart; false: out of memory. Ranks on one host have one clock. Clocks count as right
 * unless calls show an error: a host's clock is put forward or back by the least that makes the calls possible. A rank
 * cannot leave an allreduce before the last one has come: so it ends on each host after its last start on every other. Each
 * host is compared with that of the lowest rank. After calls without waiting, the error is at most a call's time.
 */
bool job_clocks(struct merge *j);

#endif
