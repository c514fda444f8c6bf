/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples; see sample.h.
 *
 * What disturbs a batch, another process or an interrupt, only makes it longer. So the fastest counts, if a second one
 * confirms it: on a busy machine no two batches are alike, and the fastest may have been disturbed, too.
 */
#include "sample.h"

#include "seconds.h"

/* By hand. On a quiet machine the two fastest differ by some per cent, on a busy one by factors. */
enum { BATCHES = 3 };                       /* after the first, which tells how many repetitions fit */
static const double BATCH_SECONDS = 0.5e-3; /* a batch repeats its work for about so long: a tenth of a time slice */
static const double STEADY = 1.3;           /* a second batch confirms the fastest if it takes no more times as long */

static double slowest(struct comm *c, double seconds)
{
    double all = seconds;
    pmpi.Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, c->channel.comm);
    return all;
}

/* Seconds of the work, on the average of so many repetitions, of the slowest rank. */
static double batch(struct work *w, int repeats)
{
    slowest(w->c, 0);
    double start = seconds_now();
    for (int i = 0; i < repeats; i++)
        w->once(w);
    return slowest(w->c, (seconds_now() - start) / repeats);
}

struct sample sample_take(struct work *w, int least, int most)
{
    w->once(w); /* the first exchange of two ranks sets up their connection */
    double best = batch(w, least), second = 1e9, fits = best > 0 ? BATCH_SECONDS / best : most;
    int repeats = fits < least ? least : fits > most ? most : (int)fits;
    for (int i = 0; i < BATCHES || (second > STEADY * best && w->extra > 0); i++) {
        double seconds = batch(w, repeats);
        w->extra -= i < BATCHES ? 0 : repeats * seconds;
        second = seconds < second ? seconds : second;
        if (second < best) {
            double swap = best;
            best = second;
            second = swap;
        }
    }
    return (struct sample){.seconds = best, .noisy = second > STEADY * best};
}
