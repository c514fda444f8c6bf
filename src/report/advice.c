/* SPDX-License-Identifier: BSD-2-Clause */
/* The advice; see advice.h. */
#include "advice.h"

#include "advice_sums.h"
#include "columns.h"
#include "units.h"

#include <math.h>
#include <string.h>

enum { SITES = 5, TEXT = 64 }; /* SITES: that are shown */

static const double WORTH = 0.01; /* of the run: to save less is not worth the trouble */
static const double WAITED = 0.1; /* of the calls' time: to wait less is not worth a word */

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

/* Two digits, as in a sentence: "31 s", "4.2 ms". */
static const char *roughly(double seconds, char text[TEXT])
{
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    int i = 0;
    for (; i < 3 && seconds < 0.995; i++)
        seconds *= 1000;
    const double scale = seconds >= 9.95 ? pow(10, floor(log10(seconds)) - 1) : 0.1;
    snprintf(text, TEXT, "%.*f %s", scale < 1 ? 1 : 0, round(seconds / scale) * scale, unit[i]);
    return text;
}

static const char *percent(double x, char text[TEXT])
{
    if (x > 0 && x < 0.1)
        snprintf(text, TEXT, "less than 0.1 %%");
    else
        snprintf(text, TEXT, "%.*f %%", x < 9.95 ? 1 : 0, x);
    return text;
}

static const char *share(double part, const struct sums *s, char text[TEXT])
{
    return percent(s->run > 0 ? 100 * part / s->run : 0, text);
}

/* Why it would not help. */
static void put_reason(const struct job *j, const struct sums *s, FILE *f)
{
    char text[TEXT];
    if (s->calls < WORTH * s->run)
        fprintf(f, "the calls that it serves take %s of the run.\n", share(s->calls, s, text));
    else if (s->native[SORT_ALONE] > s->calls / 2)
        fprintf(f, "most calls are on communicators of one rank.\n");
    else if (s->native[SORT_SMALL] > s->calls / 2)
        fprintf(f, "most calls are too small (see PLEACH_THRESHOLD).\n");
    else if (s->waited > s->calls / 2)
        fprintf(f, "in the calls that it serves, ranks mostly wait for others that come later.\n");
    else if (j->nodes == 1)
        fprintf(f, "all ranks are on one node, where the native calls are fast.\n");
    else
        fprintf(f, "the native calls are predicted to be as fast.\n");
}

static void put_verdict(const struct job *j, const struct sums *s, FILE *f)
{
    char saved[TEXT], run[TEXT], part[TEXT];
    if (j->all.calls == 0) {
        fprintf(f, "Pleach would not help: the program made none of the calls that it serves.\n");
    } else if (s->saved >= WORTH * s->run) {
        fprintf(f, "Pleach would save about %s of %s (%s): use `mpiexec -n %d pleach run %s`.\n", roughly(s->saved, saved),
                roughly(s->run, run), share(s->saved, s, part), j->ranks ? j->ranks : j->told,
                *j->command ? j->command : "PROGRAM");
    } else if (s->native[SORT_KEPT] > s->calls / 2) {
        fprintf(f, "Cannot tell what Pleach would do: most calls were kept from it (%s).\n", reason_word(s->kept));
    } else if (s->native[SORT_CROWDED] >= WORTH * s->run) {
        fprintf(f, "Cannot tell what Pleach would do: more ranks than cores on a node, where no time tells anything.\n");
    } else if (s->saved > 0 && s->calls >= WORTH * s->run) {
        fprintf(f, "Pleach would hardly help: it would save about %s of %s (%s).\n", roughly(s->saved, saved),
                roughly(s->run, run), share(s->saved, s, part));
    } else {
        fprintf(f, "Pleach would not help: ");
        put_reason(j, s, f);
    }
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

enum { MOST = 8, NUMBERS = 7, COLUMNS = NUMBERS + 2 }; /* rows; columns of numbers; with two names */

struct table {
    int rows, columns; /* rows: with the heading */
    const char *cell[MOST + 1][COLUMNS];
    char text[MOST + 1][NUMBERS][UNITS_TEXT];
};

static void put_part(double part, double whole, char *text)
{
    snprintf(text, UNITS_TEXT, "%.1f%%", whole > 0 ? 100 * part / whole : 0);
}

/* Adds a row of calls that took `seconds` of all ranks, of which they `saved`; < 0: they are not served. */
static void add_row(struct table *t, const struct sums *s, int64_t calls, double bytes, double seconds, double saved)
{
    char(*text)[UNITS_TEXT] = t->text[t->rows];
    const char **cell = t->cell[t->rows++];
    int n = 0;
    snprintf(text[n++], UNITS_TEXT, "%lld", (long long)calls);
    size_about(bytes, text[n++]);
    time_about(seconds / s->ranks, text[n++]);
    put_part(seconds / s->ranks, s->run, text[n++]);
    if (saved > 0) {
        time_about((seconds - saved) / s->ranks, text[n++]);
        time_about(saved / s->ranks, text[n++]);
        put_part(saved / s->ranks, s->run, text[n++]);
    }
    for (int i = 0; i < n; i++)
        cell[i] = text[i];
}

static void begin_table(struct table *t, const char *const heading[COLUMNS])
{
    *t = (struct table){.rows = 1};
    for (; t->columns < COLUMNS && heading[t->columns]; t->columns++)
        t->cell[0][t->columns] = heading[t->columns];
}

static void put_table(const struct table *t, int width, FILE *f)
{
    const char *cell[(MOST + 1) * COLUMNS];
    for (int r = 0; r < t->rows; r++)
        for (int c = 0; c < t->columns; c++)
            cell[r * t->columns + c] = t->cell[r][c];
    fputc('\n', f);
    columns_put(f, t->rows, t->columns, cell, width);
}

static void put_collectives(const struct job *j, const struct sums *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS",  "BYTES", "NOW",    "OF RUN",
                                                 "PLEACH", "SAVED", "OF RUN", "COLLECTIVE"};
    struct table t;
    begin_table(&t, heading);
    for (int i = 0; i < j->groups[BY_COLLECTIVE] && t.rows <= MOST; i++) {
        const struct job_group *g = &j->group[BY_COLLECTIVE][i];
        t.cell[t.rows][NUMBERS] = collective_name(g->collective);
        add_row(&t, s, g->tally.calls, g->tally.bytes, g->tally.seconds, saved_by(j, (int)g->collective));
    }
    put_table(&t, width, f);
}

