/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A clock for all ranks; see clock.h.
 *
 * With a barrier before the call, times would be wrong: ranks leave a barrier one after the other, and the first ranks begin
 * the call before the last rank leaves. So all ranks agree on a moment, and wait for it.
 */
#include "clock.h"

#include "clocks.h"
#include "bench_job.h"
#include "common_start.h"
#include "seconds.h"

#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define LEEWAY 0.1 /* ranks begin together if their starts differ by at most this part of the measured time */
#define SHORTEST (1e-9 * START_PAUSE) /* seconds; the shortest wait for a start, as in the library's trials */
#define LONGEST 200e-3                /* seconds; the longest one */

static double ahead; /* seconds that this rank's clock is ahead of rank 0's */
static double begin; /* seconds on rank 0's clock */

static double clock_now(void)
{
    return seconds_now() - ahead;
}

void clock_begin(void)
{
    begin = clock_now();
}

double clock_elapsed(struct comm *c)
{
    double seconds = clock_now() - begin;
    pmpi.Bcast(&seconds, 1, MPI_DOUBLE, 0, c->channel.comm);
    return seconds;
}

void clock_agree(struct comm *c)
{
    prctl(PR_SET_TIMERSLACK, 1); /* ranks that sleep wake on time */
    ahead = clocks_ahead(c);
}

/* Returns on all ranks at the same moment. The moment is so late that even the slowest rank learns of it in time. */
static void start_together(struct comm *c)
{
    static double lag; /* of the last such start: seconds from the last rank's arrival until this rank learned of it */
    double mine[3] = {clock_now(), lag, interrupt_signal()}, all[3];
    pmpi.Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, c->channel.comm);
    lag = clock_now() - all[0];
    job.interrupted = (int)all[2];
    double wait = 2 * all[1] + SHORTEST;
    clocks_await(ahead, all[0] + (wait < LONGEST ? wait : LONGEST));
}

struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries)
{
    struct repetition best = {.seconds = 0};
    double spread = INFINITY;
    for (int i = 0; i < tries && !best.together; i++) {
        enum { LATEST_END, LATEST_START, EARLIEST_START };
        double mine[3] = {-INFINITY, -INFINITY, -INFINITY}, all[3]; /* a rank that takes no part changes no maximum */
        start_together(c);
        if (takes_part) {
            mine[LATEST_START] = clock_now();
            mine[EARLIEST_START] = -mine[LATEST_START];
            work(with);
            mine[LATEST_END] = clock_now();
        }
        pmpi.Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, c->channel.comm);
        double seconds = all[LATEST_END] - all[LATEST_START], apart = all[LATEST_START] + all[EARLIEST_START];
        bool together = apart <= LEEWAY * seconds;
        if (together || apart < spread) {
            spread = apart;
            best = (struct repetition){.seconds = seconds, .together = together};
        }
    }
    return best;
}
