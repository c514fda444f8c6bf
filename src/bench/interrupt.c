/* SPDX-License-Identifier: BSD-2-Clause */
/* Interruption; see bench_job.h. */
#include "bench_job.h"

#include "seconds.h"

#include <signal.h>

/* Seconds: on Ctrl-C, terminal and mpiexec may both send one. */
#define ONE_KEY 0.5

static volatile sig_atomic_t got;

static void note(int signal_number)
{
    static double first;
    double now = seconds_now();
    if (!got) {
        got = signal_number;
        first = now;
    } else if (now - first > ONE_KEY) {
        signal(signal_number, SIG_DFL);
        raise(signal_number); /* when the handler returns */
    }
}

void interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int interrupt_signal(void)
{
    return got;
}
