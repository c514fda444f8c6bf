/* SPDX-License-Identifier: BSD-2-Clause */
/* Histograms; see histogram.h. */
#include "histogram.h"

#include "index.h"

#include <string.h>

enum { DIGITS = 12 }; /* binary digits of a time that count */

static int64_t bin_of(int64_t ns)
{
    const int shift = ns < 1 << DIGITS ? 0 : 64 - DIGITS - __builtin_clzll((unsigned long long)ns);
    return ns >> shift << shift;
}

/* The first bin that is not below `ns`. */
static int64_t bin_for(const struct histogram *h, int64_t ns)
{
    int64_t low = 0, high = h->bins;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (h->bin[middle].ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool histogram_add(struct histogram *h, int64_t ns, int64_t times)
{
    const int64_t begin = bin_of(ns), at = bin_for(h, begin);
    if (at == h->bins || h->bin[at].ns != begin) {
        if (!array_reserve(&h->bin, &h->room, h->bins + 1, sizeof *h->bin))
            return false;
        memmove(h->bin + at + 1, h->bin + at, (size_t)(h->bins - at) * sizeof *h->bin);
        h->bin[at] = (struct histogram_bin){.ns = begin};
        h->bins++;
    }
    h->bin[at].times += times;
    h->bin[at].sum += (double)ns * (double)times;
    h->times += times;
    return true;
}

bool histogram_join(struct histogram *h, const struct histogram *more)
{
    bool good = true;
    for (int64_t i = 0; good && i < more->bins; i++)
        good = histogram_add(h, histogram_mean(&more->bin[i]), more->bin[i].times);
    return good;
}

/* The time with this number, from 0. */
static int64_t time_at(const struct histogram *h, int64_t number)
{
    const struct histogram_bin *b = h->bin;
    for (; number >= b->times; b++)
        number -= b->times;
    return histogram_mean(b);
}

double histogram_median(const struct histogram *h)
{
    return ((double)time_at(h, (h->times - 1) / 2) + (double)time_at(h, h->times / 2)) / 2e9;
}
