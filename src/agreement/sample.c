/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples. Disturbances only make a batch longer, so the fastest counts, if a second one confirms it. */
#include "sample.h"

#include "budget.h"

/* A second batch within this factor confirms the fastest. */
static const double STEADY = 1.3;

static double slowest(struct measurement *w, double seconds)
{
    double mine[] = {seconds, limit_passed(w->limit)}, most[] = {mine[0], mine[1]};
    pmpi.Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, w->comm);
    w->limit->passed = most[1];
    return most[0];
}

static double batch(struct measurement *w, int repeats)
{
    slowest(w, 0);
    double start = seconds_now();
    for (int i = 0; i < repeats; i++)
        w->once(w);
    return slowest(w, (seconds_now() - start) / repeats);
}

struct sample sample_measure(struct measurement *w, int least, int most)
{
    if (limit_lacks(w->limit, 0))
        return (struct sample){.seconds = 0, .noisy = true};
    w->once(w); /* may have to open a connection */
    double best = batch(w, least), second = 1e9, fits = best > 0 ? BATCH_SECONDS / best : most;
    int repeats = fits < least ? least : fits > most ? most : (int)fits;
    for (int i = 0; i < SAMPLE_BATCHES || (second > STEADY * best && w->extra > 0); i++) {
        if (limit_lacks(w->limit, repeats * best))
            break;
        double seconds = batch(w, repeats);
        w->extra -= i < SAMPLE_BATCHES ? 0 : repeats * seconds;
        second = seconds < second ? seconds : second;
        if (second < best) {
            double swap = best;
            best = second;
            second = swap;
        }
    }
    return (struct sample){.seconds = best, .noisy = second > STEADY * best};
}
