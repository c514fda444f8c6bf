/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach tune: measures native calls and engines, and writes a file of rules; see pleach-rules(5). */
#include "agenda.h"
#include "busy.h"
#include "process.h"
#include "tuned_rules.h"

#include <stdlib.h>
#include <string.h>

enum { FACTOR = 4, LEAST_BLOCK = 1 << 10, MOST_BLOCK = 1 << 20 };

/*
 * Sets engines, blocks and groups back to their defaults on all ranks, and thresholds to 0, so that settings do not limit
 * tuning.
 */
static void forget_settings(void)
{
    static struct settings initial;
    struct settings *s = &process.settings;
    char *const none[] = {NULL};
    settings_read(&initial, none, NULL, NULL);
    memcpy(s->engine, initial.engine, sizeof s->engine);
    memset(s->threshold, 0, sizeof s->threshold);
    memcpy(s->block, initial.block, sizeof s->block);
}

/* ---- Engines that are left out --------------------------------------------------------------------------------------- */

/* Does the engine fit, and may the library choose it? An engine that is only for comparison (reference) counts, too. */
static bool may_serve(const struct contest *t, int row)
{
    struct offer list[OFFERS_MOST];
    choose_list(&process.settings, NULL, &t->facts, list);
    return !list[row].barred || list[row].reference;
}

/* Returns the engines of --engine that may serve a call like `item`, as bits. */
static uint64_t engines_for(const struct agenda_item *item, struct contest *t)
{
    uint64_t serving = 0;
    contest_open(t, item->collective, item->op, item->bytes, 0);
    for (int row = 1; engines[row]; row++)
        if (options.rows.bits >> row & 1 && may_serve(t, row))
            serving |= (uint64_t)1 << row;
    contest_close(t);
    return serving;
}

/* Writes the engines of --engine that serve none of the calls like `item`. */
static void write_idle(FILE *f, const struct agenda_item *item, uint64_t serving)
{
    int idle = 0;
    char title[TITLE];
    for (int row = 1; engines[row]; row++)
        if (options.rows.bits >> row & 1 && !(serving >> row & 1))
            fprintf(f, "%s%s", idle++ ? ", " : "; ", engines[row]->name);
    if (idle)
        fprintf(f, " for %s", agenda_title(item, " ", title));
}

/*
 * Removes from the agenda the calls that no engine may serve. The agenda is in the order of agenda_make(). If the user has
 * named engines, the function also writes which of them may not serve some calls, whatever their size.
 */
static void leave_out(struct agenda *a, struct contest *t)
{
    char *text = NULL;
    size_t size;
    int kept = 0, end;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        job_abort("out of memory");
    for (int first = 0; first < a->count; first = end) {
        const struct agenda_item call = a->item[first];
        uint64_t serving = 0;
        for (end = first; end < a->count && agenda_same_call(&call, &a->item[end]); end++) {
            const uint64_t now = engines_for(&a->item[end], t);
            serving |= now;
            if (now)
                a->item[kept++] = a->item[end];
        }
        write_idle(f, &call, serving);
    }
    fclose(f);
    a->count = kept;
    if (kept == 0)
        job_stop(STATUS_USAGE, "none of the engines may serve any of these calls");
    if (options.rows.bits != EVERY_ENGINE && size > 2)
        say("the library would not choose these engines, so tune does not measure them: %s", text + 2);
    free(text);
}

/* ---- Measuring ------------------------------------------------------------------------------------------------------- */

/*
 * Returns a power of two: the one nearest to `fixed`, which choose_block() gives, or if that is 0, to the size of the plan's
 * blocks. If several blocks fill one cell, their size together counts, as in rules.
 */
static int64_t modelled_block(const struct contest *t, const struct plan *plan, int64_t fixed)
{
    const struct facts *f = &t->facts;
    const bool slices = plan->engine->serves[f->collective].segment.cells == CELLS_SLICES;
    const int64_t largest = ceil_div(f->units, plan->blocks) * (f->bytes / f->units) * (slices ? plan->wide : 1);
    const int64_t best = fixed ? fixed : largest;
    int64_t block = LEAST_BLOCK;
    while (block < MOST_BLOCK && block * block * 2 < best * best)
        block *= 2;
    return block;
}

static bool same_cut(const struct contender *a, const struct contender *b)
{
    return a->operation.plan.blocks == b->operation.plan.blocks && a->operation.plan.wide == b->operation.plan.wide;
}

/* Adds a contender. Drops it if contenders from `first` on have one that cuts the message likewise. */
static void add_cut(struct contest *t, int row, int64_t block, int first)
{
    const int last = t->contenders;
    contest_add(t, row, block);
    for (int i = first; i < last && t->contenders > last; i++)
        if (same_cut(&t->contender[i], &t->contender[last]))
            contest_drop(t);
}

/*
 * Adds an engine three times: with blocks of the model's size, half and twice that size. If the engine's own cut depends on
 * no figure, this cut comes first, and needs no size in a rule. Adds an algorithm of the MPI library once.
 */
