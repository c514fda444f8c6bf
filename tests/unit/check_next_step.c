/* SPDX-License-Identifier: BSD-2-Clause */
/* The next step that a report recommends, for jobs that are made by hand. */
#include "suite.h"
#include "next_step.h"

/* A job of 4 ranks that ran for 100 s. Calls took 40 s of that time on each rank, and one group has all calls. */
struct made {
    struct job job;
    struct job_group group;
};

static struct made *made(enum reason reason)
{
    static struct made m;
    const bool served = reason == REASON_MODEL;
    m = (struct made){
        .job = {.reported = 4, .ranks = 4, .nodes = 1, .settings = "", .unshared = "", .end = END_FINALIZE, .run = 100,
                .waited = -1}};
    m.group = (struct job_group){.tally = {.calls = 9, .seconds = 160}, .would = served, .engine = served, .reason = reason};
    m.job.all = m.group.tally;
    m.job.group[BY_SERVICE] = &m.group;
    m.job.groups[BY_SERVICE] = 1;
    return &m;
}

/* Checks that the sentence of the next step begins with `begin`. */
static void says(const struct made *m, const char *begin)
{
    char text[NEXT_STEP];
    const char *sentence = next_step(&m->job, text);
    REQUIRE(strncmp(sentence, begin, strlen(begin)) == 0, "\"%s\" instead of \"%s ..\"", sentence, begin);
    ck_assert_int_eq(sentence[strlen(sentence) - 1], '.');
}

START_TEST(doubts_come_first)
{
    struct made *m = made(REASON_DISABLED);
    m->job.reported = 3;
    says(m, "Find out why some ranks have not reported");
    m->job.reported = 4;
    m->job.end = END_RUNNING;
    says(m, "Let the program end; if it hangs, PLEACH_PATIENCE shows where.");
    m->job.dry = true;
    says(m, "Let the program end");
    m = made(REASON_DISABLED);
    m->job.reported = 1;
    m->job.own = true; /* no doubt about the other ranks */
    says(m, "Unset PLEACH_DISABLE");
}

START_TEST(what_keeps_engines_away)
{
    static const struct {
        enum reason reason;
        const char *begin;
    } row[] = {
        {REASON_DISABLED, "Unset PLEACH_DISABLE"},
        {REASON_BAD_SETTING, "Fix the setting"},
        {REASON_MISMATCH, "Give all ranks the same settings"},
        {REASON_BAD_RULES, "Fix the rules"},
        {REASON_NO_CONTEXT, "Let the program free communicators"},
        {REASON_NO_MEMORY, "Leave the ranks more memory"},
        {REASON_NO_SHARED_MEMORY, "Let the ranks of a node share memory, as all engines"},
        {REASON_INTERCOMM, "Nothing to do: most time is in calls between groups"},
        {REASON_OTHER_JOB, "Nothing to do: most time is in calls with ranks of another job"},
        {REASON_INVALID, "Fix the program"},
        {REASON_FORCED, "Nothing to do: most time is in calls that settings of engines keep native."},
        {REASON_RULE, "Nothing to do: most time is in calls that rules keep native."},
        {REASON_NOT_APPLICABLE, "Nothing to do: most time is in calls that fit none of the engines that may serve"},
    };
    for (size_t i = 0; i < COUNT(row); i++)
        says(made(row[i].reason), row[i].begin);
}

START_TEST(what_is_to_be_done)
{
    struct made *m = made(REASON_MODEL);
    says(m, "Nothing to do; to see what engines bring, compare a run with PLEACH_DISABLE=yes");
    says(made(REASON_NATIVE_FASTER), "Nothing to do: most calls stay native");

    m->job.learned = 2;
    says(m, "Let runs keep what they learn: name a file in PLEACH_LEARN");
    m->job.settings = "PLEACH_LEARN=file";
    says(m, "Name the file of PLEACH_LEARN in PLEACH_RULES");
    m->job.settings = "PLEACH_LEARN=file PLEACH_RULES=file";
    says(m, "Nothing to do: most calls stay native");

    m = made(REASON_BELOW_THRESHOLD);
    says(m, "Make fewer and larger calls");
    m->job.unshared = "rank 3 has no memory left";
    says(m, "Let all calls on a node use shared memory");
    const struct job_group small = m->group;
    m->group.would = engine_row(engine_find("node-copy")); /* so other calls do go through shared memory */
    m->job.learned = 2;
    says(m, "Let runs keep what they learn");
    m->group.would = engine_row(engine_find("chain"));
    says(m, "Let all calls on a node use shared memory");
    m->group = small;
    m->job.waited = 0.51;
    says(m, "Find out what makes some ranks late");
    says(made(REASON_ONE_RANK), "Nothing to do: most time is in calls on communicators of one rank");

    m = made(REASON_ONE_RANK);
    m->job.all.seconds = 3.9;
    says(m, "Nothing to do: the calls that Pleach serves take less than 1 % of the run.");
    m->job.crowded = true;
    says(m, "Start no more ranks on a node than it has cores");
    says(made(REASON_OVERSUBSCRIBED), "Start no more ranks on a node than it has cores");
    m->job.settings = "PLEACH_VERIFY=yes";
    says(m, "Run the program without PLEACH_VERIFY");
    m->job.all = (struct tally){0};
    says(m, "Ask pleach doctor about the program");
}

/* A dry run has a verdict, with decimal points in any locale. */
START_TEST(a_dry_run_has_a_verdict)
{
    struct made *m = made(REASON_MODEL);
    if (!in_decimal_comma())
        return;
    m->job.dry = true;
    m->group.tried = (struct tally){.calls = 9, .native = 2, .engine = 1.75, .predicted = 160};
    m->job.group[BY_SIZE] = m->job.group[BY_SIZE_AND_SITE] = &m->group;
    m->job.groups[BY_SIZE] = m->job.groups[BY_SIZE_AND_SITE] = 1;
    says(m, "Pleach would save about 5.0 s of 100 s (5.0 %, measured): unset PLEACH_DRY_RUN.");
}

SUITE("next_step", 4)
