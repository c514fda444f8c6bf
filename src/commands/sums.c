/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over calls; see sums.h. */
#include "sums.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

struct sum *sums_named(struct sums *all, const char *name)
{
    const int64_t known = all->names.count, n = texts_add(&all->names, name);
    if (n < 0 || !array_reserve(&all->sum, &all->room, all->names.count, sizeof *all->sum))
        cli_fail(STATUS_FAILED, "out of memory");
    if (n == known)
        all->sum[n] = (struct sum){.name = all->names.text[n]};
    return &all->sum[n];
}

const struct sum *sums_find(const struct sums *all, const char *name)
{
    const int64_t n = texts_find(&all->names, name);
    return n < 0 ? NULL : &all->sum[n];
}

void sum_add(struct sum *g, int ranks, const struct tally *calls, const double *each)
{
    if (each && !array_reserve(&g->each, &g->room, g->tally.calls + calls->calls, sizeof *each))
        cli_fail(STATUS_FAILED, "out of memory");
    if (each)
        memcpy(g->each + g->tally.calls, each, (size_t)calls->calls * sizeof *each);
    g->ranks = ranks > g->ranks ? ranks : g->ranks;
    tally_add(&g->tally, calls);
}

void sums_finish(struct sums *all)
{
    for (struct sum *g = all->sum; g < all->sum + all->names.count; g++) {
        const int64_t calls = g->tally.calls;
        if (g->each)
            qsort(g->each, (size_t)calls, sizeof *g->each, ascending_numbers);
        g->middle = g->each ? (g->each[(calls - 1) / 2] + g->each[calls / 2]) / 2 : g->tally.seconds / (double)calls;
    }
}
