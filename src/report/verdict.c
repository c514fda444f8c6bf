/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verdict; see verdict.h. The seconds of a saving are those that trials measured, or the most that the model allows; the
 * sentence says which of the two. Percentages go from the least to the most saving. A sentence has no percentages if the
 * model's least saving is too small to matter.
 */
#include "verdict.h"

#include "phrases.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool verdict_measured(const struct advice_totals *s)
{
    return fabs(s->saved.measured) >= fabs(s->saved.likely) / 2;
}

/* The word before an amount: measured ones are about right, those of a model are bounds. */
static const char *amount(const struct advice_totals *s)
{
    return verdict_measured(s) ? "about" : "at most";
}

static const char *source(const struct advice_totals *s)
{
    return verdict_measured(s) ? "measured" : "by the model";
}

static void say_saved(const struct advice_totals *s, const char *how, char *text, size_t size)
{
    const struct claim *c = &s->saved;
    const bool sure = verdict_measured(s);
    char saved[PHRASE], run[PHRASE], part[PHRASE];
    phrase_time(sure ? c->likely : c->most, saved);
    phrase_time(s->run, run);
    if (!sure && c->least < WORTH * s->run)
        snprintf(text, size,
                 "Cannot tell what Pleach would do: too few calls were tried, and by the model it would save %s of %s, or "
                 "nothing; to see, %s.",
                 saved, run, how);
    else
        snprintf(text, size, "Pleach would save %s %s of %s (%s, %s): %s.", amount(s), saved, run,
                 phrase_shares(c->least, c->most, s->run, part), source(s), how);
}

static void say_lost(const struct advice_totals *s, char *text, size_t size)
{
    const struct claim *c = &s->saved;
    char lost[PHRASE], run[PHRASE], part[PHRASE];
    snprintf(text, size, "Pleach would not help: the program would take about %s longer than %s (%s, measured).",
             phrase_time(-c->likely, lost), phrase_time(s->run, run), phrase_shares(-c->most, -c->least, s->run, part));
}

static void say_hardly(const struct advice_totals *s, char *text, size_t size)
{
    const struct claim *c = &s->saved;
    char saved[PHRASE], run[PHRASE], part[PHRASE];
    snprintf(text, size, "Pleach would hardly help: it would save %s %s of %s (%s).", amount(s),
             phrase_time(c->likely, saved), phrase_time(s->run, run), phrase_share(c->likely, s->run, part));
}

static void say_why_not(const struct job *j, const struct advice_totals *s, char *text, size_t size)
{
    char reason[2 * PHRASE], part[PHRASE];
    const char *why = reason;
    if (j->ranks == 1)
        why = "the job has one rank; if more were started, pleach doctor says why they do not find each other";
    else if (s->calls < WORTH * s->run)
        snprintf(reason, sizeof reason, "the calls that it serves take %s of the run", phrase_share(s->calls, s->run, part));
    else if (s->native[SORT_ALONE] > s->calls / 2)
        why = "most calls are on communicators of one rank";
    else if (s->native[SORT_SMALL] > s->calls / 2 && strstr(j->settings, "PLEACH_THRESHOLD="))
        why = "most calls are smaller than the PLEACH_THRESHOLD that was set";
    else if (s->native[SORT_SMALL] > s->calls / 2)
        why = "most calls are too small; fewer and larger ones would gain, but a lower PLEACH_THRESHOLD does not help";
    else if (s->waited > s->calls / 2)
        why = "in the calls that it serves, ranks mostly wait for others that come later";
    else if (j->nodes == 1)
        why = "all ranks are on one node, where the native calls are fast";
    else
        why = "the native calls are as fast";
    snprintf(text, size, "Pleach would not help: %s.", why);
}

static void say_kept(enum reason kept, char *text, size_t size)
{
    static const char *const keepers[REASONS] = {
        [REASON_DISABLED] = "PLEACH_DISABLE", [REASON_FORCED] = "settings of engines", [REASON_RULE] = "rules"};
    const char *by = keepers[kept];
    snprintf(text, size, "Cannot tell what Pleach would do: most calls were kept from it%s%s (%s)%s%s.", by ? " by " : "",
             by ? by : "", reason_word(kept), by ? "; to see, run the program without " : "",
             by ? kept == REASON_DISABLED ? "it" : "them" : "");
}

