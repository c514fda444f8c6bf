/* SPDX-License-Identifier: BSD-2-Clause */
/* Rank reports merged into a job's report: sums, the largest share of a rank, waiting, and clocks that differ. */
#include "rank_reports.h"

#include <math.h>

static struct made made[8];
static char why[256];

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

#define REQUIRE_NEAR(a, b) ck_assert_msg(near(a, b), #a " is %.9g, not %.9g", (double)(a), (double)(b))

/* The reports of two ranks, on node0 and another or the same host; and these two merged, rank 1 before rank 0. */
static struct rank_report *a, *b;

static void two_ranks(int ranks, const char *host)
{
    a = made_report(&made[0], 0, ranks, "node0");
    b = made_report(&made[1], 1, ranks, host);
}

static const struct job *both(void)
{
    return joined(job_begin(), (const struct rank_report *[]){b, a}, 2);
}

/* The sums of two ranks. */
START_TEST(sums)
{
    two_ranks(2, "node1");
    add_row(a, COLL_ALLREDUCE, 1 << 20, "butterfly", REASON_MODEL, 0, 10, 0.1);
    add_row(a, COLL_ALLREDUCE, 8, "native", REASON_BELOW_THRESHOLD, 0, 100, 0.001);
    add_row(a, COLL_SCAN, 8, "native", REASON_BELOW_THRESHOLD, 1, 1, 0.5);
    add_row(b, COLL_ALLREDUCE, 1 << 20, "butterfly", REASON_MODEL, 0, 10, 0.3);
    add_row(b, COLL_ALLREDUCE, 8, "native", REASON_BELOW_THRESHOLD, -1, 100, 0.002);
    b->end = END_EXIT;
    b->elapsed = 20;
    b->command = "another";
    b->unshared = "rank 1 has no memory left";
    const struct job *job = both();

    ck_assert(job->reported == 2 && job->ranks == 2 && job->nodes == 2 && job->end == END_EXIT && !job->dry);
    ck_assert(job->elapsed == 20 && job->run == 12 && job->all.calls == 221 && job->waited < 0);
    ck_assert_str_eq(job->command, "./app -n 5");
    ck_assert_str_eq(job->unshared, b->unshared); /* rank 0 has tried with other ranks, or not at all */
    REQUIRE_NEAR(job->all.seconds, 1 + 0.1 + 0.5 + 3 + 0.2);
    ck_assert(job->rank[0].rank == 0 && job->rank[0].calls == 111 && strcmp(job->rank[1].host, "node1") == 0);
    REQUIRE_NEAR(job->rank[1].seconds, 3.2);

    ck_assert_int_eq(job->groups[BY_COLLECTIVE], 2);
    const struct job_group *g = &job->group[BY_COLLECTIVE][0];
    ck_assert(g->collective == COLL_ALLREDUCE && g->tally.calls == 220 && g->ranks == 2 && g->most_rank == 1);
    REQUIRE_NEAR(g->most, 3.2);
    REQUIRE_NEAR(g->engines.seconds, 4);
    ck_assert(g->tally.least == 0.001 && g->tally.most == 0.3 && g->engines.calls == 20);
    ck_assert(g[1].collective == COLL_SCAN && g[1].ranks == 1 && g[1].most == 0.5 && g[1].most_rank == 0);

    ck_assert_int_eq(job->groups[BY_SIZE], 3);
    ck_assert(job->group[BY_SIZE][0].size == 20 && job->group[BY_SIZE][1].collective == COLL_SCAN);
    ck_assert_int_eq(job->groups[BY_SERVICE], 3);
    g = job->group[BY_SERVICE];
    ck_assert(g[0].engine == engine_row(engine_find("butterfly")) && g[0].reason == REASON_MODEL && g[0].tally.calls == 20);
    ck_assert_int_eq(job->groups[BY_SITE], 3);
    g = job->group[BY_SITE];
    ck_assert_str_eq(g[0].site, "solve+0x1f < main+0x3a");
    REQUIRE_NEAR(g[0].tally.seconds, 4.1);
    ck_assert_str_eq(g[1].site, "main+0x77");
    ck_assert(strcmp(g[2].site, "") == 0 && g[2].most_rank == 1);
}

