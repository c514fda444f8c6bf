/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of the report: counts made-up calls, and reads the rank report that results. */
#pragma once

#include "engine.h"
#include "rank_report_read.h"
#include "records.h"
#include "renderer.h"

#include <math.h>

/* Replaces the function that loads a library: the test contains the renderer itself. */
const struct renderer *renderer_open(char *why, size_t size)
{
    (void)why;
    (void)size;
    return &pleach_renderer;
}

/* Opens the report of a rank. With one rank, this process is the whole job. */
static inline void open_of(const char *pattern, int rank, int ranks, int stack)
{
    const struct rank_report facts = {.rank = rank,
                                      .ranks = ranks,
                                      .host = "host",
                                      .command = "./app",
                                      .pleach = "0",
                                      .mpi = "MPI",
                                      .settings = "",
                                      .note = "",
                                      .unshared = "",
                                      .cores = ""};
    report_open(
        &(struct report_options){.pattern = pattern, .facts = facts, .listed = true, .stack = stack, .every = INFINITY});
}

static inline void open_report(const char *pattern, int rank, int stack)
{
    open_of(pattern, rank, 1, stack);
}

static inline void close_report(void)
{
    report_close(END_FINALIZE);
}

/* Ends the report. Returns the rank report of the counted calls; this rank report stays valid. */
static inline struct rank_report *counted(void)
{
    char why[128];
    size_t length;
    const char *text = report_end(&length);
    ck_assert_ptr_nonnull(text);
    struct rank_report *p = rank_report_read(text, length, why, sizeof why);
    ck_assert_msg(p != NULL, "%s", why);
    return p;
}

/* Returns the row of calls by this engine for this reason, of any size and site, or NULL. */
static inline const struct rank_row *row_of(const struct rank_report *p, enum collective c, const char *engine,
                                            enum reason reason)
{
    for (int i = 0; i < p->rows; i++)
        if (p->row[i].collective == c && strcmp(engines[p->row[i].engine]->name, engine) == 0 && p->row[i].reason == reason)
            return &p->row[i];
    return NULL;
}

/* Sums up all rows if `site` is NULL, else those from this site. "-1" stands for calls without a site. */
static inline struct tally sum_of(const struct rank_report *p, const char *site)
{
    struct tally sum = {0};
    for (int i = 0; i < p->rows; i++)
        if (!site || strcmp(p->row[i].site < 0 ? "-1" : p->site[p->row[i].site], site) == 0)
            tally_add(&sum, &p->row[i].tally);
    return sum;
}

static inline void count(int calls, enum collective c, const char *engine, enum reason reason, int64_t bytes, double seconds)
{
    struct record r = sample();
    r.collective = c;
    r.engine = engine;
    r.reason = reason;
    r.bytes = bytes;
    r.duration = seconds;
    while (calls-- > 0)
        record_add(&r, record_clock());
}
