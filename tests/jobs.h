/* SPDX-License-Identifier: BSD-2-Clause */
/* Made-up jobs: ranks that compute for about a millisecond, one of them longer, and then call a collective. */
#ifndef PLEACH_TEST_JOBS_H
#define PLEACH_TEST_JOBS_H

#include "job.h"
#include "suite.h"

struct made {
    int ranks, calls, nodes;
    int slow; /* the rank that comes late, if there is such a rank */
    bool dry;
    int sites;                         /* different call sites */
    const char *command, *site, *host; /* NULL: ordinary ones */
};

static inline double made_random(void)
{
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

/* What a made-up call is like. */
struct kind {
    enum collective collective;
    int64_t bytes;
    const char *engine;
    enum reason reason;
};

static const struct kind made_kinds[] = {
    {COLL_ALLREDUCE, 4 << 20, "two-tree", REASON_MODEL},   {COLL_BCAST, 1 << 20, "circulant", REASON_MODEL},
    {COLL_ALLREDUCE, 8, "native", REASON_BELOW_THRESHOLD}, {COLL_SCAN, 256 << 10, "doubly-pipelined", REASON_RULE},
    {COLL_REDUCE, 3 << 20, "fractional", REASON_LEARNED},  {COLL_ALLREDUCE, 200 << 10, "butterfly", REASON_MODEL},
    {COLL_BCAST, 16 << 10, "native", REASON_MODEL},
};

static inline char *made_text(const char *format, int i)
{
    char *text = malloc(300);
    snprintf(text, 300, format, i);
    return text;
}

static inline struct job_group *made_group(struct job *j, enum dimension d, const struct job_group *like)
{
    for (int i = 0; i < j->groups[d]; i++) {
        struct job_group *g = &j->group[d][i];
        if (g->collective == like->collective && g->size == like->size && g->engine == like->engine &&
            g->would == like->would && g->reason == like->reason && strcmp(g->site, like->site) == 0)
            return g;
    }
    j->group[d] = realloc(j->group[d], (size_t)(j->groups[d] + 1) * sizeof *j->group[d]);
    j->group[d][j->groups[d]] = *like;
    return &j->group[d][j->groups[d]++];
}

static inline int made_order(const void *a, const void *b)
{
    const struct job_group *x = a, *y = b;
    return (x->tally.seconds < y->tally.seconds) - (x->tally.seconds > y->tally.seconds);
}

/* Counts a call of a rank in a group. */
static inline void made_count(struct job *j, enum dimension d, struct job_group like, const struct tally *t, bool engine,
                              double waited)
{
    struct job_group *g = made_group(j, d, &like);
    double before = g->tally.seconds * g->waited;
    tally_add(&g->tally, t);
    g->waited = (before + waited) / g->tally.seconds;
    if (engine)
        tally_add(&g->engines, t);
    g->ranks = j->told;
    g->most = 1.3 * g->tally.seconds / j->told;
    g->most_rank = j->told / 2;
}

static inline void made_call(struct job *j, const struct made *m, int i, double *clock)
{
    const struct kind *k = &made_kinds[i * 5 % (int)COUNT(made_kinds)];
    const int served = engine_row(engine_find(k->engine)), engine = m->dry ? 0 : served;
    const double moving = 20e-6 + (double)k->bytes * 1e-9 * (served ? 1 : 2.5);
    struct job_call *c = &j->call[i];
    int64_t each;
    double all = 0;
    part_keeps(i, &each);
    *c = (struct job_call){k->collective, k->bytes, engine, m->site ? m->site : "", each, j->told, (int64_t)i * j->told};
    if (!m->site)
        c->site = made_text(i % 2 ? "solve (solver.c:%d) < main (main.c:88)" : "norm+0x%x", 100 + i % m->sites);
    for (int r = 0; r < j->told; r++) {
        double work = 1e-3 * (0.8 + 0.4 * made_random()) * (r == m->slow && i > j->calls / 3 ? 2.5 : 1);
        j->moment[c->first + r] = (struct job_moment){j->rank[r].rank, clock[r] + work, 0, 0};
        all = clock[r] + work > all ? clock[r] + work : all;
    }
    for (int r = 0; r < j->told; r++) {
        struct job_moment *x = &j->moment[c->first + r];
        x->waited = all - x->start;
        x->seconds = x->waited + moving;
        clock[r] = x->start + x->seconds;
        j->rank[r].calls++;
        j->rank[r].seconds += x->seconds;
        j->elapsed = clock[r];
        struct tally t = {1, (double)k->bytes, x->seconds, x->seconds, x->seconds, x->seconds, 0, 0, 0};
        if (served) {
            t.native = 2.5 * x->seconds;
            t.engine = m->dry ? x->seconds / 3 : x->seconds;
            t.predicted = x->seconds;
        }
        const struct job_group like = {.collective = k->collective, .site = ""};
        struct job_group size = like, service = like, site = like;
        size.size = part_size(k->bytes);
        service.engine = engine;
        service.would = served;
        service.reason = k->reason;
        site.site = c->site;
        made_count(j, BY_COLLECTIVE, like, &t, served, x->waited);
        made_count(j, BY_SIZE, size, &t, served, x->waited);
        made_count(j, BY_SERVICE, service, &t, served, x->waited);
        made_count(j, BY_SITE, site, &t, served, x->waited);
        tally_add(&j->all, &t);
        j->waited += x->waited;
    }
}

/* Never freed: a test's process ends soon. */
static inline struct job *made_job(const struct made *m)
{
    struct job *j = calloc(1, sizeof *j);
    double *clock = calloc((size_t)m->ranks, sizeof *clock);
    j->told = j->ranks = m->ranks;
    j->nodes = m->nodes;
    j->command = m->command ? m->command : "./solver --grid 512x512x256 --steps 400 input.nml";
    j->pleach = "0.2.0";
    j->mpi = "MPICH 4.0.2 ch4:ucx";
    j->settings = "PLEACH_THRESHOLD=8K PLEACH_RULES=/etc/pleach/cluster.rules";
    j->note = "measured: 12 MB/s between nodes, 260us a message; 4.1 GB/s on a node, 0.8us";
    j->dry = m->dry;
    j->end = END_FINALIZE;
    j->began = 1764000000;
    j->calls = m->calls;
    j->moments = (int64_t)m->calls * m->ranks;
    j->rank = calloc((size_t)m->ranks, sizeof *j->rank);
    j->call = calloc((size_t)m->calls + 1, sizeof *j->call);
    j->moment = calloc((size_t)j->moments + 1, sizeof *j->moment);
    for (int r = 0; r < m->ranks; r++)
        j->rank[r] = (struct job_rank){.rank = r, .host = m->host, .end = END_FINALIZE};
    for (int r = 0; !m->host && r < m->ranks; r++)
        j->rank[r].host = made_text("node%03d", r * m->nodes / m->ranks);
    for (int i = 0; i < m->calls; i++)
        made_call(j, m, i, clock);
    j->run = j->elapsed * 1.5;
    j->waited = j->all.seconds > 0 ? j->waited / j->all.seconds : -1;
    for (int r = 0; r < m->ranks; r++)
        j->rank[r].run = j->run;
    for (int d = 0; d < DIMENSIONS; d++)
        qsort(j->group[d], (size_t)j->groups[d], sizeof **j->group, made_order);
    return j;
}

#endif
