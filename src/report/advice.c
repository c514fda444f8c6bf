/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the advice; see advice.h. */
#include "advice.h"

#include "columns.h"
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

enum { MOST = 8, NUMBERS = 7, COLUMNS = NUMBERS + 2 }; /* most rows; columns of numbers; these, and two columns of names */

struct advice_table {
    int rows, columns; /* rows: the heading included */
    const char *cell[MOST + 1][COLUMNS];
    char text[MOST + 1][NUMBERS][UNITS_TEXT];
};

static void put_part(double part, double whole, char *text)
{
    snprintf(text, UNITS_TEXT, "%.1f%%", whole > 0 ? 100 * part / whole : 0);
}

/* Writes a time, which is negative if it is lost. */
static void put_time(double seconds, char *text)
{
    char time[UNITS_TEXT];
    snprintf(text, UNITS_TEXT, "%s%.20s", seconds < 0 ? "-" : "", time_about(fabs(seconds), time));
}

/*
 * Adds a row of calls. `seconds`: their time, summed over all ranks. `saved`: the part of it that engines would save; 0 if
 * no engine would serve the calls.
 */
static void add_row(struct advice_table *t, const struct advice_totals *s, int64_t calls, double bytes, double seconds,
                    double saved)
{
    char(*text)[UNITS_TEXT] = t->text[t->rows];
    const char **cell = t->cell[t->rows++];
    int n = 0;
    snprintf(text[n++], UNITS_TEXT, "%lld", (long long)calls);
    size_about(bytes, text[n++]);
    time_about(seconds / s->ranks, text[n++]);
    put_part(seconds / s->ranks, s->run, text[n++]);
    if (saved != 0) {
        time_about((seconds - saved) / s->ranks, text[n++]);
        put_time(saved / s->ranks, text[n++]);
        put_part(saved / s->ranks, s->run, text[n++]);
    }
    for (int i = 0; i < n; i++)
        cell[i] = text[i];
}

static void begin_table(struct advice_table *t, const char *const heading[COLUMNS])
{
    *t = (struct advice_table){.rows = 1};
    for (; t->columns < COLUMNS && heading[t->columns]; t->columns++)
        t->cell[0][t->columns] = heading[t->columns];
}

static void put_table(const struct advice_table *t, int width, FILE *f)
{
    const char *cell[(MOST + 1) * COLUMNS];
    for (int r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++)
            cell[r * t->columns + c] = t->cell[r][c];
    fputc('\n', f);
    columns_put(f, t->rows, t->columns, cell, width);
}

static void put_collectives(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS",  "BYTES", "NOW",    "OF RUN",
                                                 "PLEACH", "SAVED", "OF RUN", "COLLECTIVE"};
    struct advice_table t;
    begin_table(&t, heading);
    for (int i = 0; i < j->groups[BY_COLLECTIVE] && t.rows <= MOST; i++) {
        const struct job_group *g = &j->group[BY_COLLECTIVE][i];
        t.cell[t.rows][NUMBERS] = collective_name(g->collective);
        add_row(&t, s, g->tally.calls, g->tally.bytes, g->tally.seconds, claim_by(j, (int)g->collective).likely);
    }
    put_table(&t, width, f);
}

static void put_sites(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS", "BYTES",  "NOW",        "OF RUN", "PLEACH",
                                                 "SAVED", "OF RUN", "COLLECTIVE", "SITE"};
    struct advice_table t;
    struct tally rest = {0};
    double rest_saved = 0;
    begin_table(&t, heading);
    for (int i = 0; i < j->groups[BY_SITE]; i++) {
        const struct job_group *g = &j->group[BY_SITE][i];
        const double saved = claim_of(g).likely;
        if (!*g->site || t.rows > SITES) {
            tally_add(&rest, &g->tally);
            rest_saved += saved;
            continue;
        }
        t.cell[t.rows][NUMBERS] = collective_name(g->collective);
        t.cell[t.rows][NUMBERS + 1] = g->site;
        add_row(&t, s, g->tally.calls, g->tally.bytes, g->tally.seconds, saved);
    }
    if (t.rows == 1)
        return;
    if (rest.calls > 0) {
        t.cell[t.rows][NUMBERS] = "-";
        t.cell[t.rows][NUMBERS + 1] = JOB_OTHERS;
        add_row(&t, s, rest.calls, rest.bytes, rest.seconds, rest_saved);
    }
    put_table(&t, width, f);
}

static void put_others(const struct job *j, const struct advice_totals *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS", "BYTES", "NOW", "OF RUN", "NOT SERVED"};
    struct advice_table t;
    begin_table(&t, heading);
    for (int i = 0; i < j->others && t.rows <= MOST; i++) {
        const struct rank_other *o = &j->other[i];
        t.cell[t.rows][t.columns - 1] = o->name;
        add_row(&t, s, o->calls, o->bytes, o->seconds, 0);
    }
    if (t.rows > 1)
        put_table(&t, width, f);
    if (j->others > MOST)
        fprintf(f, "... and %d more\n", j->others - MOST);
}

/* Prints the source of the model's figures. */
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

/* Prints the meaning of the numbers, and their basis. */
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

bool advice_write(const struct job *j, int columns, FILE *f)
{
    const locale_t before = uselocale(c_locale());
    const struct advice_totals s = sums_of(j);
    put_verdict(j, &s, f);
    if (j->all.calls > 0) {
        put_collectives(j, &s, columns, f);
        put_sites(j, &s, columns, f);
    }
    put_others(j, &s, columns, f);
    if (j->all.calls > 0 || j->others > 0)
        put_basis(j, &s, f);
    uselocale(before);
    return !ferror(f);
}
