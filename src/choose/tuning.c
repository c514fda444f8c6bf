/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From times to rules; see tuning.h.
 *
 * Times of the same call differ from one repetition to the next, most of all upwards. An engine beats native clearly if both
 * its median and its fastest repetition are well below native's, and three quarters of its repetitions were faster than
 * native's median. The fastest ones say what is possible where a busy machine has spoilt the medians. Where nothing is
 * clear, the rule says native: a rules file must never make a program slower. The fastest repetition is one on which all
 * ranks began together: where one comes late, the others' part of the call may be over by then.
 */
#include "tuning.h"

#include "constants.h"
#include "units.h"

#include <math.h>
#include <stdlib.h>

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
}

static bool beats(const struct timing *t, const struct timing *native)
{
    return t->right && t->count >= CLEAR_REPETITIONS && t->median * CLEAR_MARGIN <= native->median &&
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
    w->engine = taken->engine;
    w->block = taken->block;
    w->native = timing[0].median;
    w->seconds = taken->median;
}

static bool same_call(const struct winner *a, const struct winner *b)
{
    return a->collective == b->collective && a->op == b->op;
}

static bool same_rule(const struct winner *a, const struct winner *b)
{
    return same_call(a, b) && a->engine == b->engine && a->block == b->block;
}

/* The geometric middle of two sizes, in whole K if that is no great change. */
static int64_t middle(int64_t a, int64_t b)
{
    double bytes = sqrt((double)a * (double)b);
    return bytes < 8 << 10 ? (int64_t)bytes : (int64_t)(bytes / 1024 + 0.5) * 1024;
}

static void put_size(FILE *f, int64_t bytes)
{
    char text[UNITS_TEXT];
    size_print(bytes, text, sizeof text);
    fputs(text, f);
}

static void put_comment(FILE *f, const struct winner *w)
{
    fputs("# ", f);
    put_size(f, w->bytes);
    fprintf(f, ": native %.1f us", w->native * 1e6);
    if (w->engine != engines[0])
        fprintf(f, ", %s %.1f us", w->engine->name, w->seconds * 1e6);
    fputc('\n', f);
}

/* What all rules say of their calls. */
struct scope {
    int64_t largest;
    int ranks, node_ranks;
};

/* The rule for the winners first .. last of `count`, which agree. It meets its neighbours in the middle. */
static void put_rule(FILE *f, const struct winner *w, int first, int last, int count, const struct scope *scope)
{
    bool folds = w[first].op != OP_NONE;
    bool begins = first == 0 || !same_call(&w[first - 1], &w[first]);
    bool ends = last + 1 == count || !same_call(&w[last], &w[last + 1]);
    for (int i = first; i <= last; i++)
        put_comment(f, &w[i]);
    fprintf(f, "collective=%s%s%s bytes=", collective_name(w[first].collective), folds ? " op=" : "",
            folds ? op_word(w[first].op) : "");
    put_size(f, begins ? w[first].bytes : middle(w[first - 1].bytes, w[first].bytes));
    fputc('-', f);
    if (ends && w[last].bytes >= scope->largest)
        fputs("inf", f);
    else
        put_size(f, ends ? w[last].bytes : middle(w[last].bytes, w[last + 1].bytes));
    fprintf(f, " ranks=%d ranks-per-node=%d -> engine=%s", scope->ranks, scope->node_ranks, w[first].engine->name);
    if (w[first].block) {
        fputs(" block=", f);
        put_size(f, w[first].block);
    }
    fputc('\n', f);
}

void tuning_rules(FILE *f, const struct winner *w, int count, int64_t largest, int ranks, int node_ranks)
{
    const struct scope scope = {largest, ranks, node_ranks};
    for (int first = 0, last; first < count; first = last + 1) {
        for (last = first; last + 1 < count && same_rule(&w[first], &w[last + 1]);)
            last++;
        put_rule(f, w, first, last, count, &scope);
    }
}
