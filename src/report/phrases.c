/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of sentences; see phrases.h. */
#include "phrases.h"
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *phrase_time(double seconds, char text[PHRASE])
{
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    int i = 0;
    for (; i < 3 && seconds < 0.995; i++)
        seconds *= 1000;
    const double scale = seconds >= 9.95 ? pow(10, floor(log10(seconds)) - 1) : 0.1;
    snprintf(text, PHRASE, "%.*f %s", scale < 1 ? 1 : 0, round(seconds / scale) * scale, unit[i]);
    return text;
}

static const char *number(double x, char text[PHRASE])
{
    snprintf(text, PHRASE, "%.*f", x < 9.95 ? 1 : 0, x);
    return text;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

const char *phrase_share(double part, double whole, char text[PHRASE])
{
    const double x = percent(part, whole);
    char digits[PHRASE];
    snprintf(text, PHRASE, "%.30s %%", x > 0 && x < 0.1 ? "less than 0.1" : number(x, digits));
    return text;
}

const char *phrase_shares(double least, double most, double whole, char text[PHRASE])
{
    char from[PHRASE], to[PHRASE];
    number(percent(fmax(least, 0), whole), from);
    number(percent(most, whole), to);
    if (strcmp(from, to) == 0)
        snprintf(text, PHRASE, "%.20s %%", to);
    else
        snprintf(text, PHRASE, "%.20s to %.20s %%", from, to);
    return text;
}

const char *phrase_measuring(const struct job *j, char text[PHRASE_FACT])
{
    char time[UNITS_TEXT];
    text[0] = 0;
    if (j->measuring > 0)
        snprintf(text, PHRASE_FACT, "%s a rank, for measuring the machine and sharing memory; no call's time includes it",
                 time_about(j->measuring / j->reported, time));
    return text;
}

const char *phrase_trials(const struct job *j, char text[PHRASE_FACT])
{
    char time[UNITS_TEXT], share[UNITS_TEXT];
    text[0] = 0;
    if (j->lost > 0)
        time_about(j->lost, time);
    if (j->lost > 0 && j->dry)
        snprintf(text, PHRASE_FACT, "%s beside the calls, for the trials of the dry run", time);
    else if (j->lost > 0)
        snprintf(text, PHRASE_FACT, "%d kind%s of calls; the trials lost %s, which is %s of the calls' time", j->learned,
                 plural(j->learned), time, share_about(j->lost * j->reported, j->all.seconds, share));
    return text;
}

/* What serves the calls of a group, or would serve them. */
static const char *server(const struct job *j, const struct job_group *g)
{
    return engines[j->dry ? g->would : g->engine]->name;
}

const char *phrase_slow(const struct job *j, char text[PHRASE_FACT])
{
    const struct job_group *most = NULL;
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++)
        if (g->reason != REASON_TRIAL && g->tried.engine > 0 && g->tried.native > SLOW * g->tried.engine &&
            (!most || g->tried.native - g->tried.engine > most->tried.native - most->tried.engine))
            most = g;
    const char *name = most ? server(j, most) : "", *colon = strchr(name, ':');
    char own[PHRASE_FACT / 2] = "";
    text[0] = 0;
    if (most && !colon && most->own.engine && most->own.share < 1)
        snprintf(own, sizeof own, ", and up to %.1f times as long as its own %s", 1 / most->own.share,
                 strchr(engines[most->own.engine]->name, ':') + 1);
    if (most)
        snprintf(text, PHRASE_FACT,
                 "in calls of %s the MPI library's default takes %.0f times as long as %s%s%s; %skeep Pleach",
                 collective_name(most->collective), most->tried.native / most->tried.engine, colon ? "its own " : "",
                 colon ? colon + 1 : name, own, colon ? "export the rule (pleach export), or " : "");
    return text;
}

int phrase_ranks(const struct job *j, enum rank_end end, int most, const char *comma, const char *dash, char text[RANK_LIST])
{
    const int last = j->reported ? j->rank[j->reported - 1].rank : -1, ranks = j->ranks > last ? j->ranks : last + 1;
    int ranges = 0, used = 0;
    text[0] = 0;
    for (int rank = 0, first = -1, next = 0; rank <= ranks; rank++) {
        const bool reported = next < j->reported && j->rank[next].rank == rank;
        const bool listed = rank < ranks && end == (reported ? j->rank[next].end : ENDS);
        next += reported;
        if (listed && first < 0)
            first = rank;
        if (listed || first < 0)
            continue;
        if (ranges <= most)
            used += snprintf(text + used, RANK_LIST - (size_t)used, ranges < most ? "%s%d" : "%s...", ranges ? comma : "",
                             first);
        if (ranges < most && rank - 1 > first)
            used += snprintf(text + used, RANK_LIST - (size_t)used, "%s%d", dash, rank - 1);
        ranges++;
        first = -1;
    }
    return ranges;
}

const char *job_name(const struct job_group *g, enum dimension d, char text[JOB_NAME])
{
    char size[UNITS_TEXT];
    if (d == BY_SITE)
        return g->source ? g->source : *g->site ? g->site : JOB_OTHERS;
    size_print(g->size < 0 ? 0 : INT64_C(1) << g->size, size, sizeof size);
    if (d == BY_SIZE)
        snprintf(text, JOB_NAME, "%s up to %s", collective_name(g->collective), size);
    else if (d == BY_SERVICE)
        snprintf(text, JOB_NAME, "%s: %s, %s", collective_name(g->collective), engines[g->would]->name,
                 reason_word(g->reason));
    else
        return collective_name(g->collective);
    return text;
}

const char *phrase_reason(enum reason r)
{
#define TEXT(name, word, text) text,
    static const char *const texts[] = {REASONS_OF_PLANS(TEXT)};
    return texts[r];
}

void phrase_reasons(const struct job *j, void (*put)(void *to, enum reason r), void *to)
{
    uint64_t seen = 0;
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++) {
        if (!(seen >> g->reason & 1))
            put(to, g->reason);
        seen |= UINT64_C(1) << g->reason;
    }
}

double job_run(const struct job *j)
{
    double sum = 0;
    for (int i = 0; i < j->reported; i++)
        sum += j->rank[i].run > j->rank[i].elapsed ? j->rank[i].run : j->rank[i].elapsed;
    return sum;
}

void job_date(double since_1970, char text[DATE_TEXT])
{
    time_t t = (time_t)since_1970;
    struct tm day;
    *text = 0;
    if (gmtime_r(&t, &day))
        snprintf(text, DATE_TEXT, "%d-%02d-%02d %02d:%02d:%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday,
                 day.tm_hour, day.tm_min, day.tm_sec);
}