/* In a dry run, calls that an engine would have served count as the engines' share. */
START_TEST(dry_runs)
{
    struct merge *j = job_begin();
    struct rank_report *a = made_report(&made[0], 0, 1, "node0");
    a->dry = true;
    add_row(a, COLL_ALLREDUCE, 1 << 20, "native", REASON_MODEL, 0, 10, 0.1)->would = engine_row(engine_find("butterfly"));
    add_row(a, COLL_ALLREDUCE, 1 << 20, "native", REASON_BELOW_THRESHOLD, 0, 1, 0.1);
    const struct job *job = joined(j, (const struct rank_report *[]){a}, 1);
    ck_assert(job->dry && job->groups[BY_SERVICE] == 2 && job->group[BY_COLLECTIVE][0].engines.calls == 10);
    job_free(j);
}

/*
 * Rank 1 comes 0.2 s late to a call of 0.5 s. Rank 0 comes a second late to the next call, which rank 1 has left by then:
 * rank 1 has waited no longer than its call took.
 */
START_TEST(waits)
{
    two_ranks(3, "node0");
    b->began = a->began + 0.5;
    add_row(a, COLL_ALLREDUCE, 8, "native", REASON_MODEL, 0, 2, 0.3);
    add_row(b, COLL_ALLREDUCE, 8, "native", REASON_MODEL, 0, 2, 0.3);
    add_call(a, 7, 0, 2, 1, 0.5);
    add_call(b, 7, 0, 2, 0.7, 0.3);
    add_call(a, 7, 256 + 2, 2, 3, 0.25);
    add_call(b, 7, 256 + 2, 2, 1.5, 0.125)->collective = COLL_ALLREDUCE;
    add_call(a, 8, 0, 2, 4, 1); /* rank 2 made this call, too, and has not reported */
    const struct job *job = both();

    ck_assert(job->calls == 2 && job->moments == 4 && job->call[0].each == 1 && job->call[1].each == 2);
    const struct job_moment *m = job->moment + job->call[0].first;
    ck_assert(m[0].rank == 0 && m[1].rank == 1);
    REQUIRE_NEAR(m[0].waited, 0.2);
    REQUIRE_NEAR(m[1].waited, 0);
    REQUIRE_NEAR(m[1].start, 1.2);
    REQUIRE_NEAR(job->call[0].start, 1);
    m = job->moment + job->call[1].first;
    REQUIRE_NEAR(m[0].waited, 0);
    REQUIRE_NEAR(m[1].waited, 0.125);
    REQUIRE_NEAR(job->waited, (0.2 + 2 * 0.125) / (0.5 + 0.3 + 2 * (0.25 + 0.125)));
    REQUIRE_NEAR(job->rank[0].waited, 0.2 / (0.5 + 2 * 0.25));
    REQUIRE_NEAR(job->rank[1].waited, 2 * 0.125 / (0.3 + 2 * 0.125));
    for (int d = 0; d < DIMENSIONS; d++)
        REQUIRE_NEAR(job->group[d][0].waited, job->waited);
}

/*
 * If engines would serve the calls of a group, its `whole` is the mean time from the last start to the last end of a call.
 * Its `tried` sums up the rows with trials.
 */
START_TEST(times_that_check_a_model)
{
    struct merge *j = job_begin();
    struct rank_report *p[] = {made_report(&made[0], 0, 2, "node0"), made_report(&made[1], 1, 2, "node0")};
    for (int rank = 0; rank < 2; rank++) {
        add_row(p[rank], COLL_ALLREDUCE, 8, "native", REASON_MODEL, 0, 2, 0.2)->would = 1;
        struct rank_row *r = add_row(p[rank], COLL_ALLREDUCE, 8, "native", REASON_LEARNED, 0, 1, 0.25);
        r->tried = true;
        r->tally.noise = 0.5;
        add_row(p[rank], COLL_ALLREDUCE, 64, "native", REASON_ZERO_BYTES, 0, 1, 0.25);
        add_call(p[rank], 1, 2, 2, 7, 1)->bytes = 64;
    }
    add_call(p[0], 1, 0, 2, 1, 0.75); /* 1.25 .. 1.75 */
    add_call(p[1], 1, 0, 2, 1.25, 0.25);
    add_call(p[0], 1, 1, 2, 3, 0.25); /* 3 .. 3.25 */
    add_call(p[1], 1, 1, 2, 2.5, 0.5);
    const struct job *job = joined(j, (const struct rank_report *[]){p[0], p[1]}, 2);
    const struct job_group *g = job->group[BY_SIZE];
    ck_assert(job->groups[BY_SIZE] == 2 && g[0].size == 3 && g[1].size == 6);
    REQUIRE_NEAR(g[0].whole, 0.375);
    ck_assert(g[1].whole == 0);
    ck_assert(g[0].modelled.calls == 4 && g[0].engines.calls == 4 && g[0].tried.calls == 2 && g[0].tried.noise == 1);
    job_free(j);
}

