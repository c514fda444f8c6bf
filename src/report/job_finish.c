/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ends a merge: corrects clocks, selects the single calls that all ranks report, finds waiting times, and sorts the results.
 */
#include "hash.h"
#include "merge.h"
#include "seconds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Single calls --------------------------------------------------------------------------------------------------- */

/*
 * Reserves room for the moments of each whole call, one for each rank. A whole call is a single call that all ranks of its
 * communicator have reported.
 */
static bool place_calls(struct merge *j)
{
    struct job *job = &j->job;
    for (int64_t i = 0; i < j->calls; i++) {
        struct grown_call *g = &j->call[i];
        bool whole = !g->broken && g->reported == g->call.ranks;
        g->call.first = whole ? job->moments : -1;
        job->moments += whole ? g->call.ranks : 0;
        job->calls += whole;
    }
    job->call = calloc((size_t)job->calls + 1, sizeof *job->call);
    job->moment = calloc((size_t)job->moments + 1, sizeof *job->moment);
    return job->call && job->moment;
}

/* Stores the moments of a rank's whole calls, behind those of lower ranks. */
static void place_moments(struct merge *j, const struct reporter *t)
{
    double opened = t->began - j->earliest + j->host[t->host].offset;
    for (int64_t i = t->first; i < t->first + t->calls; i++) {
        const struct reported *s = &j->reported[i];
        struct grown_call *g = &j->call[s->call];
        if (g->call.first >= 0)
            j->job.moment[g->call.first + g->placed++] = (struct job_moment){
                t->rank.rank, job_seconds(job_ns(opened + s->start)), job_seconds(job_ns(s->seconds)), 0};
    }
}

double job_find_waits(struct job_call *c, struct job_moment *first)
{
    const struct job_moment *const end = first + c->ranks;
    double last = first->start, left = 0;
    c->start = first->start;
    for (const struct job_moment *m = first; m < end; m++) {
        last = m->start > last ? m->start : last;
        left = m->start + m->seconds > left ? m->start + m->seconds : left;
        c->start = m->start < c->start ? m->start : c->start;
    }
    for (struct job_moment *m = first; m < end; m++)
        m->waited = last - m->start < m->seconds ? last - m->start : m->seconds;
    return left - last;
}

static void sample(struct sampled *s, const struct job_moment *m, const struct grown_call *g, bool engine)
{
    const double each = (double)g->call.each;
    s->seconds += m->seconds * each;
    s->waited += m->waited * each;
    s->moments += engine ? each : 0;
    s->whole += engine ? g->whole * each : 0;
}

/*
 * Counts the waits of a rank. The ranks come in the same order as they came to place_moments(), so the next moment of a call
 * is that of this rank.
 */
static void count_waits(struct merge *j, struct reporter *t, struct sampled *all)
{
    for (int64_t i = t->first; i < t->first + t->calls; i++) {
        const struct reported *s = &j->reported[i];
        struct grown_call *g = &j->call[s->call];
        if (g->call.first < 0)
            continue;
        const struct job_moment *m = &j->job.moment[g->call.first + g->counted++];
        const bool engine = s->kind >= 0 && j->kind[s->kind].key.would != 0;
        sample(all, m, g, engine);
        sample(&t->sampled, m, g, engine);
        for (int d = 0; s->kind >= 0 && d < DIMENSIONS; d++)
            sample(&j->group[d][j->kind[s->kind].group[d]].sampled, m, g, engine);
    }
}

/* Counts a call for the rank that came last, if others waited for it. Reporters are in the order of moments. */
static void count_late(struct merge *j, const struct grown_call *g)
{
    const struct job_moment *first = &j->job.moment[g->call.first], *last = first;
    double waited = 0;
    for (const struct job_moment *m = first; m < first + g->call.ranks; m++) {
        last = m->start > last->start ? m : last;
        waited += m->waited;
    }
    struct job_rank *rank = &j->reporter[reporter_of(j, last->rank)].rank;
    rank->late_calls += waited > 0 ? (double)g->call.each : 0;
    rank->late += waited * (double)g->call.each;
}

static double fraction(const struct sampled *s)
{
    return s->seconds > 0 ? s->waited / s->seconds : -1;
}

/* ---- Order ---------------------------------------------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
    const struct reporter *x = a, *y = b;
    return (x->rank.rank > y->rank.rank) - (x->rank.rank < y->rank.rank);
}

/* Most seconds first. Groups of equal seconds have a fixed order. */
static int by_seconds(const void *a, const void *b)
{
    const struct job_group *x = a, *y = b;
    const int order = tally_order(&x->tally, &y->tally);
    if (order)
        return order;
    const int left[] = {x->collective, x->size, x->engine, x->would, x->reason};
    const int right[] = {y->collective, y->size, y->engine, y->would, y->reason};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return x->site && y->site ? strcmp(x->site, y->site) : 0;
}

static int others_by_seconds(const void *a, const void *b)
{
    const struct rank_other *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : strcmp(x->name, y->name);
}

static int calls_by_start(const void *a, const void *b)
{
    const struct job_call *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start ? 1 : -1) : (x->first > y->first) - (x->first < y->first);
}

/* ---- The job -------------------------------------------------------------------------------------------------------- */

/* The time at which the first rank began, by corrected clocks, in seconds since j->earliest. */
static double first_began(const struct merge *j)
{
    double first = 0;
    for (const struct reporter *t = j->reporter; t < j->reporter + j->reporters; t++) {
        double began = t->began - j->earliest + j->host[t->host].offset;
        first = t == j->reporter || began < first ? began : first;
    }
    return first;
}

