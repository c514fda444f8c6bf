/* SPDX-License-Identifier: BSD-2-Clause */
/* Matching the calls of two runs, and judging them; see compare_runs.h. */
#include "cli.h"
#include "compare_runs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOGS_APART = 0.05, REPORTS_APART = 0.1; /* medians and means that differ by less are the same */
static const double UNLIKELY = 3.29;                        /* standard deviations: once in a thousand times */
enum { LEAST_CALLS = 5 };                                   /* of a rank */

const char *verdict_word(enum verdict v)
{
    static const char *const words[VERDICTS] = {
        [SAME] = "same", [FASTER] = "faster", [SLOWER] = "slower", [FEW] = "few", [ONLY_A] = "only-a", [ONLY_B] = "only-b"};
    return words[v];
}

void run_add(struct run *r, const struct item *i)
{
    if (r->items == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->item = reallocarray(r->item, (size_t)r->room, sizeof *r->item);
    }
    char *name = r->item ? strdup(i->name) : NULL;
    if (!name)
        cli_fail(STATUS_FAILED, "out of memory");
    r->item[r->items] = *i;
    r->item[r->items++].name = name;
}

/* ---- Judging -------------------------------------------------------------------------------------------------------- */

/*
 * How many standard deviations the number of pairs of calls in which b's takes longer is from half of all. As ranks wait for
 * each other, their times of a call say one thing, not many: the number of calls is that of a rank.
 */
static double rank_test(const struct item *a, const struct item *b, int ranks)
{
    double longer = 0, n = (double)a->calls, m = (double)b->calls;
    int64_t below = 0, within = 0; /* calls of a that are shorter than b's, or as long */
    for (int64_t i = 0; i < b->calls; i++) {
        while (below < a->calls && a->each[below] < b->each[i])
            below++;
        within = within < below ? below : within;
        while (within < a->calls && a->each[within] <= b->each[i])
            within++;
        longer += (double)below + (double)(within - below) / 2;
    }
    return (longer - n * m / 2) / sqrt(n * m * (n + m + 1) / 12 * ranks);
}

/*
 * By how many standard deviations means differ, at least: those of n calls between least and most have no larger variance
 * than (most - mean) (mean - least) / n (Bhatia and Davis 2000).
 */
static double means_apart(const struct item *a, const struct item *b, int ranks)
{
    double variance = 0;
    for (int i = 0; i < 2; i++) {
        const struct item *x = i ? b : a;
        variance += (x->most - x->middle) * (x->middle - x->least) / (double)x->calls * ranks;
    }
    return fabs(b->middle - a->middle) / sqrt(fmax(variance, 0));
}

enum verdict compare_items(const struct item *a, const struct item *b, int ranks)
{
    double apart = a->each && b->each ? LOGS_APART : REPORTS_APART;
    bool longer = b->middle > a->middle;
    if (a->calls < (int64_t)LEAST_CALLS * ranks || b->calls < (int64_t)LEAST_CALLS * ranks)
        return FEW;
    if (fmax(a->middle, b->middle) < (1 + apart) * fmin(a->middle, b->middle))
        return SAME;
    if (a->each && b->each) {
        double deviation = rank_test(a, b, ranks);
        if (longer ? deviation < UNLIKELY : deviation > -UNLIKELY)
            return SAME;
    } else if (means_apart(a, b, ranks) < UNLIKELY || (longer ? b->least < a->least : b->least > a->least)) {
        return SAME;
    }
    return longer ? SLOWER : FASTER;
}

/* ---- Matching ------------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->aspect != y->aspect ? (x->aspect < y->aspect ? -1 : 1) : strcmp(x->name, y->name);
}

static void sort(struct run *r)
{
    if (r->items > 1)
        qsort(r->item, (size_t)r->items, sizeof *r->item, by_name);
}

static bool has(const struct run *r, const struct item *i)
{
    return r->items && bsearch(i, r->item, (size_t)r->items, sizeof *r->item, by_name);
}

/* Does the run have a call site that the other one has not? */
static bool has_own_sites(const struct run *r, const struct run *other)
{
    bool own = false;
    for (int i = 0; i < r->items; i++)
        own |= r->item[i].aspect == ASPECT_SITE && !has(other, &r->item[i]);
    return own;
}

