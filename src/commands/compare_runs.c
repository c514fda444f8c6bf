/* SPDX-License-Identifier: BSD-2-Clause */
/* Matches the calls of two runs, and judges them; see compare_runs.h. */
#include "compare_runs.h"

#include "cli.h"
#include "index.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOGS_APART = 0.05, REPORTS_APART = 0.1; /* medians and means that differ by less count as equal */
static const double UNLIKELY = 3.29; /* standard deviations, which chance exceeds once in 1000 times */
enum { LEAST_CALLS = 5 };            /* least calls of a rank, on average, in each run */

const char *const aspect_names[ASPECTS] = {
    [ASPECT_COLLECTIVE] = "collective", [ASPECT_SIZE] = "size", [ASPECT_SITE] = "site"};

const char *verdict_word(enum verdict v)
{
    static const char *const words[VERDICTS] = {
        [SAME] = "same", [FASTER] = "faster", [SLOWER] = "slower", [FEW] = "few", [ONLY_A] = "only-a", [ONLY_B] = "only-b"};
    return words[v];
}

/* ---- Sums ------------------------------------------------------------------------------------------------------------ */

static const struct sum *find(const struct sums *all, const char *name)
{
    const int64_t n = texts_find(&all->names, name);
    return n < 0 ? NULL : &all->sum[n];
}

void sums_add(struct sums *all, const char *name, int ranks, const struct tally *calls, const struct histogram *times)
{
    const int64_t known = all->names.count, n = texts_add(&all->names, name);
    cli_enough(n >= 0 && array_reserve(&all->sum, &all->room, all->names.count, sizeof *all->sum));
    struct sum *g = &all->sum[n];
    if (n == known)
        *g = (struct sum){.name = all->names.text[n]};
    g->ranks = ranks > g->ranks ? ranks : g->ranks;
    tally_add(&g->tally, calls);
    cli_enough(histogram_join(&g->times, times));
}

static void find_middles(struct sums *all)
{
    for (struct sum *g = all->sum; g < all->sum + all->names.count; g++)
        g->middle = job_middle(&g->tally, g->times);
}

struct run compare_job(const char *operand, const struct job *j)
{
    static const enum dimension dimensions[ASPECTS] = {
        [ASPECT_COLLECTIVE] = BY_COLLECTIVE, [ASPECT_SIZE] = BY_SIZE, [ASPECT_SITE] = BY_SITE};
    struct run r = {.operand = operand,
                    .command = j->command,
                    .log = j->log,
                    .ranks = j->reported,
                    .seconds = fmax(j->run, j->log ? 0 : j->elapsed),
                    .calls = j->all.seconds / j->reported};
    char text[JOB_NAME];
    for (int a = 0; a < ASPECTS; a++)
        for (const struct job_group *g = j->group[dimensions[a]]; g < j->group[dimensions[a]] + j->groups[dimensions[a]];
             g++) {
            const char *name = a == ASPECT_SITE ? g->site : job_name(g, dimensions[a], text);
            if (*name && strcmp(name, "-") != 0)
                sums_add(&r.by[a], name, g->ranks, &g->tally, g->times);
        }
    return r;
}

/* ---- Judging -------------------------------------------------------------------------------------------------------- */

/*
 * Mann and Whitney's rank test. Each pair has a call of a and a call of b; the test counts the pairs in which b's call takes
 * longer. Returns by how many standard deviations this number exceeds half of all pairs. Ranks wait for each other, so the
 * times of all ranks for a call count as one time: the deviation is that of the calls of one rank.
 */
static double rank_test(const struct sum *a, const struct sum *b, int ranks)
{
    struct histogram_bin x = {.number = -1}, y = x;
    double longer = 0, n = (double)histogram_times(a->times), m = (double)histogram_times(b->times);
    int64_t below = 0; /* calls of a that are shorter than those of b's bin */
    bool more = histogram_next(a->times, &x);
    while (histogram_next(b->times, &y)) {
        for (; more && x.number < y.number; more = histogram_next(a->times, &x))
            below += x.times;
        const int64_t equal = more && x.number == y.number ? x.times : 0;
        longer += (double)y.times * ((double)below + (double)equal / 2);
    }
    return (longer - n * m / 2) / sqrt(n * m * (n + m + 1) / 12 * ranks);
}

/*
 * Returns a lower bound on the difference of the means, in standard deviations. The mean of n calls whose times lie between
 * `least` and `most` has at most the variance (most - mean) (mean - least) / n (Bhatia and Davis 2000).
 */
static double means_apart(const struct sum *a, const struct sum *b, int ranks)
{
    double variance = 0;
    for (int i = 0; i < 2; i++) {
        const struct sum *x = i ? b : a;
        variance += (x->tally.most - x->middle) * (x->middle - x->tally.least) / (double)x->tally.calls * ranks;
    }
    return fabs(b->middle - a->middle) / sqrt(fmax(variance, 0));
}

