/* SPDX-License-Identifier: BSD-2-Clause */
/* See infer_work.h. */
#include "infer_work.h"

#include "units.h"

#include <stdlib.h>

bool infer_ping(struct work *w)
{
    int probes = w->probes;
    w->probes = 0;
    if (probes > 0 && !w->prober->ping(w->prober->self, w->probe, probes))
        return false;
    for (struct probe *p = w->probe; p < w->probe + probes; p++)
        p->least = p->least > SHORTEST_TIME ? p->least : SHORTEST_TIME;
    return true;
}

double infer_median(double *number, int count)
{
    if (count == 0)
        return 0;
    qsort(number, (size_t)count, sizeof *number, ascending_numbers);
    return number[(count - 1) / 2];
}
