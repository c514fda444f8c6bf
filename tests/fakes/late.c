/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload. Each sleep of rank 2 takes longer, by 2 ms or as many as LATE_MS says, so that the rank is late at
 * each start that the ranks agree on. If LATE_MS is set, prints "late: rank 2" after each such sleep: a rank may also reach
 * the start without a sleep. Build: cc -shared -fPIC -o late.so late.c
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    static int (*real)(clockid_t, int, const struct timespec *, struct timespec *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_nanosleep");
    const char *rank = getenv("PMI_RANK"), *ms = getenv("LATE_MS");
    const struct timespec more = {.tv_nsec = 1000000L * (ms ? atoi(ms) : 2)};
    const int error = real(clock, flags, time, left);
    if (rank && strcmp(rank, "2") == 0) {
        real(CLOCK_MONOTONIC, 0, &more, NULL);
        if (ms)
            fputs("late: rank 2\n", stderr);
    }
    return error;
}
