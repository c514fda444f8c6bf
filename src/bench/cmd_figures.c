/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach figures: measures the figures of the cost model as the library does, and prints them as settings. */
#include "bench_job.h"
#include "figurefile.h"

#include <stdio.h>

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
    figurefile_put(stdout, m, job.ranks, job.mpi);
    printf("# a large message alone, one way: beta %.3g s/B\n", job.beta);
    printf("PLEACH_ALPHA=%.3g\nPLEACH_BETA=%.3g\nPLEACH_GAMMA=%.3g\n", f->alpha, f->beta, f->gamma);
    printf("PLEACH_HOP=%.3g\nPLEACH_GAP=%.3g\n", f->hop, f->gap);
    return 0;
}
