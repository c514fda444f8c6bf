/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach tune: the library learns from calls made here, and its rules go to a file. */
#include "agenda.h"
#include "cli.h"
#include "newfile.h"
#include "process.h"
#include "trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FACTOR = 4, PASSES = 3, WHY = 400 };

static const char NOISE[] = "too noisy for a rule";

struct tuned {
    struct agenda_item item;
    const char *lacks; /* why there is no rule, or NULL */
    double gains;      /* expected part of their time */
    struct rule rule;
};

/* ---- Settings -------------------------------------------------------------------------------------------------------- */

/* On all ranks: limits of trials, by settings, bits and cost. */
static void forget_settings(void)
{
    static struct settings initial;
    struct settings *s = &process.settings;
    char *const none[] = {NULL};
    settings_read(&initial, none, NULL, NULL);
    memcpy(s->engine, initial.engine, sizeof s->engine);
    memset(s->threshold, 0, sizeof s->threshold);
    memcpy(s->block, initial.block, sizeof s->block);
    s->reproducible = false;
    s->budget = INFINITY;
    snprintf(s->learn, sizeof s->learn, "%s", options.output);
    trials_freely();
    struct machine *m = &job.comm->known.machine;
    if (!m->oversubscribed)
        return;
    m->oversubscribed = 0; /* as the user wants it */
    job_measure();
}

/* ---- Engines that are left out --------------------------------------------------------------------------------------- */

static bool may_serve(const struct contest *t, int row)
{
    struct offer list[OFFERS_MOST];
    choose_list(&process.settings, NULL, &t->facts, list);
    return !list[row].barred || list[row].reference;
}

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

/* Calls that no engine may serve. The agenda is as by agenda_make(). Writes which named engines serve no size. */
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

static void limit_engines(void)
{
    for (int c = 0; c < COLLECTIVES; c++)
        process.settings.engine[c].rows = options.rows.bits | 1;
}

static bool learn_item(struct tuned *x, struct contest *t, const struct agenda_item *item, double seconds)
{
    bool right;
    const struct kind *k = contest_learn(t, seconds, &right);
    *x = (struct tuned){.item = *item};
    if (!right)
        x->lacks = "a result was wrong";
    else if (!k || k->candidates < 2)
        x->lacks = "nothing to compare";
    else if (k->state != KIND_SETTLED || !kind_teaches(k) || (kind_disturbed(k) && !options.force) ||
             !trials_rule(k, &t->facts, ORIGIN_TUNED, &x->rule))
        x->lacks = NOISE;
    else {
        const float now = kind_told(k, engine_row(t->candidate[1].timing.engine)).median,
                    best = kind_told(k, k->best).median;
        x->gains = now > best ? 1 - (double)(best / now) : 0;
    }
    if (!right)
        say("%s of %lld bytes: a result was wrong; there is no rule for this call", collective_name(item->collective),
            (long long)item->bytes);
    return right;
}

static int by_call(const void *a, const void *b)
{
    return agenda_by_call(&((const struct tuned *)a)->item, &((const struct tuned *)b)->item);
}

/* Rules of the same calls meet between sizes at most FACTOR apart; the last goes up to any. All roots count as measured. */
static void widen(struct tuned *x, int count, int64_t largest)
{
    for (int i = 0; i < count; i++) {
        struct span *own = &x[i].rule.bytes;
        if (x[i].lacks)
            continue;
        const bool follows = i > 0 && agenda_same_call(&x[i - 1].item, &x[i].item) && !x[i - 1].lacks &&
                             x[i].item.bytes <= FACTOR * x[i - 1].item.bytes;
        x[i].rule.roots = rule_blank.roots;
        if (follows) {
            struct span *before = &x[i - 1].rule.bytes;
            const int64_t middle = (int64_t)sqrt((double)x[i - 1].item.bytes * (double)x[i].item.bytes);
            before->most = own->least > before->most ? middle - 1 : before->most;
            own->least = before->most + 1;
        }
        if (x[i].item.bytes >= largest)
            own->most = SIZE_INF;
        if (own->least > own->most)
            x[i].lacks = "of the same size class as the size before";
    }
}

/* ---- The file -------------------------------------------------------------------------------------------------------- */

static void check_file(const char *name)
{
    char why[WHY] = "";
    if (process.rank == 0)
        newfile_possible(name, why, sizeof why);
    job_check(why);
}