/* A host is crowded if it has more ranks than cores that its ranks may use. */
START_TEST(crowded_hosts)
{
    static const struct {
        const char *cores[3];
        bool crowded;
    } of[] = {{{"0-1", "0-1", "0-7"}, false},
              {{"0", "2", "0"}, false},
              {{"0", "0", "0-7"}, true},
              {{"", "0", ""}, false},
              {{"9999999999-3,", "x", "-1"}, false}};
    for (size_t i = 0; i < COUNT(of); i++) {
        struct merge *j = job_begin();
        const struct rank_report *p[3];
        for (int r = 0; r < 3; r++) {
            struct rank_report *own = made_report(&made[r], r, 3, r < 2 ? "node0" : "node1");
            own->cores = of[i].cores[r];
            p[r] = own;
        }
        REQUIRE(joined(j, p, 3)->crowded == of[i].crowded, "row %zu", i);
        job_free(j);
    }
}

/* The job leaves out calls about which ranks contradict each other. */
START_TEST(calls_that_cannot_be)
{
    two_ranks(2, "node0");
    add_call(a, 1, 0, 2, 1, 1); /* reported twice by one rank, and not by the other */
    add_call(a, 1, 0, 2, 1, 1);
    add_call(a, 1, 1, 2, 1, 1); /* another collective */
    add_call(b, 1, 1, 2, 1, 1)->collective = COLL_SCAN;
    add_call(a, 1, 2, 2, 1, 1); /* another number of ranks */
    add_call(b, 1, 2, 3, 1, 1);
    add_call(a, 1, 3, 1, 1, 1); /* two ranks of a communicator of one rank */
    add_call(b, 1, 3, 1, 1, 1);
    add_call(a, 1, 257, 2, 1, 1); /* a number that no sample has */
    add_call(b, 1, 257, 2, 1, 1);
    add_call(a, 1, 5, 2, 1, 1);
    add_call(b, 1, 5, 2, 1, 1); /* valid, though no row has such calls */
    const struct job *job = both();
    ck_assert_int_eq(job->calls, 1);
    ck_assert(job->waited == 0 && job->groups[BY_SITE] == 0);
}

/*
 * Two hosts make calls of a millisecond. The second host's clock is ahead by `offset` seconds; the hosts come late0 and
 * late1 seconds late to each call. Returns the offset that is left after the job has corrected the clocks.
 */
static double offset_seen(double offset, double late0, double late1)
{
    two_ranks(2, "node1");
    b->began = a->began + offset;
    for (int n = 0; n < 20; n++) {
        double last = n + fmax(late0, late1);
        add_call(a, 7, n, 2, n + late0, last - (n + late0) + 0.001);
        add_call(b, 7, n, 2, n + late1, last - (n + late1) + 0.001);
    }
    const struct job *job = both();
    ck_assert_int_eq(job->calls, 20);
    const struct job_moment *m = job->moment + job->call[3].first;
    double seen = m[1].start - m[0].start - (late1 - late0);
    return seen;
}

