/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the offsets of the hosts' clocks; see job.h and merge.h. */
#include "merge.h"

#include <math.h>
#include <stdlib.h>

/* A call on the host whose clock counts as right: the last start and the first end of a rank there. */
struct visit {
    double start, end;
};

/* The bounds on the offset of a host's clock. */
struct bounds {
    double low, high;
};

/* Is this a call that no rank can end before all ranks have started it? */
static bool waits_for_all(const struct grown_call *c)
{
    return collective_flow(c->call.collective) == FLOW_ALL_TO_ALL && c->call.bytes > 0 && !c->broken;
}

/* The least change of a clock that the bounds allow; their middle if they contradict each other, as when clocks drift. */
static double least_change(const struct bounds *b)
{
    if (b->low > b->high)
        return (b->low + b->high) / 2;
    return b->low > 0 ? b->low : b->high < 0 ? b->high : 0;
}

/*
 * Goes through the reported calls that wait for all ranks. If `on_it`, collects the visits on the host `right`; else
 * collects the bounds of the other hosts.
 */
static void go_through(const struct merge *j, int64_t right, bool on_it, struct visit *visit, struct bounds *bounds)
{
    for (const struct reporter *t = j->reporter; t < j->reporter + j->reporters; t++)
        for (int64_t i = t->first; (t->host == right) == on_it && i < t->first + t->calls; i++) {
            const struct reported *s = &j->reported[i];
            double start = t->began - j->earliest + s->start, end = start + s->seconds;
            struct visit *v = &visit[s->call];
            struct bounds *b = &bounds[t->host];
            if (!waits_for_all(&j->call[s->call]))
                continue;
            if (on_it)
                *v = (struct visit){fmax(v->start, start), fmin(v->end, end)};
            else
                *b = (struct bounds){fmax(b->low, v->start - end), fmin(b->high, v->end - start)};
        }
}

bool job_clocks(struct merge *j)
{
    struct visit *visit = calloc((size_t)(j->calls + 1), sizeof *visit);
    struct bounds *bounds = malloc((size_t)(j->hosts + 1) * sizeof *bounds);
    bool good = visit && bounds;
    int64_t right = 0; /* the lowest rank's host */
    for (int64_t i = 0; i < j->reporters; i++)
        if (j->reporter[i].rank.rank == j->lowest)
            right = j->reporter[i].host;
    for (int64_t i = 0; good && i < j->calls; i++)
        visit[i] = (struct visit){-INFINITY, INFINITY};
    for (int64_t i = 0; good && i < j->hosts; i++)
        bounds[i] = (struct bounds){-INFINITY, INFINITY};
    if (good) {
        go_through(j, right, true, visit, bounds);
        go_through(j, right, false, visit, bounds);
    }
    for (int64_t i = 0; good && i < j->hosts; i++)
        j->host[i].offset = least_change(&bounds[i]);
    free(visit);
    free(bounds);
    return good;
}
