/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes up jobs, by merging made-up rank reports. Again and again, all ranks compute for about a millisecond and then call a
 * collective. The texts of a job are never freed, as a test's process ends soon.
 */
#pragma once

#include "job.h"
#include "suite.h"

struct plan {
    int ranks, nodes, calls, sites;
    int slow; /* the rank that comes late to the last two thirds of the calls, or -1 */
    bool dry;
    const char *text; /* a text for all that comes from outside (command, host, site), or NULL for ordinary texts */
};

/* The properties of made-up calls: the first call has those of the first row, and so on in turn. */
static const struct {
    enum collective collective;
    int64_t bytes;
    const char *engine;
    enum reason reason;
} made_kinds[] = {
    {COLL_ALLREDUCE, 4 << 20, "two-tree", REASON_MODEL},     {COLL_BCAST, 1 << 20, "circulant", REASON_MODEL},
    {COLL_ALLREDUCE, 8, "native", REASON_BELOW_THRESHOLD},   {COLL_SCAN, 256 << 10, "doubly-pipelined", REASON_RULE},
    {COLL_REDUCE, 3 << 20, "fractional", REASON_LEARNED},    {COLL_ALLREDUCE, 200 << 10, "butterfly", REASON_MODEL},
    {COLL_BCAST, 16 << 10, "native", REASON_BELOW_THRESHOLD}};

/* A random number from 0 to 1. */
static inline double made_random(void)
{
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static inline const char *made_text(const char *format, int i)
{
    char *text = malloc(100);
    snprintf(text, 100, format, i);
    return text;
}

/* The time at which a rank comes to a call, and the seconds that it spends there. */
struct times {
    double start, seconds;
};

static inline struct times *made_times(const struct plan *plan)
{
    struct times *times = calloc((size_t)plan->calls * (size_t)plan->ranks + 1, sizeof *times);
    double *clock = calloc((size_t)plan->ranks, sizeof *clock);
    for (int i = 0; i < plan->calls; i++) {
        struct times *t = &times[(size_t)i * (size_t)plan->ranks];
        double bytes = (double)made_kinds[(size_t)i % COUNT(made_kinds)].bytes, last = 0;
        for (int r = 0; r < plan->ranks; r++) {
            bool late = r == plan->slow && i >= plan->calls / 3;
            t[r].start = clock[r] + 1e-3 * (0.8 + 0.4 * made_random()) * (late ? 2.5 : 1);
            last = t[r].start > last ? t[r].start : last;
        }
        for (int r = 0; r < plan->ranks; r++) {
            clock[r] = last + 20e-6 + bytes * 1e-9;
            t[r].seconds = clock[r] - t[r].start;
        }
    }
    free(clock);
    return times;
}

/* The report of `rank`. It has a row for each call; merging adds up the rows. */
static inline struct rank_report made_part_of(const struct plan *plan, int rank, const struct times *times,
                                              const char **site)
{
    struct rank_report p = {
        .rank = rank,
        .ranks = plan->ranks,
        .host = plan->text ? plan->text : made_text("node%03d", rank * plan->nodes / plan->ranks),
        .command = plan->text ? plan->text : "./solver --grid 512x512x256 --steps 400 input.nml",
        .pleach = plan->text ? plan->text : "0.2.0",
        .mpi = plan->text ? plan->text : "MPICH 4.0.2 ch4:ucx",
        .settings = plan->text ? plan->text : "PLEACH_THRESHOLD=8K PLEACH_RULES=/etc/pleach/cluster.rules",
        .cores = "",
        .unshared = plan->text ? plan->text : "",
        .note = plan->text ? plan->text : "between nodes 260us a message, 12 MB/s; on a node 0.8us, 4.1 GB/s",
        .dry = plan->dry,
        .end = END_FINALIZE,
        .began = 1764000000,
        .sites = plan->sites,
        .site = site};
    p.row = calloc((size_t)plan->calls + 1, sizeof *p.row);
    p.call = calloc((size_t)plan->calls + 1, sizeof *p.call);
    for (int i = 0; i < plan->calls; i++) {
        struct times t = times[(size_t)i * (size_t)plan->ranks + (size_t)rank];
        int kind = i % (int)COUNT(made_kinds), would = engine_row(engine_find(made_kinds[kind].engine)),
            site_row = i / 3 % plan->sites;
        int served = plan->dry ? 0 : would;
        int64_t bytes = made_kinds[kind].bytes, each;
        struct rank_row *row = &p.row[p.rows++];
        *row = (struct rank_row){made_kinds[kind].collective,
                                 rank_report_size(bytes),
                                 served,
                                 would,
                                 made_kinds[kind].reason,
                                 site_row,
                                 {1, (double)bytes, t.seconds, t.seconds, t.seconds, t.seconds, 0, 0, 0, 0},
                                 false,
                                 {0}};
        if (would) {
            row->tally.native = plan->dry ? t.seconds : 2.2 * t.seconds;
            row->tally.engine = plan->dry ? t.seconds / 2.2 : t.seconds;
            row->tally.predicted = t.seconds;
        }
        if (rank_report_keeps(i, &each))
            p.call[p.calls++] = (struct rank_call){
                7, i, plan->ranks, t.start, t.seconds, made_kinds[kind].collective, bytes, served, site_row};
        p.elapsed = t.start + t.seconds;
    }
    p.run = p.elapsed + 0.1;
    return p;
}

static inline const struct job *made_job(const struct plan *plan)
{
    char why[200];
    struct merge *j = job_begin();
    const struct times *times = made_times(plan);
    const char **site = calloc((size_t)plan->sites + 1, sizeof *site);
    for (int i = 0; i < plan->sites; i++)
        site[i] = plan->text ? plan->text
                             : made_text(i % 2 ? "solve (solver.c:%d) < main (main.c:88)" : "norm+0x%x < main", 100 + i);
    for (int rank = 0; rank < plan->ranks; rank++) {
        struct rank_report p = made_part_of(plan, rank, times, site);
        REQUIRE(job_add(j, &p, why, sizeof why), "rank %d: %s", rank, why);
        free(p.row);
        free(p.call);
    }
    free((void *)times);
    return job_finish(j);
}