START_TEST(clocks)
{
    ck_assert(near(offset_seen(0, 0, 0), 0) && near(offset_seen(0, 0, 0.5), 0) && near(offset_seen(0, 0.5, 0), 0));
    /* The job leaves a clock alone if calls show no error. Otherwise, it corrects the clock to within the time of a call. */
    REQUIRE_NEAR(offset_seen(0.0005, 0, 0), 0.0005);
    REQUIRE_NEAR(offset_seen(5, 0, 0), 0.001);
    REQUIRE_NEAR(offset_seen(-5, 0, 0), -0.001);
    REQUIRE_NEAR(offset_seen(5, 0, 0.25), 0.001);
    REQUIRE_NEAR(offset_seen(-5, 0, 0.25), -0.251);
}

/* Ranks of a host share its clock, so the job never corrects the clock of one against that of another. */
START_TEST(one_clock_a_host)
{
    two_ranks(2, "node0");
    add_call(a, 7, 0, 2, 1, 0.1);
    add_call(b, 7, 0, 2, 3, 0.1);
    const struct job *job = both();
    REQUIRE_NEAR(job->moment[1].start, 3);
    REQUIRE_NEAR(job->moment[0].waited, 0.1);
}

/* Calls in which ranks need not wait for all others show no error of clocks: a scan, and a call without data. */
START_TEST(calls_that_prove_nothing)
{
    for (int i = 0; i < 2; i++) {
        two_ranks(2, "node1");
        struct rank_call *c = add_call(a, 7, 0, 2, 1, 0.1), *d = add_call(b, 7, 0, 2, 3, 0.1);
        if (i == 0)
            c->collective = d->collective = COLL_SCAN;
        else
            c->bytes = d->bytes = 0;
        const struct job *job = both();
        REQUIRE_NEAR(job->moment[1].start - job->moment[0].start, 2);
    }
}

START_TEST(a_rank_reports_once)
{
    struct merge *j = job_begin();
    struct rank_report *a = made_report(&made[0], 3, 4, "node0");
    add_row(a, COLL_SCAN, 8, "native", REASON_MODEL, 0, 1, 1);
    ck_assert(job_add(j, a, why, sizeof why) && !job_add(j, a, why, sizeof why));
    ck_assert_str_eq(why, "rank 3 has reported already");
    const struct job *job = job_finish(j);
    ck_assert(job && job->reported == 1 && job->ranks == 4 && job->all.calls == 1);
    job_free(j);
}

START_TEST(other_collectives)
{
    two_ranks(2, "node0");
    a->others = 1;
    a->other[0] = (struct rank_other){"MPI_Alltoall", 12, 4096, 0.5};
    b->others = 2;
    b->other[0] = (struct rank_other){"MPI_Barrier", 1, 0, 3};
    b->other[1] = (struct rank_other){"MPI_Alltoall", 1, 4, 0.5};
    const struct job *job = both();
    ck_assert(job->others == 2 && strcmp(job->other[0].name, "MPI_Barrier") == 0);
    ck_assert(job->other[1].calls == 13 && job->other[1].bytes == 4100 && job->other[1].seconds == 1);
}

/* The job has each frame once, though ranks list frames in different orders. */
START_TEST(frames)
{
    two_ranks(2, "node0");
    add_row(a, COLL_SCAN, 8, "native", REASON_MODEL, 0, 1, 1);
    a->frames = b->frames = 3;
    a->frame[1] = b->frame[2] = "0x118f 77ab main+0x3a /home/me/app";
    a->frame[2] = "0x118f 77ab sol+0x1f /home/me/app";
    b->frame[1] = "0x118f 88ab main+0x3a /home/me/app";
    const struct job *job = joined(job_begin(), (const struct rank_report *[]){a, b}, 2);
    ck_assert_int_eq(job->frames, 4);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(job->frame[i], a->frame[i]);
    ck_assert_str_eq(job->frame[3], b->frame[1]);
}

