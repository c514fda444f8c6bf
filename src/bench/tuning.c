/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes rules from times; see tuning.h.
 *
 * Times of the same call differ from one repetition to the next, and some are much longer than the rest. An engine beats
 * native clearly if its median and its fastest repetition are well below native's, and three quarters of its repetitions are
 * faster than native's median. If a busy machine has spoilt the medians, the fastest repetitions still show whether the
 * engine is faster. If no engine beats native clearly, the rule says native: a rules file must never make a program slower.
 * Only a repetition that all ranks began together may count as the fastest: if one rank begins late, the others may have
 * finished by then.
 *
 * Noise makes no rule: an engine whose times are noise does not win, and a size has no winner if native's times are noise.
 */
#include "tuning.h"

#include "history.h"
#include "rules.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>

/* Chosen by hand. In BENCHMARKS, native calls that were measured twice differ by factors from 0.93 to 1.02. */
#define CLEAR_MARGIN 1.08       /* an engine beats native clearly only if native takes at least this many times as long */
#define CLEAR_SPREAD 0.5        /* times with a greater spread are noise */
enum { CLEAR_REPETITIONS = 3 }; /* an engine with fewer repetitions cannot win */

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
    /* `sound` is above the median if only slow repetitions began together. */
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

static bool beats(const struct timing *t, const struct timing *native)
{
    return t->right && t->count >= CLEAR_REPETITIONS && !timing_noisy(t) && t->median * CLEAR_MARGIN <= native->median &&
           t->sound * CLEAR_MARGIN <= native->sound && t->quartile < native->median;
}

void tuning_pick(struct winner *w, const struct timing *timing, int count, const struct winner *before)
{
    const struct timing *best = &timing[0], *taken = NULL;
    for (int i = 1; i < count; i++)
        if (beats(&timing[i], &timing[0]) && timing[i].median < best->median)
            best = &timing[i];
    for (int i = 1; i < count; i++) {
        const struct timing *t = &timing[i];
        bool as_before = before && t->engine == before->engine && t->block == before->block;
        if (beats(t, &timing[0]) && t->median <= best->median * EQUAL_MARGIN && (!taken || as_before))
            taken = t;
    }
    if (!taken)
        taken = best;
    w->native = timing[0];
    w->taken = *taken;
    w->engine = timing_noisy(&timing[0]) ? NULL : taken->engine;
    w->block = taken->block;
}

static bool same_call(const struct winner *a, const struct winner *b)
{
    return a->collective == b->collective && a->op == b->op;
}

static bool same_rule(const struct winner *a, const struct winner *b)
{
    return same_call(a, b) && a->engine == b->engine && a->block == b->block;
}

/* Returns the geometric mean of two sizes, from 8K on in whole K. It is above a and at most b. */
static int64_t middle(int64_t a, int64_t b)
{
    double mean = sqrt((double)a * (double)b);
    int64_t bytes = mean < 8 << 10 ? (int64_t)mean : (int64_t)(mean / 1024 + 0.5) * 1024;
    return bytes <= a ? a + 1 : bytes > b ? b : bytes;
}

static void put_timing(FILE *f, const char *before, const struct timing *t)
{
    fprintf(f, "%s %s %.1f us (%d times, spread %.2f)", before, t->engine->name, t->median * 1e6, t->count, t->spread);
}

static void put_comment(FILE *f, const struct winner *w)
{
    fputs(w->engine ? "# " : "# ~", f);
    if (!w->engine) /* names the calls, as the next rule may be for other calls */
        fprintf(f, " %s %s ", collective_name(w->collective), op_word(w->op));
    size_put(f, w->bytes);
    put_timing(f, ":", &w->native);
    if (w->engine && w->engine != engines[0])
        put_timing(f, ",", &w->taken);
    fputs(w->engine ? "\n" : ": too noisy for a rule\n", f);
}

/* The conditions that all rules share. */
struct scope {
    int64_t largest;
    int ranks, node_ranks;
};

/*
 * Winners first .. last, which share a rule. `before` and `next` are their neighbours, winners for the same calls; -1 if
 * there is none.
 */
struct tuning_stretch {
    int before, first, last, next;
};

/* Finds the next stretch after winner number `from`. Skips sizes without a winner. Returns false if there is no stretch. */
static bool next_stretch(const struct winner *w, int count, int from, struct tuning_stretch *s)
{
    int i = from + 1;
    while (i < count && !w[i].engine)
        i++;
    if (i == count)
        return false;
    *s = (struct tuning_stretch){
        .before = from >= 0 && same_call(&w[from], &w[i]) ? from : -1, .first = i, .last = i, .next = -1};
    for (i++; i < count && same_call(&w[i], &w[s->first]) && s->next < 0; i++)
        if (w[i].engine && same_rule(&w[i], &w[s->first]))
            s->last = i;
        else if (w[i].engine)
            s->next = i;
    return true;
}

/*
 * Writes the rule of a stretch. Its sizes begin at the middle between the first size and the one before it. They end right
 * before the middle between the last size and the next one. Without such neighbours, they begin with the first size, and end
 * with the last size, or never if that is the largest.
 */
static void put_rule(FILE *f, const struct winner *w, const struct tuning_stretch *s, const struct scope *scope)
{
    const struct winner *first = &w[s->first], *last = &w[s->last];
    const int64_t most = s->next >= 0                    ? middle(last->bytes, w[s->next].bytes) - 1
                         : last->bytes >= scope->largest ? SIZE_INF
                                                         : last->bytes;
    struct rule rule = rule_for(first->collective, first->op, scope->ranks, scope->node_ranks, first->engine, first->block);
    rule.bytes = (struct span){s->before < 0 ? first->bytes : middle(w[s->before].bytes, first->bytes), most};
    rule_put(f, &rule);
}

void tuning_rules(FILE *f, const struct winner *w, int count, int64_t largest, int ranks, int node_ranks)
{
    const struct scope scope = {largest, ranks, node_ranks};
    struct tuning_stretch s = {.last = -1};
    int told = 0;
    while (next_stretch(w, count, s.last, &s)) {
        while (told <= s.last)
            put_comment(f, &w[told++]);
        put_rule(f, w, &s, &scope);
    }
    while (told < count)
        put_comment(f, &w[told++]);
}

struct tuning_summary tuning_sum_up(const struct winner *w, int count)
{
    struct tuning_summary sum = {.best = 1};
    struct tuning_stretch s = {.last = -1};
    while (next_stretch(w, count, s.last, &s)) {
        sum.rules++;
        sum.beating += w[s.first].engine != engines[0];
    }
    for (int i = 0; i < count; i++)
        if (!w[i].engine)
            sum.noisy++;
        else if (w[i].native.median > sum.best * w[i].taken.median)
            sum.best = w[i].native.median / w[i].taken.median;
    return sum;
}
