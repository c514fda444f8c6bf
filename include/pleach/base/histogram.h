/* SPDX-License-Identifier: BSD-2-Clause */
/* Histograms of times. A bin is as wide as one part in 64 of its times; memory does not grow with the number of times. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct histogram; /* NULL: no times */

/* Both add times, the first one equal ones of at most 2^62 ns; they make *h if that is NULL. False if memory runs out. */
bool histogram_add(struct histogram **h, int64_t ns, int64_t times);
bool histogram_join(struct histogram **h, const struct histogram *more);
void histogram_free(struct histogram *h);

int64_t histogram_times(const struct histogram *h);

/* The median in seconds; h is not NULL. */
double histogram_median(const struct histogram *h);

/* A bin with times. */
struct histogram_bin {
    int number;        /* equal in all histograms; larger times have larger numbers */
    int64_t ns, times; /* ns: their mean */
};

/* Sets *bin to the first bin with times whose number is above bin->number, which is -1 at first. False: there is none. */
bool histogram_next(const struct histogram *h, struct histogram_bin *bin);
