/* SPDX-License-Identifier: BSD-2-Clause */
/* The monotonic clock. */
#pragma once

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, alike for all processes under one kernel. */
static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 0 if negative. */
static inline uint64_t nanoseconds_of(double seconds)
{
    return seconds > 0 ? (uint64_t)(1e9 * seconds) : 0;
}
