/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rank reports are read, merged and written, and a segment is simulated, while memory runs out: each allocation in turn
 * fails, and nothing crashes. tests.am wraps the functions that allocate (--wrap).
 */
#include "rank_report_read.h"
#include "rank_reports.h"
#include "simulate.h"

static struct made made[2];
static char why[256];
static int left; /* 1: the next allocation fails, 2: the one after it, ..; 0: none */

static bool fails(void)
{
    return left > 0 && --left == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

static const struct rank_report *sample(int rank)
{
    struct rank_report *p = made_report(&made[rank], rank, 2, rank ? "node1" : "node0");
    add_row(p, COLL_ALLREDUCE, 8, "native", REASON_BELOW_THRESHOLD, 0, 10, 0.1);
    add_row(p, COLL_SCAN, 8, "native", REASON_BELOW_THRESHOLD, 1, 10, 0.1);
    for (int n = 0; n < MADE_CALLS; n++)
        add_call(p, 7, n, 2, 1, 0.5);
    p->others = 1;
    p->other[0] = (struct rank_other){"MPI_Alltoall", 12, 4096, 0.5};
    return p;
}

/* Reads a rank report; its allocation number `allocations` fails. */
static bool reads(const char *text, size_t length, int allocations)
{
    left = allocations;
    struct rank_report *p = rank_report_read(text, length, why, sizeof why);
    left = 0;
    REQUIRE(p || strcmp(why, "out of memory") == 0, "%s", why);
    rank_report_free(p);
    return p != NULL;
}

START_TEST(reading)
{
    size_t length;
    char *text = text_of_report(sample(0), &length);
    int allocations = 1;
    while (!reads(text, length, allocations))
        allocations++;
    ck_assert_int_gt(allocations, 5);
    free(text);
}

/* An attempt to add a rank report fails for lack of memory; then a second one succeeds. The first one must count nothing. */
START_TEST(merging)
{
    bool good = false;
    int allocations = 1;
    for (; !good; allocations++) {
        struct merge *j = job_begin();
        const struct rank_report *const part[] = {sample(0), sample(1)};
        ck_assert(job_add(j, part[0], why, sizeof why));
        left = allocations;
        good = job_add(j, part[1], why, sizeof why);
        left = 0;
        if (!good) {
            ck_assert_str_eq(why, "out of memory");
            ck_assert_msg(job_add(j, part[1], why, sizeof why), "%s", why);
        }
        const struct job *job = job_finish(j);
        ck_assert(job && job->reported == 2 && job->all.calls == 40 && job->calls == MADE_CALLS &&
                  job->other[0].calls == 24);
        ck_assert(job->group[BY_COLLECTIVE][0].tally.calls == 20 && job->group[BY_SITE][1].ranks == 2);
        job_free(j);
    }
    ck_assert_int_gt(allocations, 5);
}

/* Merges two rank reports and writes the job as text; allocation number `allocations` fails. */
static bool writes(int allocations)
{
    static char page[1 << 16];
    FILE *f = fmemopen(page, sizeof page, "w");
    struct merge *j = job_begin();
    const struct rank_report *const part[] = {sample(0), sample(1)};
    ck_assert(j && job_add(j, part[0], why, sizeof why) && job_add(j, part[1], why, sizeof why));
    left = allocations;
    const struct job *job = job_finish(j);
    bool good = job && job_write(job, JOB_TEXT, 0, f) && job_write(job, JOB_TSV, 0, f);
    left = 0;
    job_free(j);
    fclose(f);
    return good;
}

START_TEST(writing)
{
    int allocations = 1;
    while (!writes(allocations))
        allocations++;
    ck_assert_int_gt(allocations, 10);
}

static void start(void *self, struct walk *w, const struct shape *shape, int rank)
{
    engine_walk(self, w, shape, rank);
}

static bool next(void *self, struct walk *w, struct step *step, int rank)
{
    (void)self, (void)rank;
    return walk_next(w, step);
}

/* Simulates calls of ranks in groups of two; allocation number `allocations` fails. */
static bool simulates(int allocations)
{
    const struct generator g = {.start = start, .next = next, .self = (void *)engine_find("node-prefixes")};
    const struct shape s = {.collective = COLL_SCAN, .ordered = true, .ranks = 4, .blocks = 40, .depth = 8};
    const struct segment_call call[] = {{&g, &s, false, 1, false}, {&g, &s, true, 1, false}};
    struct verdict v;
    left = allocations;
    const bool good = simulate_segment(call, 2, s.depth, 2, &v);
    left = 0;
    ck_assert_int_eq(good, v.ok);
    ck_assert_str_eq(v.why, good ? "" : "not enough memory to simulate");
    return good;
}

START_TEST(simulating)
{
    int allocations = 1;
    while (!simulates(allocations))
        allocations++;
    ck_assert_int_gt(allocations, 150); /* the counters of four ranks grow often */
}

SUITE("when memory runs out", 10)