static void put_header(FILE *f)
{
    const struct machine *m = &job.comm->known.machine;
    char date[40];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    fprintf(f,
            "pleach-rules %d\n"
            "# Written by pleach tune, %s\n"
            "# %d host%s, %d ranks, at most %d of them on a host\n"
            "# %s\n# Command: pleach tune",
            RULES_VERSION, date, m->nodes, plural(m->nodes), job.comm->ranks, m->node_ranks, job.mpi);
    for (char *const *word = job.arguments; *word; word++)
        fprintf(f, " %s", *word);
    fputs("\n# If PLEACH_THRESHOLD is not auto, calls below it stay native, whatever a rule says.\n", f);
}

static char *make_text(const struct tuned *x, int count)
{
    char *text = NULL, title[TITLE];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    put_header(f);
    for (int i = 0; i < count; i++)
        if (x[i].lacks) {
            fprintf(f, "# ~ %s ", agenda_title(&x[i].item, " ", title));
            size_put(f, x[i].item.bytes);
            fprintf(f, ": %s\n", x[i].lacks);
        } else
            rule_put(f, &x[i].rule);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

struct summary {
    int rules, beating, lacking;
    double best; /* native's over a rule's time; 1: native always wins */
};

static struct summary sum_up(const struct tuned *x, int count)
{
    struct summary sum = {.best = 1};
    for (int i = 0; i < count; i++) {
        const struct evidence *e = &x[i].rule.evidence;
        sum.rules += !x[i].lacks;
        sum.lacking += x[i].lacks != NULL;
        sum.beating += !x[i].lacks && x[i].rule.engine.rows != 1;
        if (!x[i].lacks && e->us > 0)
            sum.best = fmax(sum.best, e->native_us / e->us);
    }
    return sum;
}

/* False: not written; one without rules replaces none. */
static bool write_file(const char *name, const struct tuned *x, int count)
{
    char why[WHY] = "";
    const bool keeps = sum_up(x, count).rules == 0 && access(name, F_OK) == 0;
    if (process.rank == 0 && !keeps) {
        char *text = make_text(x, count);
        if (!text)
            snprintf(why, sizeof why, "out of memory");
        else
            newfile_write(name, text, why, sizeof why);
        free(text);
    }
    job_check(why);
    return !keeps;
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

struct tuned_row {
    const char *collective, *op, *engine, *lacks;
    int64_t bytes, block;
    double native, rule, native_over; /* ratio: native_over */
};

#define AT(field) offsetof(struct tuned_row, field)
static const struct table_column columns[] = {{"collective", "COLLECTIVE", VALUE_TEXT, AT(collective), NULL},
                                              {"op", "OPERATION", VALUE_TEXT, AT(op), NULL},
                                              {"bytes", NULL, VALUE_COUNT, AT(bytes), NULL},
                                              {NULL, "BYTES", VALUE_SIZE, AT(bytes), NULL},
                                              {"engine", "ENGINE", VALUE_ENGINE, AT(engine), NULL},
                                              {"block_bytes", NULL, VALUE_COUNT, AT(block), NULL},
                                              {NULL, "BLOCK", VALUE_SIZE, AT(block), NULL},
                                              {"native_seconds", "NATIVE", VALUE_TIME, AT(native), NULL},
                                              {"seconds", "TIME", VALUE_TIME, AT(rule), NULL},
                                              {"native_over", "NATIVE/TIME", VALUE_RATIO, AT(native_over), NULL},
                                              {"lacks", "NO RULE", VALUE_TEXT, AT(lacks), NULL},
                                              {0}};

static struct tuned_row row_of(const struct tuned *x)
{
    const struct agenda_item *item = &x->item;
    struct tuned_row r = {.collective = collective_name(item->collective),
                          .op = item->op == OP_NONE ? NULL : op_word(item->op),
                          .bytes = item->bytes,
                          .block = -1,
                          .native = -1,
                          .rule = -1,
                          .native_over = -1,
                          .lacks = x->lacks};
    if (x->lacks)
        return r;
    const struct evidence *e = &x->rule.evidence;
    const bool native = x->rule.engine.rows == 1;
    const double seconds = e->us > 0 ? e->us * 1e-6 : -1, other = e->native_us > 0 ? e->native_us * 1e-6 : -1;
    r.engine = engines[__builtin_ctzll(x->rule.engine.rows)]->name;
    r.block = x->rule.block ? x->rule.block : -1;
    r.native = native ? seconds : other;
    r.rule = seconds;
    r.native_over = r.native > 0 && seconds > 0 ? r.native / seconds : -1;
    return r;
}

static void print(const struct tuned *x, int count)
{
    struct document out;
    struct table t;
    if (process.rank != 0)
        return;
    cli_document(&out);
    table_open(&t, &out, "tuned", columns);
    for (int i = 0; i < count; i++) {
        const struct tuned_row r = row_of(&x[i]);
        table_row(&t, &r);
    }
    cli_table_end(&t);
    document_end(&out);
    fflush(stdout);
}

static void say_summary(const char *file, bool written, const struct tuned *x, int count)
{
    const struct summary sum = sum_up(x, count);
    char best[40] = "", noisy[80] = "";
    if (sum.beating)
        snprintf(best, sizeof best, ", best %.1f times", sum.best);
    if (sum.lacking)
        snprintf(noisy, sizeof noisy, "; %d size%s without a rule", sum.lacking, plural(sum.lacking));
    if (!sum.rules) {
        say("no rule%s; %s %s", count ? noisy : "; no engine was measured", file,
            written ? "has comments alone" : "stays as it was");
        return;
    }
    say("%d rule%s, %d beat%s native%s%s; use %s with PLEACH_RULES=%s", sum.rules, plural(sum.rules), sum.beating,
        sum.beating == 1 ? "s" : "", best, noisy, sum.rules == 1 ? "it" : "them", file);
}

static void say_gain(const struct tuned *x, int count)
{
    double spent = 0, saved = 0;
    char all[UNITS_TEXT], part[UNITS_TEXT];
    for (int i = 0; i < count; i++) {
        const double share = x[i].item.op == OP_NONE ? 1 : 1.0 / __builtin_popcountll(options.ops.bits);
        spent += share * x[i].item.seconds;
        saved += share * x[i].item.seconds * x[i].gains;
    }
    say("in the calls of %s, which took %s a rank, these rules are expected to save %s", options.report,
        time_about(spent, all), time_about(saved, part));
}

/* Again if noisy, while there is time. Returns the items done. Clears *right after a wrong result. */
static int learn_all(struct tuned *x, const struct agenda *a, struct contest *t, bool *right)
{
    int done = 0;
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < (pass ? done : a->count); i++) {
            if (pass && x[i].lacks != NOISE)
                continue;
            if (!agenda_open(a, i, t))
                return done;
            *right &= learn_item(&x[i], t, &a->item[i], agenda_share(a, i));
            contest_close(t);
            if (job.interrupted)
                return done;
            done += !pass;
        }
    return done;
}

int tune(void)
{
    static struct agenda agenda;
    static struct contest trial;
    static struct tuned tuned[MOST_ITEMS];
    int i;
    bool right = true;
    const char *file = options.output;
    check_file(file);
    const struct machine *m = &job.comm->known.machine;
    if (m->noisy[m->nodes > 1 ? LINK_NETWORK : LINK_NODE] && !options.force) /* rules made by noise may slow a program */
        job_stop(STATUS_FAILED,
                 "the times are disturbed, so there are no rules: repeat it on an idle machine, or with --force");
    forget_settings();
    if (options.report)
        agenda_of_report(&agenda, options.report);
    else
        agenda_make(&agenda, FACTOR);
    const int64_t largest = options.report ? SIZE_INF : agenda.item[agenda.count - 1].bytes;
    leave_out(&agenda, &trial);
    limit_engines();
    agenda_by_size(&agenda);
    i = learn_all(tuned, &agenda, &trial, &right);
    if (job.interrupted && i == 0)
        job_stop(job_interrupted_status(), "interrupted before anything was measured; no rules are written");
    const int status = agenda_end(&agenda, i, right, "measurements");
    qsort(tuned, (size_t)i, sizeof tuned[0], by_call);
    widen(tuned, i, largest);
    const bool written = write_file(file, tuned, i);
    print(tuned, i);
    say_summary(file, written, tuned, i);
    if (options.report && i > 0)
        say_gain(tuned, i);
    return status;
}