/* Thousands of ranks, each of which shares its sites with its neighbours: merging finds the entries of earlier reports. */
START_TEST(many_ranks)
{
    enum { RANKS = 3000 };
    struct merge *j = job_begin();
    char site[2][32], host[16];
    for (int i = 0; i < RANKS; i++) {
        int rank = (i * 7) % RANKS;
        snprintf(host, sizeof host, "node%d", rank / 64);
        snprintf(site[0], sizeof site[0], "site%d", rank);
        snprintf(site[1], sizeof site[1], "site%d", (rank + 1) % RANKS);
        struct rank_report *p = made_report(&made[0], rank, RANKS, host);
        p->site[0] = site[0];
        p->site[1] = site[1];
        add_row(p, COLL_ALLREDUCE, 8, "native", REASON_MODEL, 0, 1, 0.001 * (rank + 1));
        add_row(p, COLL_ALLREDUCE, 8, "native", REASON_MODEL, 1, 1, 0.001);
        add_call(p, 1, 0, RANKS, 1, 0.5);
        add_call(p, 1, 1, RANKS, 2 + 1e-3 * rank, 5);
        ck_assert(job_add(j, p, why, sizeof why));
    }
    const struct job *job = job_finish(j);
    ck_assert(job && job->reported == RANKS && job->nodes == (RANKS + 63) / 64 && job->calls == 2);
    ck_assert(job->groups[BY_SITE] == RANKS && job->groups[BY_COLLECTIVE] == 1);
    ck_assert_int_eq(job->group[BY_COLLECTIVE][0].most_rank, RANKS - 1);
    ck_assert(job->group[BY_SITE][5].ranks == 2 && strcmp(job->group[BY_SITE][0].site, "site2999") == 0);
    for (int i = 0; i < RANKS; i++) {
        ck_assert(job->rank[i].rank == i && job->moment[RANKS + i].rank == i);
        REQUIRE_NEAR(job->moment[RANKS + i].waited, 1e-3 * (RANKS - 1 - i));
    }
    job_free(j);
}

/*
 * All formats show the calls without a site, however little time these took. They also show how much time a site may lack,
 * which is the sum of the ranks' bounds.
 */
START_TEST(calls_without_a_site)
{
    enum { RANKS = 50 };
    static const char *const expected[JOB_FORMATS] = {
        [JOB_TEXT] = "  scan        (others)\n... and 40 more, with 38.0% of the run\n" JOB_OTHERS_NOTE "\n",
        [JOB_TSV] = "\nsite\tscan\t-\t-\t-\t-\t(others)\t50\t50\t",
        [JOB_CSV] = "\nsite,scan,-,-,-,-,(others),50,50,",
        [JOB_HTML] = "<p class='note'>And 10 more, with 9.3% of the run.</p>\n"
                     "<p class='note'>" JOB_OTHERS_NOTE "</p>\n"};
    struct merge *j = job_begin();
    char site[16], *text;
    size_t length;
    for (int rank = 0; rank < RANKS; rank++) {
        struct rank_report *p = made_report(&made[0], rank, RANKS, "node0");
        snprintf(site, sizeof site, "site%d", rank);
        p->site[0] = site;
        p->faults = 10;
        p->faulted = 1e-3;
        add_row(p, COLL_BCAST, 8, "native", REASON_MODEL, 0, 1, 6 - 0.01 * rank);
        add_row(p, COLL_SCAN, 8, "native", REASON_MODEL, -1, 1, 1e-6);
        ck_assert(job_add(j, p, why, sizeof why));
    }
    const struct job *job = job_finish(j);
    REQUIRE_NEAR(job->faults, RANKS * 10);
    REQUIRE_NEAR(job->faulted, RANKS * 1e-3);
    for (enum job_format format = JOB_TEXT; format < JOB_FORMATS; format++) {
        if (!expected[format])
            continue;
        FILE *f = open_memstream(&text, &length);
        ck_assert(job_write(job, format, 0, f) && fclose(f) == 0);
        REQUIRE(strstr(text, expected[format]), "no '%s' in:\n%.3000s", expected[format], strstr(text, "site9"));
        ck_assert_ptr_nonnull(strstr(text, "(others)"));
        free(text);
    }
    job_free(j);
}

