/* SPDX-License-Identifier: BSD-2-Clause */
/* See histogram.h. */
#include "histogram.h"

#include <stdlib.h>

/* DIGITS + 1 binary digits count. Octave 0 is below BINS ns, octave i from BINS 2^(i-1) on. */
enum { DIGITS = 6, BINS = 1 << DIGITS, OCTAVES = 63 - DIGITS + 1 };

struct sum_of_times {
    int64_t times;
    double ns;
};

struct histogram {
    struct sum_of_times *octave[OCTAVES];
    int64_t times;
};

static int octave_of(int64_t ns)
{
    return ns < BINS ? 0 : 64 - DIGITS - __builtin_clzll((unsigned long long)ns);
}

static int bin_of(int64_t ns, int octave)
{
    return octave ? (int)(ns >> (octave - 1)) - BINS : (int)ns;
}

bool histogram_add(struct histogram **h, int64_t ns, int64_t times)
{
    const int octave = octave_of(ns);
    if (!*h && !(*h = calloc(1, sizeof **h)))
        return false;
    struct sum_of_times **bins = &(*h)->octave[octave];
    if (!*bins && !(*bins = calloc(BINS, sizeof **bins)))
        return false;
    struct sum_of_times *bin = &(*bins)[bin_of(ns, octave)];
    bin->times += times;
    bin->ns += (double)ns * (double)times;
    (*h)->times += times;
    return true;
}

bool histogram_join(struct histogram **h, const struct histogram *more)
{
    bool good = true;
    for (struct histogram_bin b = {.number = -1}; good && histogram_next(more, &b);)
        good = histogram_add(h, b.ns, b.times);
    return good;
}

void histogram_free(struct histogram *h)
{
    for (int i = 0; h && i < OCTAVES; i++)
        free(h->octave[i]);
    free(h);
}

int64_t histogram_times(const struct histogram *h)
{
    return h ? h->times : 0;
}

bool histogram_next(const struct histogram *h, struct histogram_bin *bin)
{
    for (int number = bin->number + 1; h && number < OCTAVES * BINS; number++) {
        const struct sum_of_times *bins = h->octave[number / BINS], *at = bins ? &bins[number % BINS] : NULL;
        if (!bins)
            number |= BINS - 1;
        if (!at || at->times <= 0)
            continue;
        *bin = (struct histogram_bin){number, (int64_t)(at->ns / (double)at->times + 0.5), at->times};
        return true;
    }
    return false;
}

static int64_t time_at(const struct histogram *h, int64_t number)
{
    struct histogram_bin b = {.number = -1};
    while (histogram_next(h, &b) && number >= b.times)
        number -= b.times;
    return b.ns;
}

double histogram_median(const struct histogram *h)
{
    return ((double)time_at(h, (h->times - 1) / 2) + (double)time_at(h, h->times / 2)) / 2e9;
}
