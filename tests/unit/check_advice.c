/* SPDX-License-Identifier: BSD-2-Clause */
/* What pleach advise says about made-up jobs. */
#include "advice.h"
#include "suite.h"
#include "verdict.h"

enum { MOST_GROUPS = 8 };

/* A job of 4 ranks on 2 nodes that ran for 100 s, with room for its calls. */
struct made {
    struct job job;
    struct job_group group[DIMENSIONS][MOST_GROUPS];
    struct rank_other other[12];
};

static struct made *made(void)
{
    static struct made m;
    m = (struct made){.job = {.reported = 4,
                              .ranks = 4,
                              .nodes = 2,
                              .command = "./app -n 5",
                              .pleach = "",
                              .mpi = "",
                              .settings = "",
                              .note = "within a node: 12GB/s, 1us",
                              .unshared = "",
                              .dry = true,
                              .run = 100,
                              .elapsed = 90,
                              .waited = -1,
                              .other = m.other}};
    for (int d = 0; d < DIMENSIONS; d++)
        m.job.group[d] = m.group[d];
    return &m;
}

/*
 * Adds 1000 calls, which took each rank `seconds` in all. `native` and `engine` are predicted seconds; both are 0 for calls
 * that would stay native.
 */
static void add(struct made *m, enum collective c, const char *site, double seconds, enum reason reason, double native,
                double engine)
{
    struct tally t = {.calls = 1000, .bytes = 1e6, .seconds = 4 * seconds, .native = native, .engine = engine};
    t.predicted = native > 0 ? t.seconds : 0;
    const struct tally none = {0};
    const struct job_group g = {.collective = c,
                                .size = m->job.groups[BY_SIZE],
                                .would = native > 0 ? 1 : 0,
                                .reason = reason,
                                .site = site,
                                .tally = t,
                                .engines = native > 0 ? t : none,
                                .modelled = native > 0 ? t : none,
                                .whole = native / 1000,
                                .waited = -1};
    tally_add(&m->job.all, &t);
    for (int d = 0; d < DIMENSIONS; d++)
        m->group[d][m->job.groups[d]++] = g;
}

/*
 * Turns the predictions for the calls of the last add() into results of trials. `noise` is the noise of the native time and
 * the engine's time together.
 */
static void tried(struct made *m, double noise)
{
    for (int d = 0; d < DIMENSIONS; d++) {
        struct job_group *g = &m->group[d][m->job.groups[d] - 1];
        g->tried = g->modelled;
        g->tried.noise = noise;
        g->modelled = (struct tally){0};
    }
}

static void add_other(struct made *m, const char *name, double seconds)
{
    struct rank_other *o = &m->other[m->job.others++];
    *o = (struct rank_other){.calls = 7, .bytes = 2048, .seconds = 4 * seconds};
    snprintf(o->name, sizeof o->name, "%s", name);
}

/* Returns the text of the advice, which is valid until the next call. */
static const char *advice(const struct made *m, int columns)
{
    static char *text;
    size_t size;
    free(text);
    FILE *f = open_memstream(&text, &size);
    ck_assert(f && advice_write(&m->job, columns, f) && fclose(f) == 0);
    return text;
}

static void says(const struct made *m, const char *what)
{
    REQUIRE(strstr(advice(m, 0), what), "\"%s\" is not in:\n%s", what, advice(m, 0));
}

static void silent_about(const struct made *m, const char *what)
{
    REQUIRE(!strstr(advice(m, 0), what), "\"%s\" is in:\n%s", what, advice(m, 0));
}

/* The first line of the text must be this sentence. */
static void first_line(const struct made *m, const char *sentence)
{
    const char *text = advice(m, 0);
    const size_t length = strcspn(text, "\n");
    REQUIRE(length == strlen(sentence) && strncmp(text, sentence, length) == 0, "expected \"%s\", found:\n%s", sentence,
            text);
}

#define HOW "put `pleach run` where `pleach advise` stands."

