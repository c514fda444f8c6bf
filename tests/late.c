/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload. Each sleep of rank 2 takes 2 ms longer, so that the rank is late at each start that the ranks agree
 * on. A program may set late_sleeps: the count is odd while rank 2 sleeps longer. Build: cc -shared -fPIC -o late.so late.c
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

atomic_int *late_sleeps;

int nanosleep(const struct timespec *time, struct timespec *left)
{
    const char *rank = getenv("PMI_RANK");
    const struct timespec more = {.tv_nsec = 2000000};
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
    if (rank && strcmp(rank, "2") == 0) {
        if (late_sleeps)
            ++*late_sleeps;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &more, NULL);
        if (late_sleeps)
            ++*late_sleeps;
    }
    return error ? -1 : 0;
}
