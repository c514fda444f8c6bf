/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading gives a rank report without indices out of bounds and without control characters. The rank report is the same
 * after it was written and read again. Whatever a rank report says, a job's report can be made from it and written.
 */
#include "fuzz.h"

#include "job.h"
#include "rank_report_read.h"

static void check_text(const char *text)
{
    for (const char *c = text; *c; c++)
        MUST((unsigned char)*c >= ' ' && *c != 0x7f, "a text with a control character");
}

/* Like check_text(), for a text of several lines. */
static void check_lines(const char *text)
{
    for (const char *c = text; *c; c++)
        MUST((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t', "a line with a control character");
}

static void check(const struct rank_report *p)
{
    const char *const texts[] = {p->host, p->command, p->pleach, p->mpi, p->settings, p->note};
    MUST(p->rank >= 0 && (p->ranks == 0 || p->rank < p->ranks) && p->end < ENDS, "rank %d of %d", p->rank, p->ranks);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_text(texts[i]);
    for (int i = 0; i < p->sites; i++)
        check_text(p->site[i]);
    for (int i = 0; i < p->rows; i++) {
        const struct rank_row *r = &p->row[i];
        MUST(r->site >= -1 && r->site < p->sites && r->engine < engine_count() && r->would < engine_count(), "row %d", i);
        MUST(r->collective < COLLECTIVES && r->reason < REASONS && r->tally.calls > 0 && r->size >= -1, "row %d", i);
    }
    for (int i = 0; i < p->calls; i++) {
        const struct rank_call *c = &p->call[i];
        MUST(c->site >= -1 && c->site < p->sites && c->engine < engine_count() && c->ranks > 0, "call %d", i);
    }
    for (int i = 0; i < p->others; i++)
        check_text(p->other[i].name);
}

/* The text of a rank report; the caller frees it. */
static char *written(const struct rank_report *p, size_t *length)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, length);
    MUST(f && rank_report_write(p, f) && fclose(f) == 0, "not written");
    return text;
}

/* Merges a rank report twice, the second time as that of another rank, and writes the job's report in all formats. */
static void join(struct rank_report *p)
{
    char why[256];
    struct merge *j = job_begin();
    int64_t calls = 0;
    MUST(j && job_add(j, p, why, sizeof why), "not added");
    MUST(!job_add(j, p, why, sizeof why), "added twice");
    p->rank = p->rank ? p->rank - 1 : 1;
    MUST(job_add(j, p, why, sizeof why), "not added");
    const struct job *job = job_finish(j);
    MUST(job && job->reported == 2 && job->rank[0].rank == job->rank[1].rank - 1, "no job");
    for (int d = 0; d < DIMENSIONS; d++, calls = 0) {
        for (int i = 0; i < job->groups[d]; i++) {
            const struct job_group *g = &job->group[d][i];
            calls = g->tally.calls > INT64_MAX - calls ? INT64_MAX : calls + g->tally.calls;
            MUST(g->ranks == 2 && (g->waited <= 1 || g->waited < 0), "group %d", i);
        }
        MUST(calls == job->all.calls, "calls are missing");
    }
    for (int64_t i = 0; i < job->moments; i++)
        MUST(job->moment[i].waited >= 0 && job->moment[i].waited <= job->moment[i].seconds, "waited too long");
    for (int format = 0; format < JOB_FORMATS; format++) {
        char *text = NULL;
        size_t length;
        FILE *f = open_memstream(&text, &length);
        MUST(f && job_write(job, (enum job_format)format, 80, f) && fclose(f) == 0, "not written");
        check_lines(text);
        free(text);
    }
    job_free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    size_t length, again;
    struct rank_report *p = rank_report_read((const char *)data, size, why, sizeof why);
    if (!p) {
        MUST(*why, "no reason");
        return 0;
    }
    check(p);
    char *first = written(p, &length);
    struct rank_report *q = rank_report_read(first, length, why, sizeof why);
    MUST(q, "%s", why);
    char *second = written(q, &again);
    MUST(length == again && memcmp(first, second, length) == 0, "the text changes when it is read and written");
    free(first);
    free(second);
    join(p);
    rank_report_free(p);
    rank_report_free(q);
    return 0;
}
