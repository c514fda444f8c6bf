/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The advice; see advice.h.
 *
 * Of calls that an engine would have served, the native and the engine's seconds are predicted. A prediction may be off by
 * the same factor for both, so their ratio alone counts: it is applied to the seconds that the calls took. What ranks wait
 * for each other no engine shortens, so that stays. No saving is below 0: who predicts that leaves the call native.
 */
#include "advice.h"

#include "units.h"

#include <math.h>
#include <string.h>

/* SITES: that are shown. OTHERS: likewise. */
enum { SITES = 5, OTHERS = 8, TEXT = 64 };

static const double WORTH = 0.01; /* of the run: to save less is not worth the trouble */

/* Why calls stay native, in sorts that the user has to be told apart. */
enum sort { SORT_SMALL, SORT_FAST, SORT_CROWDED, SORT_ALONE, SORT_KEPT, SORTS };

/* What the tables say, of a rank on average. */
struct sums {
    double ranks, run, calls, saved; /* run, calls: seconds of the run and of the calls that are served */
    double native[SORTS];            /* seconds of calls that would have stayed native */
    enum reason kept;                /* why most of SORT_KEPT do */
    double waited;                   /* seconds of the calls' */
};

static enum sort sort_of(enum reason r)
{
    switch (r) {
    case REASON_BELOW_THRESHOLD:
    case REASON_ZERO_BYTES:
        return SORT_SMALL;
    case REASON_OVERSUBSCRIBED:
        return SORT_CROWDED;
    case REASON_ONE_RANK:
        return SORT_ALONE;
    case REASON_DISABLED:
    case REASON_BAD_SETTING:
    case REASON_MISMATCH:
    case REASON_BAD_RULES:
    case REASON_NO_CONTEXT:
    case REASON_NO_MEMORY:
    case REASON_INTERCOMM:
    case REASON_INVALID:
    case REASON_NOT_APPLICABLE:
        return SORT_KEPT;
    default:
        return SORT_FAST;
    }
}

/* ---- Sums ------------------------------------------------------------------------------------------------------------ */

/* Seconds that all ranks would save together in calls of which a part was waited. */
static double saved_of(const struct tally *t, double waited)
{
    if (!(t->native > 0) || t->engine >= t->native)
        return 0;
    return t->predicted * (1 - fmax(waited, 0)) * (1 - t->engine / t->native);
}

/* Those of a collective, or of all (COLLECTIVES): calls of about the same size have about the same ratio. */
static double saved_by(const struct job *j, int collective)
{
    double saved = 0;
    for (const struct job_group *g = j->group[BY_SIZE]; g < j->group[BY_SIZE] + j->groups[BY_SIZE]; g++)
        if (collective == COLLECTIVES || (int)g->collective == collective)
            saved += saved_of(&g->engines, g->waited);
    return saved;
}

static struct sums sums_of(const struct job *j)
{
    struct sums s = {.ranks = j->told > 0 ? j->told : 1};
    double most = 0;
    s.run = (j->run > 0 ? j->run : j->elapsed) - j->lost;
    s.calls = j->all.seconds / s.ranks;
    s.run = fmax(s.run, s.calls);
    s.saved = saved_by(j, COLLECTIVES) / s.ranks;
    s.waited = fmax(j->waited, 0) * s.calls;
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++) {
        const enum sort sort = sort_of(g->reason);
        if (g->would != 0)
            continue;
        s.native[sort] += g->tally.seconds / s.ranks;
        if (sort == SORT_KEPT && g->tally.seconds > most) {
            most = g->tally.seconds;
            s.kept = g->reason;
        }
    }
    return s;
}

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

static const char *share(double part, const struct sums *s, char text[TEXT])
{
    const double percent = s->run > 0 ? 100 * part / s->run : 0;
    if (part > 0 && percent < 0.1)
        snprintf(text, TEXT, "less than 0.1 %%");
    else
        snprintf(text, TEXT, "%.*f %%", percent < 9.95 ? 1 : 0, percent);
    return text;
}