/* The report of a job of four ranks: rank 2 has not reported, and rank 3 has not ended. */
static const char *written(enum job_format format, int columns)
{
    static char page[1 << 17];
    static const int told[] = {0, 1, 3};
    struct merge *j = job_begin();
    memset(page, 0, sizeof page);
    for (int i = 0; i < 3; i++) {
        struct rank_report *p = made_report(&made[i], told[i], 4, told[i] < 2 ? "node0" : "node1");
        add_row(p, COLL_ALLREDUCE, 1 << 20, "butterfly", REASON_MODEL, 0, 10, 0.1234567 * (i + 1));
        add_row(p, COLL_SCAN, 0, "native", REASON_ZERO_BYTES, -1, 1, 1.5e-7);
        p->began = 1763800000;
        p->settings = "PLEACH_STACK=4 PLEACH_NAME=\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9";
        p->end = told[i] == 3 ? END_RUNNING : END_FINALIZE;
        ck_assert(job_add(j, p, why, sizeof why));
    }
    FILE *f = fmemopen(page, sizeof page, "w");
    ck_assert(f && job_write(job_finish(j), format, columns, f) && fclose(f) == 0);
    job_free(j);
    return page;
}

#define REQUIRE_IN(page, part) ck_assert_msg(strstr(page, part) != NULL, "no '%s' in:\n%s", part, page)

START_TEST(text)
{
    const char *page = written(JOB_TEXT, 0);
    REQUIRE_IN(page, "  command   ./app -n 5\n  date      2025-11-22 08:26:40 UTC\n  versions  Pleach 0.2.0, MPICH 4.0.2\n");
    REQUIRE_IN(page, "4, of which 3 on 2 nodes have reported; missing: 2\n");
    REQUIRE_IN(page, "unended   3: they");
    REQUIRE_IN(page, "33, 30M bytes: 2.469s a rank, which is 20.6% of its run; the most 3.704s, of rank 3\n");
    REQUIRE_IN(page, "solve+0x1f < main+0x3a\n");
    ck_assert(!strstr(page, "waited") && !strstr(page, "dry"));
}

/* No line that is cut has more columns than wanted, no character is cut in two, and no line that fits is cut. */
START_TEST(cut_text)
{
    char whole[1 << 14];
    snprintf(whole, sizeof whole, "%s", written(JOB_TEXT, 0));
    ck_assert_str_eq(whole, written(JOB_TEXT, 10000));
    for (int columns = 30; columns < 130; columns++) {
        const char *line = written(JOB_TEXT, columns);
        for (; *line && strncmp(line, "TIME is", 7) != 0; line += strcspn(line, "\n") + 1) {
            size_t length = strcspn(line, "\n"),
                   cut = length > 1 && line[length - 2] == '.' && line[length - 1] == '.' ? 2 : 0;
            REQUIRE(cut == 0 || length <= (size_t)columns, "%zu of %d columns: %.200s", length, columns, line);
            REQUIRE(cut == 0 || ((unsigned char)line[length - 3] & 0xc0) != 0xc0, "%.200s", line);
        }
    }
}

START_TEST(tsv)
{
    const char *page = written(JOB_TSV, 0);
    int columns = 1;
    for (const char *c = page; *c != '\n'; c++)
        columns += *c == '\t';
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1) {
        int tabs = 0;
        for (const char *c = line; *c != '\n'; c++)
            tabs += *c == '\t';
        REQUIRE(*line == '#' ? tabs == 0 : tabs == columns - 1, "%d columns: %.200s", tabs + 1, line);
    }
    REQUIRE_IN(page, "\n# pleach-report 1\n");
    REQUIRE_IN(page, "\nrank\t-\t-\t-\t-\t-\tnode1\t1\t11\t-\t3.703701150\t");
}

START_TEST(written_in_any_locale)
{
    static char before[JOB_FORMATS][1 << 17];
    for (enum job_format f = 0; f < JOB_FORMATS; f++)
        snprintf(before[f], sizeof before[f], "%s", written(f, 0));
    if (!in_decimal_comma())
        return;
    for (enum job_format f = 0; f < JOB_FORMATS; f++)
        ck_assert_str_eq(before[f], written(f, 0));
}

START_TEST(formats)
{
    ck_assert(job_format_of("a.html") == JOB_HTML && job_format_of("a.HTML") == JOB_HTML &&
              job_format_of("a.tsv") == JOB_TSV && job_format_of("a.csv") == JOB_CSV && job_format_of("a.json") == JOB_JSON);
    ck_assert(job_format_of("html") == JOB_TEXT && job_format_of("a.html.txt") == JOB_TEXT && job_format_of("") == JOB_TEXT);
}

SUITE("jobs", 10)