/* Takes "+0x1f" and the 88 of "file.c:88" out of the name of a call site. */
static void take_offsets_out(char *name)
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

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Adds calls to those of the same name. */
static void merge(struct item *to, const struct item *i)
{
    to->least = fmin(to->least, i->least);
    to->most = fmax(to->most, i->most);
    to->seconds += i->seconds;
    to->calls += i->calls;
    to->middle = to->seconds / (double)to->calls;
    if (!to->each || !i->each)
        return;
    double *each = cli_memory((size_t)to->calls, sizeof *each);
    memcpy(each, to->each, (size_t)(to->calls - i->calls) * sizeof *each);
    memcpy(each + (to->calls - i->calls), i->each, (size_t)i->calls * sizeof *each);
    qsort(each, (size_t)to->calls, sizeof *each, by_time);
    free(to->each);
    free(i->each);
    to->each = each;
    to->middle = (each[(to->calls - 1) / 2] + each[to->calls / 2]) / 2;
}

/* Makes those call sites one that are the same without offsets, but for those that the other run has as they are. */
static void join_sites(struct run *r, const bool *keep)
{
    int items = 0;
    for (int i = 0; i < r->items; i++)
        if (r->item[i].aspect == ASPECT_SITE && !keep[i])
            take_offsets_out(r->item[i].name);
    sort(r);
    for (int i = 0; i < r->items; i++)
        if (items && by_name(&r->item[items - 1], &r->item[i]) == 0) {
            merge(&r->item[items - 1], &r->item[i]);
            free(r->item[i].name);
        } else {
            r->item[items++] = r->item[i];
        }
    r->items = items;
}

static bool *in_both(const struct run *r, const struct run *other)
{
    bool *both = cli_memory((size_t)r->items + 1, sizeof *both);
    for (int i = 0; i < r->items; i++)
        both[i] = has(other, &r->item[i]);
    return both;
}

static struct pair judge_pair(const struct item *a, const struct item *b, int ranks)
{
    struct pair p = {.a = a, .b = b, .verdict = a ? ONLY_A : ONLY_B};
    if (a && b) {
        p.verdict = compare_items(a, b, ranks);
        p.change = a->middle > 0 ? b->middle / a->middle - 1 : 0;
        p.effect = (double)b->calls * (b->middle - a->middle);
    }
    return p;
}

static int by_effect(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (fabs(x->effect) != fabs(y->effect))
        return fabs(x->effect) < fabs(y->effect) ? 1 : -1;
    return by_name(x->a ? x->a : x->b, y->a ? y->a : y->b);
}

struct pairs compare_runs(struct run *a, struct run *b)
{
    struct pairs all = {.pair = cli_memory((size_t)a->items + (size_t)b->items + 1, sizeof *all.pair)};
    int ranks = a->ranks < b->ranks ? b->ranks : a->ranks;
    sort(a);
    sort(b);
    all.without_offsets = has_own_sites(a, b) && has_own_sites(b, a);
    if (all.without_offsets) {
        bool *keep_a = in_both(a, b), *keep_b = in_both(b, a);
        join_sites(a, keep_a);
        join_sites(b, keep_b);
        free(keep_a);
        free(keep_b);
    }
    for (int i = 0, j = 0; i < a->items || j < b->items;) {
        int order = i == a->items ? 1 : j == b->items ? -1 : by_name(&a->item[i], &b->item[j]);
        all.pair[all.count++] = judge_pair(order <= 0 ? &a->item[i] : NULL, order >= 0 ? &b->item[j] : NULL, ranks);
        i += order <= 0;
        j += order >= 0;
    }
    qsort(all.pair, (size_t)all.count, sizeof *all.pair, by_effect);
    return all;
}
