/* SPDX-License-Identifier: BSD-2-Clause */
/* Histograms of times. A bin is as wide as one part in 2048; the memory does not grow with the number of times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct histogram_bin {
    int64_t ns, times; /* ns: where the bin begins */
    double sum;        /* ns of all its times */
};

/* All zeros: no times. The owner frees `bin`. */
struct histogram {
    struct histogram_bin *bin; /* least first */
    int64_t bins, room, times;
};

/* Both add times, the first one equal ones; false if memory runs out. */
bool histogram_add(struct histogram *h, int64_t ns, int64_t times);
bool histogram_join(struct histogram *h, const struct histogram *more);

/* The mean of a bin in whole ns. */
static inline int64_t histogram_mean(const struct histogram_bin *b)
{
    return b->times > 0 ? (int64_t)(b->sum / (double)b->times + 0.5) : b->ns;
}

/* The median in seconds, of one time or more. */
double histogram_median(const struct histogram *h);
