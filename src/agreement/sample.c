/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes samples; see sample.h.
 *
 * Another process or an interrupt can only make a batch longer. So the fastest batch counts, if a second batch confirms it.
 * On a busy machine no two batches are alike, and even the fastest may have been disturbed.
 */
#include "sample.h"

#include "budget.h"

/*
 * A second batch confirms the fastest one if it takes at most this many times as long. By hand: on a quiet machine the two
 * fastest batches differ by some per cent, on a busy machine by factors.
 */
static const double STEADY = 1.3;

/* The largest value of all ranks. The ranks also share the time that has passed; see limit.h. */
static double slowest(struct measurement *w, double seconds)
{
    double mine[] = {seconds, limit_passed(w->limit)}, most[] = {mine[0], mine[1]};
    pmpi.Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, w->comm);
    w->limit->passed = most[1];
    return most[0];
}

/* The seconds of one repetition of the work on the slowest rank, as an average of `repeats`. */
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
    w->once(w); /* a first exchange may have to open a connection */
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
