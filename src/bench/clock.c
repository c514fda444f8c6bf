/* SPDX-License-Identifier: BSD-2-Clause */
/* See clock.h. */
#include "clock.h"

#include "clocks.h"
#include "bench_job.h"
#include "common_start.h"
#include "seconds.h"
#include "small_stack.h"

#include <math.h>
#include <sys/prctl.h>

#define LEEWAY 0.1 /* of the measured time: the most between starts that are together */

static double ahead; /* of rank 0's clock, in seconds */
static double begin; /* on rank 0's clock */

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
    prctl(PR_SET_TIMERSLACK, 1); /* sleepers wake on time */
    ahead = clocks_ahead(c);
}

/* At one moment (common_start.h). All learn of signals. */
static void start_together(struct comm *c)
{
    static uint64_t lag;
    uint64_t word[START_WORDS + 1] = {[START_WORDS] = (uint64_t)interrupt_signal()}, moment;
    start_say(lag, true, nanoseconds_of(clock_now()), word);
    words_largest(c->channel.comm, word, START_WORDS + 1);
    lag = start_lag(word, nanoseconds_of(clock_now()));
    start_hear(word, &moment);
    job.interrupted = (int)word[START_WORDS];
    clocks_await(ahead, 1e-9 * (double)(moment + START_PAUSE));
}

struct repetition clock_time(struct comm *c, bool takes_part, void (*work)(void *), void *with, int tries)
{
    struct repetition best = {.seconds = 0};
    double spread = INFINITY;
    for (int i = 0; i < tries && !best.together; i++) {
        enum { LATEST_END, LATEST_START, EARLIEST_START };
        double mine[3] = {-INFINITY, -INFINITY, -INFINITY}, all[3]; /* changes no maximum */
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