enum verdict compare_sums(const struct sum *a, const struct sum *b, int ranks)
{
    double apart = a->times && b->times ? LOGS_APART : REPORTS_APART;
    bool longer = b->middle > a->middle;
    if (a->tally.calls < (int64_t)LEAST_CALLS * ranks || b->tally.calls < (int64_t)LEAST_CALLS * ranks)
        return FEW;
    if (fmax(a->middle, b->middle) <= (1 + apart) * fmin(a->middle, b->middle))
        return SAME;
    if (a->times && b->times) {
        double deviation = rank_test(a, b, ranks);
        if (longer ? deviation < UNLIKELY : deviation > -UNLIKELY)
            return SAME;
    } else if (means_apart(a, b, ranks) < UNLIKELY ||
               (longer ? b->tally.least < a->tally.least : b->tally.least > a->tally.least)) {
        return SAME;
    }
    return longer ? SLOWER : FASTER;
}

/* ---- Matching ------------------------------------------------------------------------------------------------------- */

/* Does `all` have a name that `other` lacks? */
static bool has_own(const struct sums *all, const struct sums *other)
{
    for (int64_t i = 0; i < all->names.count; i++)
        if (!find(other, all->sum[i].name))
            return true;
    return false;
}

/* Takes "+0x1f" and the 88 of "file.c:88" out of the name of a call site. */
static void strip_offsets(char *name)
{
    char *to = name;
    for (const char *from = name; *from;) {
        if (strncmp(from, "+0x", 3) == 0)
            from += 3 + strspn(from + 3, "0123456789abcdef");
        else if (*from == ':' && isdigit((unsigned char)from[1]))
            from += 1 + strspn(from + 1, "0123456789");
        else
            *to++ = *from++;
    }
    *to = 0;
}

/* Takes offsets out of names of call sites that the other run lacks, and adds up call sites of equal names. */
static struct sums without_offsets(const struct sums *sites, const struct sums *other)
{
    struct sums joined = {0};
    for (int64_t i = 0; i < sites->names.count; i++) {
        const struct sum *g = &sites->sum[i];
        char *name = cli_copy(g->name);
        if (!find(other, name))
            strip_offsets(name);
        sums_add(&joined, name, g->ranks, &g->tally, g->times);
        free(name);
    }
    return joined;
}

/* `most`: the ranks of the larger run, which stand for a number of ranks that is unknown or too large. */
static void add_pair(struct pairs *all, enum aspect aspect, const struct sum *a, const struct sum *b, int most)
{
    struct pair *p = &all->pair[all->count++];
    *p = (struct pair){.aspect = aspect, .a = a, .b = b, .verdict = a ? ONLY_A : ONLY_B};
    if (a && b) {
        const int ranks = a->ranks < b->ranks ? b->ranks : a->ranks;
        p->verdict = compare_sums(a, b, ranks > 0 && ranks < most ? ranks : most);
        p->change = a->middle > 0 ? b->middle / a->middle - 1 : 0;
        p->effect = (double)b->tally.calls * (b->middle - a->middle);
    }
}

static int by_effect(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (fabs(x->effect) != fabs(y->effect))
        return fabs(x->effect) < fabs(y->effect) ? 1 : -1;
    if (x->aspect != y->aspect)
        return x->aspect < y->aspect ? -1 : 1;
    return strcmp((x->a ? x->a : x->b)->name, (y->a ? y->a : y->b)->name);
}

struct pairs compare_runs(struct run *a, struct run *b)
{
    struct pairs all = {0};
    struct sums *sites_a = &a->by[ASPECT_SITE], *sites_b = &b->by[ASPECT_SITE];
    const int ranks = a->ranks < b->ranks ? b->ranks : a->ranks;
    int64_t most = 1;
    all.without_offsets = has_own(sites_a, sites_b) && has_own(sites_b, sites_a);
    if (all.without_offsets) {
        const struct sums joined = without_offsets(sites_a, sites_b);
        *sites_b = without_offsets(sites_b, sites_a);
        *sites_a = joined;
    }
    for (int i = 0; i < ASPECTS; i++) {
        find_middles(&a->by[i]);
        find_middles(&b->by[i]);
        most += a->by[i].names.count + b->by[i].names.count;
    }
    all.pair = cli_memory((size_t)most, sizeof *all.pair);
    for (int i = 0; i < ASPECTS; i++) {
        const struct sums *x = &a->by[i], *y = &b->by[i];
        for (int64_t n = 0; n < x->names.count; n++)
            add_pair(&all, (enum aspect)i, &x->sum[n], find(y, x->sum[n].name), ranks);
        for (int64_t n = 0; n < y->names.count; n++)
            if (!find(x, y->sum[n].name))
                add_pair(&all, (enum aspect)i, NULL, &y->sum[n], ranks);
    }
    qsort(all.pair, (size_t)all.count, sizeof *all.pair, by_effect);
    return all;
}
