/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the advice; see advice.h. */
#include "advice.h"

#include "faults.h"
#include "phrases.h"
#include "units.h"
#include "verdict.h"

#include <math.h>
#include <string.h>

enum { SITES = 5, SENTENCE = 512 }; /* SITES: call sites that are shown */

static const double WAITED = 0.1; /* the advice does not mention waiting below this part of the calls' time */

static const char how[] = "put `pleach run` where `pleach advise` stands";

static void put_verdict(const struct job *j, const struct advice_totals *s, FILE *f)
{
    char text[SENTENCE];
    verdict(j, s, how, text, sizeof text);
    fprintf(f, "%s\n", text);
    if (j->crowded && !strstr(text, CROWDED))
        fprintf(f, "Beware: there are " CROWDED ".\n");
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

enum { MOST = 8 }; /* most rows */

struct advised {
    int64_t calls;
    double bytes, now, pleach, saved; /* seconds of a rank; NaN: unknown */
    char share[UNITS_TEXT], saved_share[UNITS_TEXT];
    const char *share_text, *saved_text, *collective, *site;
};

#define AT(field) offsetof(struct advised, field)
static const struct table_column columns[] = {
    {NULL, "CALLS", VALUE_COUNT, AT(calls), NULL},      {NULL, "BYTES", VALUE_BYTES, AT(bytes), NULL},
    {NULL, "NOW", VALUE_TIME, AT(now), NULL},           {NULL, "OF RUN", VALUE_TEXT, AT(share_text), NULL},
    {NULL, "PLEACH", VALUE_TIME, AT(pleach), NULL},     {NULL, "SAVED", VALUE_SAVED, AT(saved), NULL},
    {NULL, "OF RUN", VALUE_TEXT, AT(saved_text), NULL}, {NULL, "COLLECTIVE", VALUE_TEXT, AT(collective), NULL},
    {NULL, "SITE", VALUE_SITE, AT(site), NULL},         {NULL, "NOT SERVED", VALUE_TEXT, AT(collective), NULL}};
enum { NOW = 4, WITHOUT_SITE = 8, WITH_SITE = 9, NOT_SERVED = 9 }; /* columns before these */

/* Adds calls that took `seconds`, of which `saved` are saved, summed over all ranks; saved 0: unknown. */
static void put_calls(struct table *t, const struct advice_totals *s, const struct tally *calls, double saved,
                      const char *collective, const char *site)
{
    struct advised r = {.calls = calls->calls,
                        .bytes = calls->bytes,
                        .now = calls->seconds / s->ranks,
                        .pleach = saved == 0 ? -1 : (calls->seconds - saved) / s->ranks,
                        .saved = saved == 0 ? NAN : saved / s->ranks,
                        .collective = collective,
                        .site = site};
    r.share_text = share_about(r.now, s->run, r.share);
    r.saved_text = saved == 0 ? NULL : share_about(r.saved, s->run, r.saved_share);
    table_row(t, &r);
}

/* Begins a table: the first columns, then `last` if it is not NULL. */
static void open_table(struct table *t, struct document *in, int first, const struct table_column *last)
{
    const struct table_column *shown[sizeof columns / sizeof columns[0]];
    for (int i = 0; i < first; i++)
        shown[i] = &columns[i];
    shown[first] = last;
    table_begin(t, in, "advice", shown, first + (last != NULL));
}

static bool put_collectives(const struct job *j, const struct advice_totals *s, struct document *in)
{
    struct table t;
    open_table(&t, in, WITHOUT_SITE, NULL);
    for (int i = 0; i < j->groups[BY_COLLECTIVE] && i < MOST; i++) {
        const struct job_group *g = &j->group[BY_COLLECTIVE][i];
        put_calls(&t, s, &g->tally, saved_by(j, g->collective), collective_name(g->collective), NULL);
    }
    putc('\n', in->f);
    return table_end(&t);
}

static bool put_sites(const struct job *j, const struct advice_totals *s, struct document *in)
{
    const struct job_group *shown[SITES];
    double saved[SITES + 1] = {0}; /* the last one: of all calls from sites that are not shown */
    struct table t;
    struct tally rest = {0};
    int rows = 0;
    for (const struct job_group *g = j->group[BY_SITE]; g < j->group[BY_SITE] + j->groups[BY_SITE]; g++)
        if (*g->site && rows < SITES)
            shown[rows++] = g;
        else
            tally_add(&rest, &g->tally);
    for (const struct job_group *p = j->group[BY_SIZE_AND_SITE]; p < parts_end(j); p++) {
        int row = 0;
        while (row < rows && (p->collective != shown[row]->collective || strcmp(p->site, shown[row]->site) != 0))
            row++;
        saved[row < rows ? row : SITES] += claim_of(j, p).likely;
    }
    if (rows == 0)
        return true;
    open_table(&t, in, WITH_SITE, NULL);
    for (int i = 0; i < rows; i++)
        put_calls(&t, s, &shown[i]->tally, saved[i], collective_name(shown[i]->collective), shown[i]->site);
    if (rest.calls > 0)
        put_calls(&t, s, &rest, saved[SITES], NULL, JOB_OTHERS);
    putc('\n', in->f);
    return table_end(&t);
}

static bool put_others(const struct job *j, const struct advice_totals *s, struct document *in)
{
    struct table t;
    if (j->others == 0)
        return true;
    open_table(&t, in, NOW, &columns[NOT_SERVED]);
    for (const struct rank_other *o = j->other; o < j->other + j->others && o < j->other + MOST; o++)
        put_calls(&t, s, &(struct tally){.calls = o->calls, .bytes = o->bytes, .seconds = o->seconds}, 0, o->name, NULL);
    putc('\n', in->f);
    const bool good = table_end(&t);
    if (j->others > MOST)
        fprintf(in->f, "... and %d more\n", j->others - MOST);
    return good;
}

static void put_figures(const struct job *j, FILE *f)
{
    static const char *const given[] = {"PLEACH_ALPHA=", "PLEACH_BETA=", "PLEACH_GAMMA="};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (strstr(j->settings, given[i])) {
            fprintf(f, "from parameters that were set (%.*s).\n", (int)strlen(given[i]) - 1, given[i]);
            return;
        }
    if (*j->note)
        fprintf(f, "from measured parameters (%s).\n", j->note);
    else
        fprintf(f, "from nominal parameters, as nothing was measured: this is no more than a guess.\n");
}

/* Prints the source of PLEACH and SAVED, and the reason for the range in the first line. */
static void put_source(const struct job *j, const struct advice_totals *s, FILE *f)
{
    if (s->tried)
        fprintf(f, "PLEACH is the time of trials beside such calls%s", s->modelled ? ", or else " : ".\n");
    if (s->modelled) {
        fprintf(f, "%sthe prediction of the model, ", s->tried ? "" : "PLEACH is ");
        put_figures(j, f);
        fprintf(f, "The model may err by a factor of 2, or by its error for the native calls, if that is larger.\n");
    }
    if (s->saved.unclear > 0)
        fprintf(f, "If the times of calls vary by more than engines would save, nothing counts as saved.\n");
}

/* Prints what Pleach has spent on measuring and on trials. */
static void put_spent(const struct job *j, FILE *f)
{
    char fact[PHRASE_FACT];
    if (*phrase_measuring(j, fact))
        fprintf(f, "This run spent %s.\n", fact);
    if (*phrase_trials(j, fact))
        fprintf(f, "This run spent %s.\n", fact);
}

static void put_basis(const struct job *j, const struct advice_totals *s, FILE *f)
{
    const int missing = j->ranks - j->reported;
    char text[PHRASE];
    fprintf(f, "\nCalls and bytes of %d rank%s on %d node%s; times of a rank, on average.\n", j->reported,
            plural(j->reported), j->nodes, plural(j->nodes));
    if (missing > 0)
        fprintf(f, "%d rank%s not reported.\n", missing, missing == 1 ? " has" : "s have");
    if (j->all.calls == 0)
        return;
    if (j->waited > WAITED)
        fprintf(f, "For %s of the calls' time, ranks waited for others that came later: no engine shortens that.\n",
                phrase_share(j->waited, 1, text));
    if (s->served == 0 && !s->tried) {
        fprintf(f, "No engine would have served a call.\n");
        return;
    }
    put_source(j, s, f);
}

/* Says what the program would gain without Pleach. */
static void put_faults(const struct job *j, const struct advice_totals *s, FILE *f)
{
    char time[PHRASE], share[PHRASE];
    if (j->faulted / s->ranks < WORTH * s->run)
        return;
    fprintf(
        f,
        "\nNative calls took %.0f page faults a rank, about %s, which is %s of the run. Many such faults come of glibc,\n"
        "which gives freed memory back to the system. These variables keep it, and may save that time without Pleach:\n"
        "    " FAULTS_REMEDY "\n",
        j->faults / s->ranks, phrase_time(j->faulted / s->ranks, time), phrase_share(j->faulted / s->ranks, s->run, share));
}

bool advice_write(const struct job *j, int width, FILE *f)
{
    const locale_t before = uselocale(c_locale());
    const struct advice_totals s = sums_of(j);
    struct document out;
    document_begin(&out, TABLE_TEXT, f, width);
    put_verdict(j, &s, f);
    const bool good =
        (j->all.calls == 0 || (put_collectives(j, &s, &out) && put_sites(j, &s, &out))) && put_others(j, &s, &out);
    if (j->all.calls > 0 || j->others > 0)
        put_basis(j, &s, f);
    put_faults(j, &s, f);
    put_spent(j, f);
    uselocale(before);
    return good && !ferror(f);
}