/* Why it would not help. */
static void put_reason(const struct job *j, const struct sums *s, FILE *f)
{
    char text[TEXT];
    if (s->calls < WORTH * s->run) {
        fprintf(f, "the calls that it serves take %s of the run.\n", share(s->calls, s, text));
    } else if (s->waited > s->calls / 2) {
        fprintf(f, "in the calls that it serves, ranks mostly wait for others that come later.\n");
    } else if (s->native[SORT_ALONE] > s->calls / 2) {
        fprintf(f, "most calls are on communicators of one rank.\n");
    } else if (s->native[SORT_SMALL] > s->calls / 2) {
        fprintf(f, "most calls are too small (see PLEACH_THRESHOLD).\n");
    } else if (j->nodes == 1) {
        fprintf(f, "all ranks are on one node, where the native calls are fast.\n");
    } else {
        fprintf(f, "the native calls are predicted to be as fast.\n");
    }
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

static void put_heading(const char *names, FILE *f)
{
    fprintf(f, "\n%10s %8s %8s %8s %8s %7s  %s\n", "CALLS", "BYTES", "NOW", "PLEACH", "SAVED", "OF RUN", names);
}

/* `saved`: seconds of all ranks; < 0: there is nothing to save. */
static void put_numbers(int64_t calls, double bytes, double seconds, double saved, const struct sums *s, FILE *f)
{
    char size[UNITS_TEXT], now[UNITS_TEXT], then[UNITS_TEXT] = "-", less[UNITS_TEXT] = "-";
    const double part = saved < 0 ? seconds : saved;
    if (saved >= 0) {
        time_about((seconds - saved) / s->ranks, then);
        saved > 0 ? time_about(saved / s->ranks, less) : strcpy(less, "0");
    }
    fprintf(f, "%10lld %8s %8s %8s %8s %6.1f%%  ", (long long)calls, size_about(bytes, size),
            time_about(seconds / s->ranks, now), then, less, s->run > 0 ? 100 * part / s->ranks / s->run : 0);
}

static void put_collectives(const struct job *j, const struct sums *s, FILE *f)
{
    put_heading("COLLECTIVE", f);
    for (const struct job_group *g = j->group[BY_COLLECTIVE]; g < j->group[BY_COLLECTIVE] + j->groups[BY_COLLECTIVE]; g++) {
        put_numbers(g->tally.calls, g->tally.bytes, g->tally.seconds, saved_by(j, (int)g->collective), s, f);
        fprintf(f, "%s\n", collective_name(g->collective));
    }
}

/* The text, cut to what a line has left. */
static void put_cut(const char *text, int left, FILE *f)
{
    if (left < 2 || strlen(text) <= (size_t)left)
        fprintf(f, "%s\n", text);
    else
        fprintf(f, "%.*s..\n", left - 2, text);
}

static void put_sites(const struct job *j, const struct sums *s, int columns, FILE *f)
{
    enum { BEFORE = 66 }; /* columns of what is before the site */
    int shown = 0;
    for (const struct job_group *g = j->group[BY_SITE]; g < j->group[BY_SITE] + j->groups[BY_SITE] && shown < SITES; g++) {
        if (!*g->site)
            continue;
        if (shown++ == 0)
            put_heading("COLLECTIVE  SITE", f);
        put_numbers(g->tally.calls, g->tally.bytes, g->tally.seconds, saved_of(&g->tally, g->waited), s, f);
        fprintf(f, "%-10s  ", collective_name(g->collective));
        put_cut(g->site, columns - BEFORE, f);
    }
}

static void put_others(const struct job *j, const struct sums *s, FILE *f)
{
    if (j->others == 0)
        return;
    put_heading("NOT SERVED", f);
    for (const struct part_other *o = j->other; o < j->other + j->others && o < j->other + OTHERS; o++) {
        put_numbers(o->calls, o->bytes, o->seconds, -1, s, f);
        fprintf(f, "%s\n", o->name);
    }
    if (j->others > OTHERS)
        fprintf(f, "%10s and %d more\n", "", j->others - OTHERS);
}

static void put_basis(const struct job *j, FILE *f)
{
    fprintf(f, "\nCalls and bytes of %d rank%s on %d node%s; times of a rank, on average.\nPLEACH is ", j->told,
            j->told == 1 ? "" : "s", j->nodes, j->nodes == 1 ? "" : "s");
    if (j->learned > 0)
        fprintf(f, "what trials of %d kind%s of calls took, and else predicted by the model, ", j->learned,
                j->learned == 1 ? "" : "s");
    else
        fprintf(f, "predicted by the model, ");
    if (*j->note)
        fprintf(f, "from what was %s\n", j->note);
    else
        fprintf(f, "by nominal figures, as nothing was measured: no more than a guess.\n");
    if (j->ranks > j->told)
        fprintf(f, "%d rank%s not told.\n", j->ranks - j->told, j->ranks - j->told == 1 ? " has" : "s have");
}

bool advice_write(const struct job *j, int columns, FILE *f)
{
    const locale_t before = uselocale(c_locale());
    const struct sums s = sums_of(j);
    put_verdict(j, &s, f);
    if (j->all.calls > 0) {
        put_collectives(j, &s, f);
        put_sites(j, &s, columns, f);
    }
    put_others(j, &s, f);
    if (j->all.calls > 0)
        put_basis(j, f);
    uselocale(before);
    return !ferror(f);
}