static void add_engine(struct contest *t, int row)
{
    const struct plan plan = choose_row(&process.settings, NULL, &t->facts, row);
    const int64_t fixed = choose_block(&process.settings, &t->facts, &plan);
    const int first = t->contenders;
    if (!fixed)
        add_cut(t, row, 0, first);
    if (engine_by_mpi(engines[row]))
        return;
    const int64_t block = modelled_block(t, &plan, fixed);
    for (int64_t b = block / 2; b <= 2 * block; b *= 2)
        add_cut(t, row, b, first);
}

/* Measures native, and the engines of --engine that may serve. Returns false if the job was interrupted. */
static bool measure_item(struct contest *t, double seconds)
{
    contest_add(t, 0, 0);
    for (int row = 1; engines[row]; row++)
        if (options.rows.bits >> row & 1 && may_serve(t, row))
            add_engine(t, row);
    return t->contenders == 1 || contest_run(t, 0, seconds, true);
}

/*
 * Sets *w to the winner of this item. The winners of `count` earlier items precede w in its array. Returns false if a result
 * was wrong.
 */
static bool pick(const struct contest *t, const struct agenda_item *item, struct winner *w, int count)
{
    struct timing timing[MOST_CONTENDERS];
    const struct winner *before = NULL;
    bool right = true;
    contest_timings(t, timing);
    for (int i = 0; i < t->contenders; i++) {
        const bool said = i > 0 && timing[i].engine == timing[i - 1].engine && !timing[i - 1].right;
        right &= timing[i].right;
        if (timing[i].right || said)
            continue;
        say("%s delivered a wrong result for %s of %lld bytes; this measurement makes no rule", timing[i].engine->name,
            collective_name(item->collective), (long long)item->bytes);
    }
    for (int i = 1; i <= count; i++)
        if (w[-i].collective == item->collective && w[-i].op == item->op) {
            before = &w[-i];
            break;
        }
    *w = (struct winner){.collective = item->collective, .op = item->op, .bytes = item->bytes};
    tuning_pick(w, timing, t->contenders, before);
    return right;
}

static int by_call(const void *a, const void *b)
{
    const struct winner *x = a, *y = b;
    if (x->collective != y->collective || x->op != y->op)
        return x->collective != y->collective ? (int)x->collective - (int)y->collective : (int)x->op - (int)y->op;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void say_summary(const char *file, bool written, const struct winner *w, int count)
{
    const struct tuning_summary sum = tuning_sum_up(w, count);
    char best[40] = "", noisy[80] = "";
    if (sum.beating)
        snprintf(best, sizeof best, ", best %.1f times", sum.best);
    if (sum.noisy)
        snprintf(noisy, sizeof noisy, "; %d size%s too noisy for a rule", sum.noisy, sum.noisy == 1 ? " was" : "s were");
    if (!sum.rules) {
        say("no rule%s; %s %s", count ? noisy : "; no engine was measured", file,
            written ? "has comments alone" : "stays as it was");
        return;
    }
    say("%d rule%s, %d beat%s native%s%s; use %s with PLEACH_RULES=%s", sum.rules, plural(sum.rules), sum.beating,
        sum.beating == 1 ? "s" : "", best, noisy, sum.rules == 1 ? "it" : "them", file);
}

/* A rule that noise has made may slow a program down. So there are none, unless the user asks for them. */
static void refuse_noise(bool disturbed)
{
    if (disturbed && !options.force)
        job_stop(STATUS_FAILED,
                 "the times are disturbed, so there are no rules: repeat it on an idle machine, or with --force");
}

int tune(void)
{
    static struct agenda agenda;
    static struct contest trial;
    static struct winner winner[MOST_ITEMS];
    int i = 0, count = 0; /* items done; winners (an item has none if engines lacked memory) */
    bool measured = true, right = true;
    const char *file = options.output;
    tuned_rules_check(file);
    refuse_noise(job.disturbed);
    forget_settings();
    agenda_make(&agenda, FACTOR);
    leave_out(&agenda, &trial);
    agenda_by_size(&agenda);
    while (i < agenda.count && measured && agenda_open(&agenda, i, &trial)) {
        measured = measure_item(&trial, agenda_share(&agenda, i));
        if (measured && trial.contenders > 1) {
            right &= pick(&trial, &agenda.item[i], &winner[count], count);
            count++;
        }
        i += measured;
        contest_close(&trial);
    }
    const bool disturbed = busy_since();
    if (job.interrupted && count == 0)
        job_stop(job_interrupted_status(), "interrupted before anything was measured; no rules are written");
    refuse_noise(disturbed);
    const int status = agenda_end(&agenda, i, right, "measurements");
    qsort(winner, (size_t)count, sizeof winner[0], by_call);
    const bool written = tuned_rules_write(file, winner, count, agenda.item[agenda.count - 1].bytes);
    say_summary(file, written, winner, count);
    return status;
}