START_TEST(it_says_what_it_would_save)
{
    struct made *m = made();
    add(m, COLL_SCAN, "solve+0x1f < main+0x3a", 35, REASON_MODEL, 0.2, 0.05);
    add(m, COLL_BCAST, "main+0x77", 5, REASON_BELOW_THRESHOLD, 0, 0);
    first_line(m, "Pleach would save at most 26 s of 100 s (18 to 26 %, by the model): " HOW);
    says(m, " 1000  976.6K  35s   35.0%   8.75s  26.25s   26.3%  scan\n");
    says(m, " 1000  976.6K   5s    5.0%       -       -       -  bcast\n");
    says(m, "   26.3%  scan        solve+0x1f < main+0x3a\n");
    says(m, "from measured parameters (within a node: 12GB/s, 1us).\n");
    silent_about(m, "NOT SERVED");
    says(m, "The model may err by a factor of 2");
    silent_about(m, "nominal");
    silent_about(m, "mpiexec");
}

/* Trials measure the saving. Noise widens it to a range, and calls whose noise hides the saving do not count. */
START_TEST(measured_is_measured)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 40, REASON_LEARNED, 2, 1);
    tried(m, 0);
    first_line(m, "Pleach would save about 20 s of 100 s (20 %, measured): " HOW);
    says(m, "PLEACH is the time of trials beside such calls.\n");
    silent_about(m, "model");
    m = made();
    add(m, COLL_SCAN, "a", 40, REASON_LEARNED, 2, 1);
    tried(m, 0.25);
    first_line(m, "Pleach would save about 20 s of 100 s (15 to 25 %, measured): " HOW);
    add(m, COLL_BCAST, "b", 40, REASON_LEARNED, 2, 1.5);
    tried(m, 0.5);
    first_line(m, "Pleach would save about 20 s of 100 s (15 to 25 %, measured): " HOW);
    says(m, "40s   40.0%       -      -       -  bcast\n");
    says(m, "If the times of calls vary by more than engines would save, nothing counts as saved.\n");

    m = made();
    add(m, COLL_BCAST, "b", 40, REASON_LEARNED, 2, 1.5);
    tried(m, 0.51);
    first_line(
        m, "Cannot tell what Pleach would do: engines were measured, and the times vary by more than engines would save, as "
           "on a busy machine.");
    m = made();
    add(m, COLL_BCAST, "b", 40, REASON_FORCED, 2, 2.5);
    tried(m, 0.1);
    first_line(m, "Pleach would not help: the program would take about 10 s longer than 100 s (8.0 to 12 %, measured).");
    says(m, "   50s   -10s  -10.0%  bcast\n");
}

/*
 * If the calls with trials take at least half of the time, their trials stand for the calls without a trial, too; else not.
 */
START_TEST(trials_speak_for_others)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 40, REASON_MODEL, 2, 0.5);
    struct job_group *g = &m->group[BY_SIZE][0], *part = &m->group[BY_SIZE_AND_SITE][0];
    g->tried = part->tried = (struct tally){.calls = 500, .native = 1, .engine = 1, .predicted = 80};
    g->modelled = part->modelled = (struct tally){.calls = 500, .native = 1, .engine = 0.25, .predicted = 80};
    first_line(m, "Pleach would not help: the native calls are as fast.");
    g->tried.predicted = part->tried.predicted = 79;
    first_line(m, "Pleach would save at most 15 s of 100 s (10 to 15 %, by the model): " HOW);
}

/*
 * The advice promises no percentage if the model errs for the native calls by a larger factor than engines would gain, or if
 * no native call can check the model.
 */
START_TEST(a_wrong_model_promises_nothing)
{
    static const double off[] = {2.6, 1 / 2.6, 0};
    struct made *m = made();
    add(m, COLL_SCAN, "a", 40, REASON_MODEL, 2, 0.8);
    first_line(m, "Pleach would save at most 24 s of 100 s (8.0 to 24 %, by the model): " HOW);
    for (size_t i = 0; i < COUNT(off); i++) {
        m->group[BY_SIZE][0].whole = off[i] * 2e-3;
        first_line(
            m, "Cannot tell what Pleach would do: too few calls were tried, and by the model it would save 24 s of 100 s, "
               "or nothing; to see, " HOW);
    }
}

