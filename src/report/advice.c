/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the advice; see advice.h. */
#include "advice.h"

#include "columns.h"
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

/* Writes four cells about calls that took `seconds`, summed over all ranks. */
static void put_calls(FILE *f, const struct advice_totals *s, int64_t calls, double bytes, double seconds)
{
    char share[UNITS_TEXT];
    fprintf(f, "%lld\t", (long long)calls);
    columns_size(f, bytes);
    columns_time(f, seconds / s->ranks);
    fprintf(f, "%s\t", share_about(seconds / s->ranks, s->run, share));
}

/*
 * Writes the four cells about some calls, then three about the part of their seconds that engines would save. The three are
 * empty if `saved` is 0.
 */
static void put_saved(FILE *f, const struct advice_totals *s, const struct tally *t, double saved)
{
    char time[UNITS_TEXT], share[UNITS_TEXT];
    put_calls(f, s, t->calls, t->bytes, t->seconds);
    if (saved == 0) {
        fputs("\t\t\t", f);
        return;
    }
    columns_time(f, (t->seconds - saved) / s->ranks);
    fprintf(f, "%s%s\t%s\t", saved < 0 ? "-" : "", time_about(fabs(saved / s->ranks), time),
            share_about(saved / s->ranks, s->run, share));
}

static bool put_collectives(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    struct columns table;
    FILE *t = columns_begin(&table);
    if (!t)
        return false;
    fputs("CALLS\tBYTES\tNOW\tOF RUN\tPLEACH\tSAVED\tOF RUN\tCOLLECTIVE\n", t);
    for (int i = 0; i < j->groups[BY_COLLECTIVE] && i < MOST; i++) {
        const struct job_group *g = &j->group[BY_COLLECTIVE][i];
        put_saved(t, s, &g->tally, saved_by(j, g->collective));
        fprintf(t, "%s\n", collective_name(g->collective));
    }
    putc('\n', f);
    return columns_end(&table, f, width);
}

static bool put_sites(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    const struct job_group *shown[SITES];
    double saved[SITES + 1] = {0}; /* the last one: of all calls from sites that are not shown */
    struct columns table;
    struct tally rest = {0};
    int rows = 0;
    FILE *t = columns_begin(&table);
    if (!t)
        return false;
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
    fputs("CALLS\tBYTES\tNOW\tOF RUN\tPLEACH\tSAVED\tOF RUN\tCOLLECTIVE\tSITE\n", t);
    for (int i = 0; i < rows; i++) {
        put_saved(t, s, &shown[i]->tally, saved[i]);
        fprintf(t, "%s\t%s\n", collective_name(shown[i]->collective), shown[i]->site);
    }
    if (rest.calls > 0) {
        put_saved(t, s, &rest, saved[SITES]);
        fputs("\t" JOB_OTHERS "\n", t);
    }
    if (rows > 0)
        putc('\n', f);
    return columns_end(&table, rows > 0 ? f : NULL, width);
}

static bool put_others(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    struct columns table;
    FILE *t = j->others > 0 ? columns_begin(&table) : NULL;
    if (!t)
        return j->others == 0;
    fputs("CALLS\tBYTES\tNOW\tOF RUN\tNOT SERVED\n", t);
    for (const struct rank_other *o = j->other; o < j->other + j->others && o < j->other + MOST; o++) {
        put_calls(t, s, o->calls, o->bytes, o->seconds);
        fprintf(t, "%s\n", o->name);
    }
    putc('\n', f);
    const bool good = columns_end(&table, f, width);
    if (j->others > MOST)
        fprintf(f, "... and %d more\n", j->others - MOST);
    return good;
}

static void put_figures(const struct job *j, FILE *f)
{
    static const char *const given[] = {"PLEACH_ALPHA=", "PLEACH_BETA=", "PLEACH_GAMMA="};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (strstr(j->settings, given[i])) {
            fprintf(f, "from figures that were set (%.*s).\n", (int)strlen(given[i]) - 1, given[i]);
            return;
        }
    if (*j->note)
        fprintf(f, "from measured figures (%s).\n", j->note);
    else
        fprintf(f, "from nominal figures, as nothing was measured: this is no more than a guess.\n");
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

bool advice_write(const struct job *j, int columns, FILE *f)
{
    const locale_t before = uselocale(c_locale());
    const struct advice_totals s = sums_of(j);
    put_verdict(j, &s, f);
    const bool good = (j->all.calls == 0 || (put_collectives(j, &s, columns, f) && put_sites(j, &s, columns, f))) &&
                      put_others(j, &s, columns, f);
    if (j->all.calls > 0 || j->others > 0)
        put_basis(j, &s, f);
    put_faults(j, &s, f);
    put_spent(j, f);
    uselocale(before);
    return good && !ferror(f);
}
