/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of rank reports and jobs: fills a rank report by hand. */
#pragma once

#include "job.h"
#include "suite.h"

enum { MADE_ROWS = 16, MADE_SITES = 4, MADE_CALLS = 64, MADE_OTHERS = 4 };

struct made {
    struct rank_report part;
    struct rank_row row[MADE_ROWS];
    const char *site[MADE_SITES], *frame[MADE_SITES];
    struct rank_call call[MADE_CALLS];
    struct rank_other other[MADE_OTHERS];
};

/* A rank report with two call sites, and no calls yet. */
static inline struct rank_report *made_report(struct made *m, int rank, int ranks, const char *host)
{
    *m = (struct made){.site = {"solve+0x1f < main+0x3a", "main+0x77"}, .frame = {"0x118f 77ab solve+0x1f /home/me/app"}};
    m->part = (struct rank_report){.rank = rank,
                                   .ranks = ranks,
                                   .host = host,
                                   .command = "./app -n 5",
                                   .pleach = "0.2.0",
                                   .mpi = "MPICH 4.0.2",
                                   .settings = "",
                                   .note = "",
                                   .unshared = "",
                                   .cores = "",
                                   .process = 100 + rank,
                                   .end = END_FINALIZE,
                                   .began = 1.7e9,
                                   .elapsed = 10,
                                   .run = 12,
                                   .sites = 2,
                                   .frames = 1,
                                   .frame = m->frame,
                                   .row = m->row,
                                   .site = m->site,
                                   .call = m->call,
                                   .other = m->other};
    return &m->part;
}

/* Adds a row of calls, which all take the same time. */
static inline struct rank_row *add_row(struct rank_report *p, enum collective c, int64_t bytes, const char *engine,
                                       enum reason reason, int site, int64_t calls, double seconds)
{
    int served = engine_row(engine_find(engine));
    ck_assert_int_lt(p->rows, MADE_ROWS);
    struct tally t = {.calls = calls, .bytes = (double)(calls * bytes), .seconds = (double)calls * seconds};
    t.least = t.most = t.first = seconds;
    p->row[p->rows] = (struct rank_row){c, rank_report_size(bytes), served, served, reason, site, t, false, {0}};
    return &p->row[p->rows++];
}

static inline struct rank_call *add_call(struct rank_report *p, uint64_t comm, int64_t number, int ranks, double start,
                                         double seconds)
{
    ck_assert_int_lt(p->calls, MADE_CALLS);
    p->call[p->calls] = (struct rank_call){comm, number, ranks, start, seconds, COLL_ALLREDUCE, 8, 0, 0};
    return &p->call[p->calls++];
}

/* Merges rank reports into a job. */
static inline const struct job *joined(struct merge *j, const struct rank_report *const part[], int parts)
{
    char why[256];
    for (int i = 0; i < parts; i++)
        REQUIRE(job_add(j, part[i], why, sizeof why), "%s", why);
    const struct job *job = job_finish(j);
    ck_assert_ptr_nonnull(job);
    return job;
}

/* Returns the text of a rank report, which the caller frees. */
static inline char *text_of_report(const struct rank_report *p, size_t *length)
{
    char *text;
    FILE *f = open_memstream(&text, length);
    ck_assert(f && rank_report_write(p, f) && fclose(f) == 0);
    return text;
}