/*
 * The ratio of the two predictions counts, not their seconds. The time that ranks wait for others is not saved, and the time
 * that trials lost is no part of the run.
 */
START_TEST(predictions_are_scaled)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 40, REASON_MODEL, 1000, 500);
    tried(m, 0);
    first_line(m, "Pleach would save about 20 s of 100 s (20 %, measured): " HOW);
    m->job.lost = 20;
    first_line(m, "Pleach would save about 20 s of 80 s (25 %, measured): " HOW);
    m->group[BY_SIZE][0].waited = 0.5;
    first_line(m, "Pleach would save about 10 s of 80 s (12 %, measured): " HOW);
}

/* Each group of calls has a ratio of its own: the first calls save almost all of 10 s, the others nothing of 30 s. */
START_TEST(sizes_count_by_themselves)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 10, REASON_MODEL, 1e6, 1);
    add(m, COLL_SCAN, "a", 30, REASON_MODEL, 1, 0.999);
    first_line(m, "Pleach would save at most 10 s of 100 s (10 %, by the model): " HOW);
}

/*
 * A site calls with two sizes, of which one gains a half and the other nothing. The ratio of the two sizes together would be
 * another one: each table says 10 s.
 */
START_TEST(tables_agree)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 20, REASON_MODEL, 1, 0.5);
    add(m, COLL_SCAN, "a", 10, REASON_MODEL, 9, 9);
    tally_add(&m->group[BY_SITE][0].tally, &m->group[BY_SITE][1].tally);
    tally_add(&m->group[BY_COLLECTIVE][0].tally, &m->group[BY_COLLECTIVE][1].tally);
    m->job.groups[BY_SITE] = m->job.groups[BY_COLLECTIVE] = 1;
    says(m, "30s   30.0%     20s    10s   10.0%  scan\n");
    says(m, "30s   30.0%     20s    10s   10.0%  scan        a\n");
}

/* The calls of a site have the ratio of all calls of this size; the time that ranks wait is that of the site's calls. */
START_TEST(sites_share_a_size)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 30, REASON_MODEL, 3, 1);
    add(m, COLL_SCAN, "b", 10, REASON_MODEL, 1, 1);
    tally_add(&m->group[BY_SIZE][0].modelled, &m->group[BY_SIZE][1].modelled);
    m->job.groups[BY_SIZE] = 1;
    m->group[BY_SIZE_AND_SITE][1].size = 0;
    m->group[BY_SIZE_AND_SITE][1].waited = 0.5;
    says(m, "30s   30.0%     15s    15s   15.0%  scan        a\n");
    says(m, "10s   10.0%    7.5s   2.5s    2.5%  scan        b\n");
}

START_TEST(no_saving_is_negative)
{
    struct made *m = made();
    add(m, COLL_REDUCE, "a", 10, REASON_FORCED, 1, 2);
    add(m, COLL_SCAN, "b", 10, REASON_MODEL, 2, 0.5);
    first_line(m, "Pleach would save at most 7.5 s of 100 s (5.0 to 7.5 %, by the model): " HOW);
    says(m, "  10s   10.0%       -      -       -  reduce\n");
}

