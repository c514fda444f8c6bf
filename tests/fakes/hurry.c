/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload. It makes the monotonic clock run 60 times as fast, so that a minute takes a second. If the variable
 * HURRY_TIMES is set, the clock runs so many times as fast.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const long BILLION = 1000000000;

static long long nanoseconds(void)
{
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return t.tv_sec * BILLION + t.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static long long start, times;
    if (clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, t);
    if (!start) {
        const char *set = getenv("HURRY_TIMES");
        times = set ? atoi(set) : 60;
        start = nanoseconds();
    }
    long long now = start + times * (nanoseconds() - start);
    t->tv_sec = (time_t)(now / BILLION);
    t->tv_nsec = (long)(now % BILLION);
    return 0;
}
