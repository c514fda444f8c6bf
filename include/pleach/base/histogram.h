/* SPDX-License-Identifier: BSD-2-Clause */
/* Histograms of times, with bins of one part in 64; memory does not grow with the number of times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct histogram;

/* Both add times, of at most 2^62 ns, and make *h if it is NULL. They return false if memory runs out. */
bool histogram_add(struct histogram **h, int64_t ns, int64_t times);
bool histogram_join(struct histogram **h, const struct histogram *more);
void histogram_free(struct histogram *h);

int64_t histogram_times(const struct histogram *h);

/* In seconds; h is not NULL. */
double histogram_median(const struct histogram *h);

struct histogram_bin {
    int number;        /* alike in all histograms; larger times have larger ones */
    int64_t ns, times; /* ns: the mean */
};

/* Sets *bin to the next bin with times; bin->number is -1 at first. Returns false at the end. */
bool histogram_next(const struct histogram *h, struct histogram_bin *bin);