START_TEST(it_says_why_it_would_not_help)
{
    struct made *m = made();
    first_line(m, "Pleach would not help: the program made none of the calls that it serves.");
    silent_about(m, "COLLECTIVE");
    add(m, COLL_BCAST, "a", 0.4, REASON_MODEL, 2, 1);
    first_line(m, "Pleach would not help: the calls that it serves take 0.4 % of the run.");
    m->job.all.seconds = 4e-3;
    first_line(m, "Pleach would not help: the calls that it serves take less than 0.1 % of the run.");

    m = made();
    add(m, COLL_BCAST, "a", 30, REASON_BELOW_THRESHOLD, 0, 0);
    add(m, COLL_BCAST, "a", 20, REASON_MODEL, 0, 0);
    first_line(m, "Pleach would not help: most calls are too small; fewer and larger ones would gain, but a lower "
                  "PLEACH_THRESHOLD does not help.");
    silent_about(m, "waited");
    silent_about(m, "cores");
    m->job.settings = "PLEACH_THRESHOLD=1M";
    first_line(m, "Pleach would not help: most calls are smaller than the PLEACH_THRESHOLD that was set.");
    m->job.crowded = true;
    says(m, "\nBeware: there are more ranks than cores on a node, where times mean nothing.\n\n");

    m = made();
    add(m, COLL_BCAST, "a", 20, REASON_MODEL, 0, 0);
    m->job.waited = 0.6;
    says(m, "For 60 % of the calls' time, ranks waited for others");
    first_line(m, "Pleach would not help: in the calls that it serves, ranks mostly wait for others that come later.");

    m = made();
    add(m, COLL_BCAST, "a", 30, REASON_ONE_RANK, 0, 0);
    first_line(m, "Pleach would not help: most calls are on communicators of one rank.");

    m = made();
    add(m, COLL_BCAST, "a", 30, REASON_MODEL, 0, 0);
    first_line(m, "Pleach would not help: the native calls are as fast.");
    m->job.nodes = 1;
    first_line(m, "Pleach would not help: all ranks are on one node, where the native calls are fast.");
    add(m, COLL_SCAN, "b", 1, REASON_MODEL, 2, 1);
    first_line(m, "Pleach would hardly help: it would save at most 500 ms of 100 s (0.5 %).");
}

START_TEST(it_says_where_it_cannot_tell)
{
    struct made *m = made();
    add(m, COLL_BCAST, "a", 30, REASON_OVERSUBSCRIBED, 0, 0);
    first_line(m, "Cannot tell what Pleach would do: more ranks than cores on a node, where times mean nothing.");
    m->job.crowded = true;
    silent_about(m, "Beware");

    m = made();
    add(m, COLL_BCAST, "a", 3, REASON_MISMATCH, 0, 0);
    add(m, COLL_BCAST, "a", 30, REASON_BAD_SETTING, 0, 0);
    first_line(m, "Cannot tell what Pleach would do: most calls were kept from it (bad-setting).");
    add(m, COLL_BCAST, "a", 90, REASON_FORCED, 0, 0);
    first_line(m, "Cannot tell what Pleach would do: most calls were kept from it by settings of engines (forced); to see, "
                  "run the program without them.");
}

START_TEST(it_lists_other_calls)
{
    struct made *m = made();
    add_other(m, "MPI_Alltoall", 12);
    first_line(m, "Pleach would not help: the program made none of the calls that it serves.");
    says(m, "    7     2K  12s   12.0%  MPI_Alltoall\n");
    says(m, "\nCalls and bytes of 4 ranks on 2 nodes");
    silent_about(m, "PLEACH");
    for (int i = 0; i < 9; i++)
        add_other(m, "MPI_Ibarrier", 1);
    says(m, "... and 2 more\n");
}

START_TEST(it_says_what_is_unknown)
{
    struct made *m = made();
    add(m, COLL_SCAN, "", 10, REASON_MODEL, 2, 1);
    m->job.note = m->job.command = "";
    m->job.reported = 3;
    m->job.run = 0;
    says(m, "from nominal parameters");
    says(m, "1 rank has not reported.\n");
    silent_about(m, "SITE");
    m->job.reported = 2;
    says(m, "2 ranks have not reported.\n");
    m->job.settings = "PLEACH_STACK=2 PLEACH_BETA=1ns";
    says(m, "from parameters that were set (PLEACH_BETA).\n");

    m = made();
    add(m, COLL_SCAN, "a", 10, REASON_OVERSUBSCRIBED, 0, 0);
    says(m, "No engine would have served a call.\n");
}