/* Is a call kept if each communicator keeps one of `factor` calls? */
static bool is_kept(const struct grown_call *g, int64_t factor)
{
    return g->call.first >= 0 && g->number / g->call.each % factor == 0;
}

/* Leaves out single calls until at most MOMENTS moments, and RANK_MOMENTS more a rank, are left. */
static void thin(struct merge *j)
{
    enum { MOMENTS = 1 << 15, RANK_MOMENTS = 4 };
    struct job *job = &j->job;
    const int64_t most = MOMENTS + RANK_MOMENTS * j->reporters;
    int64_t factor = 1, moments = job->moments;
    while (moments > most && factor < 1 << 20) {
        factor *= 2;
        moments = 0;
        for (int64_t i = 0; i < j->calls; i++)
            moments += is_kept(&j->call[i], factor) ? j->call[i].call.ranks : 0;
    }
    job->moments = job->calls = 0;
    for (struct grown_call *g = j->call; g < j->call + j->calls; g++) {
        const bool kept = is_kept(g, factor);
        if (kept)
            memmove(&job->moment[job->moments], &job->moment[g->call.first], (size_t)g->call.ranks * sizeof *job->moment);
        g->call.first = kept ? job->moments : -1;
        g->call.each *= factor;
        job->moments += kept ? g->call.ranks : 0;
        job->calls += kept;
    }
}

static void finish_calls(struct merge *j, struct sampled *all)
{
    struct job *job = &j->job;
    int64_t n = 0;
    for (struct reporter *t = j->reporter; t < j->reporter + j->reporters; t++)
        place_moments(j, t);
    for (int64_t i = 0; i < j->calls; i++)
        if (j->call[i].call.first >= 0) {
            j->call[i].whole = job_find_waits(&j->call[i].call, &job->moment[j->call[i].call.first]);
            count_late(j, &j->call[i]);
        }
    for (struct reporter *t = j->reporter; t < j->reporter + j->reporters; t++)
        count_waits(j, t, all);
    thin(j);
    for (int64_t i = 0; i < j->calls; i++)
        if (j->call[i].call.first >= 0)
            job->call[n++] = j->call[i].call;
    qsort(job->call, (size_t)n, sizeof *job->call, calls_by_start);
}

double job_middle(const struct tally *t, const struct histogram *times)
{
    if (!times)
        return t->seconds / (double)t->calls;
    return fmin(fmax(histogram_median(times), t->least), t->most); /* a bin's mean may be off */
}

static bool finish_groups(struct merge *j)
{
    struct job *job = &j->job;
    for (int d = 0; d < DIMENSIONS; d++) {
        job->group[d] = calloc((size_t)j->groups[d] + 1, sizeof *job->group[d]);
        if (!job->group[d])
            return false;
        for (int64_t i = 0; i < j->groups[d]; i++) {
            job->group[d][i] = j->group[d][i].group;
            const struct sampled *s = &j->group[d][i].sampled;
            job->group[d][i].middle = job_middle(&job->group[d][i].tally, job->group[d][i].times);
            job->group[d][i].waited = fraction(s);
            job->group[d][i].whole = s->moments > 0 ? s->whole / s->moments : 0;
        }
        job->groups[d] = (int)j->groups[d];
        qsort(job->group[d], (size_t)j->groups[d], sizeof *job->group[d], by_seconds);
    }
    return true;
}

static bool finish_ranks(struct merge *j)
{
    struct job *job = &j->job;
    job->rank = calloc((size_t)j->reporters + 1, sizeof *job->rank);
    for (int64_t i = 0; job->rank && i < j->reporters; i++) {
        job->rank[i] = j->reporter[i].rank;
        job->rank[i].waited = fraction(&j->reporter[i].sampled);
    }
    job->reported = (int)j->reporters;
    if (!job->nodes || job->reported < job->ranks)
        job->nodes = (int)j->hosts;
    for (const struct host *h = j->host; h < j->host + j->hosts; h++) {
        int cores = 0;
        for (int i = 0; i < CORES / 64; i++)
            cores += __builtin_popcountll(h->cores[i]);
        job->crowded |= cores > 0 && h->ranks > cores;
    }
    return job->rank != NULL;
}

static void sort_reporters(struct merge *j)
{
    qsort(j->reporter, (size_t)j->reporters, sizeof *j->reporter, by_rank);
    index_clear(&j->reporter_index);
    for (int64_t i = 0; i < j->reporters; i++)
        index_add(&j->reporter_index, mix64((uint64_t)j->reporter[i].rank.rank), i);
}

const struct job *job_finish(struct merge *j)
{
    struct job *job = &j->job;
    struct sampled all = {0};
    if (j->finished)
        return job;
    assert(j->reporters > 0);
    sort_reporters(j);
    if (!job_clocks(j) || !place_calls(j))
        return NULL;
    double first = first_began(j);
    job->began = j->earliest + first;
    j->earliest += first;
    finish_calls(j, &all);
    if (!finish_groups(j) || !finish_ranks(j))
        return NULL;
    job->waited = fraction(&all);
    job->other = j->other;
    job->others = (int)j->others;
    job->frame = j->frame;
    job->frames = (int)j->frames;
    if (j->others > 0)
        qsort(j->other, (size_t)j->others, sizeof *j->other, others_by_seconds);
    j->finished = true;
    return job;
}
