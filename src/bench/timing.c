/* SPDX-License-Identifier: BSD-2-Clause */
/* See timing.h. */
#include "timing.h"

#include "units.h"

#include <stdlib.h>

#define CLEAR_SPREAD 0.5 /* above this, noise */

static int ascending(const void *a, const void *b)
{
    double x = ((const struct repetition *)a)->seconds, y = ((const struct repetition *)b)->seconds;
    return (x > y) - (x < y);
}

void timing_set(struct timing *t, struct repetition *r, int count)
{
    int sound = 0;
    qsort(r, (size_t)count, sizeof *r, ascending);
    while (sound < count && !r[sound].together)
        sound++;
    t->count = count;
    t->least = r[0].seconds;
    t->sound = r[sound < count ? sound : 0].seconds;
    t->median = (r[(count - 1) / 2].seconds + r[count / 2].seconds) / 2;
    t->quartile = r[(3 * count + 3) / 4 - 1].seconds;
    t->most = r[count - 1].seconds;
    /* `sound` is above the median if only slow ones began together. */
    double low = t->sound < t->median ? t->sound : t->median;
    t->spread = t->median > 0 ? (t->quartile - low) / t->median : 0;
}

bool timing_noisy(const struct timing *t)
{
    return t->spread > CLEAR_SPREAD;
}

const struct timing *timing_best(const struct timing *timing, int count)
{
    const struct timing *best = NULL;
    for (int i = 0; i < count; i++)
        if (timing[i].right && (!best || timing[i].median < best->median))
            best = &timing[i];
    return best ? best : timing;
}

struct regret regret_of(double *each, int count)
{
    if (count == 0)
        return (struct regret){0};
    qsort(each, (size_t)count, sizeof *each, ascending_numbers);
    return (struct regret){count, (each[(count - 1) / 2] + each[count / 2]) / 2, each[count - 1]};
}
