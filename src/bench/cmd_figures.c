/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach figures: measures the figures of the cost model as the library does, and prints them as settings. */
#include "bench_job.h"

#include <stdio.h>

static void put(const char *which, const struct machine *m, enum link link)
{
    const struct figures *f = &m->figures[link];
    printf("# %s: alpha %.3g s, hop %.3g s, gap %.3g s, beta %.3g s/B, gamma %.3g s/B%s\n", which, f->alpha, f->hop, f->gap,
           f->beta, f->gamma, m->noisy[link] ? " ~ nominal: measuring was disturbed" : "");
}

static void put_segment(const struct segment_figures *f)
{
    printf("# through shared memory: wait %.3g s, copy %.3g s/B, stream %.3g s/B, spread %.3g s/B, fold %.3g s/B\n", f->wait,
           f->copy, f->stream, f->spread, f->fold);
}

int figures(void)
{
    const struct machine *m = &job.comm->known.machine;
    const struct figures *f = &m->figures[m->nodes > 1 ? LINK_NETWORK : LINK_NODE];
    if (job.comm->rank != 0)
        return 0;
    if (!m->measured) {
        say("there are more ranks than usable cores on some node, and nothing was measured");
        return STATUS_FAILED;
    }
    printf("# %d ranks on %d node%s, at most %d on one; %s\n", job.ranks, m->nodes, m->nodes == 1 ? "" : "s", m->node_ranks,
           job.mpi);
    if (m->node_ranks > 1)
        put("within a node", m, LINK_NODE);
    if (m->cell && m->segment.fold > 0)
        put_segment(&m->segment);
    if (m->nodes > 1)
        put("between nodes", m, LINK_NETWORK);
    printf("# a large message alone, one way: beta %.3g s/B\n", job.beta);
    /* PLEACH_ALPHA stands for alpha and gap. The number of blocks depends on the gap. */
    printf("PLEACH_ALPHA=%.3g\nPLEACH_BETA=%.3g\nPLEACH_GAMMA=%.3g\n", f->gap, f->beta, f->gamma);
    return 0;
}