void verdict(const struct job *j, const struct advice_totals *s, const char *how, char *text, size_t size)
{
    const struct claim *c = &s->saved;
    const double worth = WORTH * s->run;
    if (j->all.calls == 0)
        snprintf(text, size, "Pleach would not help: the program made none of the calls that it serves.");
    else if (c->likely >= worth)
        say_saved(s, how, text, size);
    else if (c->likely <= -worth)
        say_lost(s, text, size);
    else if (s->native[SORT_KEPT] > s->calls / 2)
        say_kept(s->kept, text, size);
    else if (s->native[SORT_CROWDED] >= worth)
        snprintf(text, size, "Cannot tell what Pleach would do: " CROWDED ".");
    else if (c->unclear >= worth)
        snprintf(text, size,
                 "Cannot tell what Pleach would do: engines were measured, and the times vary by more than engines would "
                 "save, as "
                 "on a busy machine.");
    else if (c->likely > 0 && s->calls >= worth)
        say_hardly(s, text, size);
    else
        say_why_not(j, s, text, size);
}

/* ---- The gain of a run ----------------------------------------------------------------------------------------------- */

/* A saving, or a loss with the other ends of the range. `native`: seconds of a native run. */
static void say_gained(const struct advice_totals *s, double native, char *text, size_t size)
{
    const struct claim *c = &s->saved;
    const bool lost = c->likely < 0, sure = verdict_measured(s);
    const char *const what = lost ? "lost" : "saved";
    const double least = lost ? -c->most : c->least, most = lost ? -c->least : c->most;
    char from[PHRASE], to[PHRASE], run[PHRASE], range[2 * PHRASE + 8];
    phrase_time(most, to);
    if (!sure || least < WORTH * s->run)
        snprintf(range, sizeof range, "at most %s", to);
    else if (strcmp(phrase_time(least, from), to) == 0)
        snprintf(range, sizeof range, "%s", to);
    else
        snprintf(range, sizeof range, "%s to %s", from, to);
    snprintf(text, size, "Pleach %s %s: without it, the run would take %s (%s).", what, range, phrase_time(native, run),
             source(s));
}

static void say_no_difference(const struct job *j, const struct advice_totals *s, char *text, size_t size)
{
    char part[PHRASE];
    if (j->all.calls == 0)
        snprintf(text, size, "No difference: the program made none of the calls that Pleach serves.");
    else if (s->calls < s->run / 10)
        snprintf(text, size, "No difference: %s of the run is outside the calls that Pleach serves.",
                 phrase_share(s->run - s->calls, s->run, part));
    else if (!gain_is_known(j))
        snprintf(text, size, "Cannot tell what Pleach saved: %s.", j->crowded ? CROWDED : "verified calls are made twice");
    else if (s->waited > s->calls / 2)
        snprintf(text, size, "No difference: for %s of the calls' time, ranks waited for others that came later.",
                 phrase_share(s->waited, s->calls, part));
    else if (s->served == 0)
        snprintf(text, size, "No difference: all calls were native.");
    else if (!s->tried && !s->modelled)
        snprintf(text, size, "Cannot tell what Pleach saved: native times are not known.");
    else if (s->saved.unclear > WORTH * s->run)
        snprintf(text, size,
                 "Cannot tell what Pleach saved: the times of calls vary by more than engines save, as on a busy machine.");
    else
        snprintf(text, size, "No difference: native calls would have been as fast (%s).",
                 s->tried ? "measured" : "by the model");
}

void verdict_gain(const struct job *j, const struct advice_totals *s, char text[GAIN])
{
    const locale_t before = uselocale(c_locale());
    const double measuring = j->measuring / s->ranks, saved = s->saved.likely;
    char spent[PHRASE], run[PHRASE], part[PHRASE];
    phrase_time(s->run, run);
    phrase_time(measuring, spent);
    if (saved >= WORTH * s->run && measuring > saved) {
        snprintf(text, GAIN, "Pleach saved %s %s in calls (%s), and measuring took %s of %s: it pays in longer runs.",
                 amount(s), phrase_time(saved, part), source(s), spent, run);
    } else {
        if (fabs(saved) >= WORTH * s->run)
            say_gained(s, fmax(s->run - measuring + saved, s->calls), text, GAIN);
        else
            say_no_difference(j, s, text, GAIN);
        const size_t used = strlen(text);
        if (measuring >= WORTH * s->run)
            snprintf(text + used, GAIN - used, " Measuring took %s of %s; in a longer run it takes no more.", spent, run);
    }
    uselocale(before);
}
