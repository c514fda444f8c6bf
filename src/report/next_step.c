/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the next step for the user; see next_step.h. In a table of conditions, the first condition that holds decides.
 * Conditions that make the report doubtful come first, then reasons that kept calls from engines, then all others.
 */
#include "next_step.h"

#include "units.h"
#include "verdict.h"

#include <string.h>

/* A condition, and the sentence if it holds. */
struct row {
    bool holds;
    const char *sentence;
};

/* For runs whose calls were kept from engines. */
static const struct {
    enum reason reason;
    const char *sentence;
} keeps[] = {
    {REASON_DISABLED, "Unset PLEACH_DISABLE to let engines serve: it keeps all calls from them."},
    {REASON_BAD_SETTING, "Fix the setting that a line on standard error names: until then every call is native."},
    {REASON_MISMATCH, "Give all ranks the same settings: until then every call is native."},
    {REASON_BAD_RULES, "Fix the rules, whose errors pleach check-rules shows: until then every call is native."},
    {REASON_NO_CONTEXT, "Let the program free communicators that it no longer needs: MPI has none left for Pleach."},
    {REASON_NO_MEMORY, "Leave the ranks more memory: engines have found too little."},
    {REASON_NO_SHARED_MEMORY,
     "Let the ranks of a node share memory, as all engines that may serve need it: the report says what prevents it."},
    {REASON_INTERCOMM, "Nothing to do: most time is in calls between groups, which no engine serves."},
    {REASON_OTHER_JOB, "Nothing to do: most time is in calls with ranks of another job, which may run without Pleach."},
    {REASON_INVALID, "Fix the program: most time is in calls whose arguments are not valid."},
    {REASON_FORCED, "Nothing to do: most time is in calls that settings of engines keep native."},
    {REASON_RULE, "Nothing to do: most time is in calls that rules keep native."},
    {REASON_NOT_APPLICABLE, "Nothing to do: most time is in calls that fit none of the engines that may serve."},
};

static const char *first_of(const struct row *row, size_t rows)
{
    for (; rows > 0; row++, rows--)
        if (row->holds)
            return row->sentence;
    return NULL;
}

static const char *kept_native(const struct advice_totals *s)
{
    for (size_t i = 0; i < sizeof keeps / sizeof keeps[0]; i++)
        if (s->native[SORT_KEPT] > s->calls / 2 && keeps[i].reason == s->kept)
            return keeps[i].sentence;
    return NULL;
}

/* For runs that were not dry. */
static const char *deed(const struct job *j, const struct advice_totals *s)
{
    const double half = s->calls / 2;
    const bool learned = j->learned > 0 && !strstr(j->settings, "PLEACH_RULES=");
    double native = 0;
    for (int i = 0; i < SORTS; i++)
        native += s->native[i];
    const struct row deeds[] = {
        {j->all.calls == 0, "Ask pleach doctor about the program: Pleach has seen no call that it serves."},
        {strstr(j->settings, "PLEACH_VERIFY=yes"),
         "Run the program without PLEACH_VERIFY to see times: verified calls are made twice."},
        {j->crowded || s->native[SORT_CROWDED] > half,
         "Start no more ranks on a node than it has cores: else ranks take turns, and most engines do not serve."},
        {s->native[SORT_ALONE] > half && j->ranks == 1,
         "Ask pleach doctor if more ranks were started: this job has one, for which there is nothing to do."},
        {s->calls < WORTH * s->run, "Nothing to do: the calls that Pleach serves take less than 1 % of the run."},
        {s->native[SORT_ALONE] > half, "Nothing to do: most time is in calls on communicators of one rank."},
        {s->waited > half,
         "Find out what makes some ranks late, such as load imbalance: others wait for them, for most of the calls' time."},
        {*j->unshared && !s->shares,
         "Let all calls on a node use shared memory, which is faster: the report says what prevents it."},
        {s->native[SORT_SMALL] > half && strstr(j->settings, "PLEACH_THRESHOLD="),
         "Unset PLEACH_THRESHOLD, or lower it: most calls are shorter, and so kept from engines."},
        {s->native[SORT_SMALL] > half,
         "Make fewer and larger calls, if the program allows it: most are too small for engines to help."},
        {learned && strstr(j->settings, "PLEACH_LEARN="),
         "Name the file of PLEACH_LEARN in PLEACH_RULES: then the next run begins with what this one has learned."},
        {learned, "Let runs keep what they learn: name a file in PLEACH_LEARN, and in PLEACH_RULES from the next run on."},
        {native > half, "Nothing to do: most calls stay native, as no engine promises to be faster."},
        {true, "Nothing to do; to see what engines bring, compare a run with PLEACH_DISABLE=yes by pleach compare."},
    };
    return first_of(deeds, sizeof deeds / sizeof deeds[0]);
}

const char *next_step(const struct job *j, char text[NEXT_STEP])
{
    const struct row doubts[] = {
        {j->reported < j->ranks && !j->own,
         "Find out why some ranks have not reported: they ran without Pleach, or were killed."},
        {j->end == END_RUNNING, "Let the program end; if it hangs, PLEACH_PATIENCE shows where."},
    };
    const struct advice_totals s = sums_of(j);
    const char *sentence = first_of(doubts, sizeof doubts / sizeof doubts[0]);
    if (!sentence && j->dry) {
        const locale_t before = uselocale(c_locale());
        verdict(j, &s, "unset PLEACH_DRY_RUN", text, NEXT_STEP);
        uselocale(before);
        sentence = text;
    }
    if (!sentence)
        sentence = kept_native(&s);
    return sentence ? sentence : deed(j, &s);
}