static void put_sites(const struct job *j, const struct sums *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS", "BYTES",  "NOW",        "OF RUN", "PLEACH",
                                                 "SAVED", "OF RUN", "COLLECTIVE", "SITE"};
    struct table t;
    struct tally rest = {0};
    double rest_saved = 0;
    begin_table(&t, heading);
    for (int i = 0; i < j->groups[BY_SITE]; i++) {
        const struct job_group *g = &j->group[BY_SITE][i];
        const double saved = saved_of(&g->tally, g->waited);
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

static void put_others(const struct job *j, const struct sums *s, int width, FILE *f)
{
    static const char *const heading[COLUMNS] = {"CALLS", "BYTES", "NOW", "OF RUN", "NOT SERVED"};
    struct table t;
    begin_table(&t, heading);
    for (int i = 0; i < j->others && t.rows <= MOST; i++) {
        const struct part_other *o = &j->other[i];
        t.cell[t.rows][t.columns - 1] = o->name;
        add_row(&t, s, o->calls, o->bytes, o->seconds, -1);
    }
    if (t.rows > 1)
        put_table(&t, width, f);
    if (j->others > MOST)
        fprintf(f, "... and %d more\n", j->others - MOST);
}

/* Where the model's figures come from. */
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
        fprintf(f, "from nominal figures, as nothing was measured: it is no more than a guess.\n");
}

/* What the numbers are, and what they rest on. */
static void put_basis(const struct job *j, const struct sums *s, FILE *f)
{
    const int missing = j->ranks - j->told;
    char text[TEXT];
    fprintf(f, "\nCalls and bytes of %d rank%s on %d node%s; times of a rank, on average.\n", j->told,
            j->told == 1 ? "" : "s", j->nodes, j->nodes == 1 ? "" : "s");
    if (missing > 0)
        fprintf(f, "%d rank%s not told.\n", missing, missing == 1 ? " has" : "s have");
    if (j->all.calls == 0)
        return;
    if (j->waited > WAITED)
        fprintf(f, "For %s of that time ranks waited for others that came later: no engine shortens that.\n",
                percent(100 * j->waited, text));
    if (s->served == 0) {
        fprintf(f, "No engine would have served a call.\n");
        return;
    }
    fprintf(f, "PLEACH is ");
    if (j->learned > 0)
        fprintf(f, "what trials of %d kind%s of calls took, and else ", j->learned, j->learned == 1 ? "" : "s");
    fprintf(f, "predicted by the model, ");
    put_figures(j, f);
}

bool advice_write(const struct job *j, int columns, FILE *f)
{
    const locale_t before = uselocale(c_locale());
    const struct sums s = sums_of(j);
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