/* If page faults of native calls take at least 1 % of the run, the advice names the variables that may save them. */
START_TEST(it_names_the_variables_of_the_heap)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a", 10, REASON_MODEL, 0, 0);
    m->job.faults = 4 * 20000;
    m->job.faulted = 4 * 2.5;
    says(m, "\nNative calls took 20000 page faults a rank, about 2.5 s, which is 2.5 % of the run.");
    says(m, "\n    MALLOC_TRIM_THRESHOLD_=");
    m->job.faulted = 4 * 0.99;
    silent_about(m, "MALLOC");
}

/* The sites in the table and its row "(others)" add up to all calls. */
START_TEST(sites_add_up)
{
    static const char *const name[] = {"a", "b", "", "c", "d", "e", "f", "g"};
    struct made *m = made();
    for (int i = 0; i < 8; i++)
        add(m, i % 2 ? COLL_SCAN : COLL_BCAST, name[i], 10 - i, REASON_MODEL, 0, 0);
    says(m, "  5s    5.0%  -       -      -       scan        e\n"
            " 3000  2.861M  15s   15.0%  -       -      -       -           (others)\n");
}

/* Lines fit the terminal, and numbers look the same in every locale. */
START_TEST(a_long_site_is_cut)
{
    struct made *m = made();
    add(m, COLL_SCAN, "a_function_with_a_long_name+0x1f < another_one+0x3a", 10, REASON_MODEL, 2, 1);
    if (!in_decimal_comma())
        return;
    const char *text = advice(m, 70), *name = strstr(text, "a_f"), *line = name;
    while (line && line > text && line[-1] != '\n')
        line--;
    REQUIRE(line && strcspn(line, "\n") == 70 && strncmp(line + 68, "..\n", 3) == 0,
            "the line is not cut to 70 columns:\n%s", text);
    REQUIRE(strstr(text, " 5.0%") && !strstr(text, " 5,0"), "a decimal comma is in:\n%s", text);
    says(m, "a_function_with_a_long_name+0x1f < another_one+0x3a\n");
}

/* The first words of a report of a run that was not dry. */
static void gained(const struct made *m, const char *sentence)
{
    char text[GAIN];
    const struct advice_totals s = sums_of(&m->job);
    verdict_gain(&m->job, &s, text);
    REQUIRE(strcmp(text, sentence) == 0, "expected \"%s\", found \"%s\"", sentence, text);
}

START_TEST(gains)
{
    struct made *m = made();
    m->job.dry = false;
    gained(m, "No difference: the program made none of the calls that Pleach serves.");
    /* Calls took 20 s of the 100 s that the run took; natively they would have taken 60 s. */
    add(m, COLL_ALLREDUCE, "f", 20, REASON_MODEL, 240, 80);
    gained(m, "Pleach saved at most 40 s: without it, the run would take 140 s (by the model).");
    tried(m, 8);
    gained(m, "Pleach saved 38 s to 42 s: without it, the run would take 140 s (measured).");
    m->job.measuring = 8;
    gained(m,
           "Pleach saved 38 s to 42 s: without it, the run would take 140 s (measured). Measuring took 2.0 s of 100 s; in a "
           "longer run it takes no more.");
    m->job.measuring = 0;
    m = made();
    m->job.dry = false;
    add(m, COLL_SCAN, "f", 20, REASON_FORCED, 1, 2);
    tried(m, 0);
    gained(m, "Pleach lost 10 s: without it, the run would take 90 s (measured).");
    m = made();
    m->job.dry = false;
    add(m, COLL_SCAN, "f", 2, REASON_MODEL, 3, 3);
    gained(m, "No difference: 98 % of the run is outside the calls that Pleach serves.");
    add(m, COLL_BCAST, "f", 50, REASON_MODEL, 3, 3);
    gained(m, "No difference: native calls would have been as fast (by the model).");
    m = made();
    m->job.dry = false;
    add(m, COLL_BCAST, "f", 50, REASON_BELOW_THRESHOLD, 0, 0);
    gained(m, "No difference: all calls were native.");
}

SUITE("advice", 4)
