/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach figures: measures figures as the library does, and prints them as settings. */
#include "bench_job.h"
#include "figurefile.h"
#include "segment.h"
#include "units.h"

#include <stdio.h>

static const char *way(int64_t past_from, bool takes, char text[UNITS_TEXT + 32])
{
    char size[UNITS_TEXT];
    if (past_from == INT64_MAX)
        return takes ? "plain, and the reader takes the lines" : "plain";
    snprintf(text, UNITS_TEXT + 32, "past the caches from %s", size_about((double)past_from, size));
    return text;
}

static void put_copies(const struct segment *s)
{
    char one[UNITS_TEXT + 32], several[UNITS_TEXT + 32];
    printf("# copies into shared memory: %s for one reader, %s for several\n", way(s->stream_past, s->claims, one),
           way(s->spread_past, false, several));
}

int figures(void)
{
    const struct machine *m = &job.comm->known.machine;
    const enum link link = m->nodes > 1 ? LINK_NETWORK : LINK_NODE;
    const struct figures *f = &m->figures[link];
    if (job.comm->rank != 0)
        return 0;
    if (m->noisy[link]) { /* they are nominal */
        say("the measurement was disturbed, so there are no parameters: repeat it on an idle machine");
        return STATUS_FAILED;
    }
    figurefile_put(stdout, m, job.ranks, job.mpi);
    if (job.comm->channel.segment)
        put_copies(job.comm->channel.segment);
    printf("# a large message alone, one way: beta %.3g s/B\n", job.beta);
    printf("PLEACH_ALPHA=%.3g\nPLEACH_BETA=%.3g\nPLEACH_GAMMA=%.3g\n", f->alpha, f->beta, f->gamma);
    printf("PLEACH_HOP=%.3g\nPLEACH_GAP=%.3g\n", f->hop, f->gap);
    return 0;
}
