/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing two runs of a program: which differences exceed noise, and which call sites are the same. */
#include "compare_runs.h"
#include "hash.h"
#include "suite.h"

#include <math.h>
#include <stdarg.h>

_Noreturn void cli_fail(int status, const char *format, ...);
void *cli_memory(size_t count, size_t size);

_Noreturn void cli_fail(int status, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    exit(status);
}

void *cli_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* Adds calls that take about `seconds`. Their times are skewed as real ones are: some calls take much longer. */
static void add_calls(struct sums *all, const char *name, int calls, double seconds, double spread, uint64_t seed)
{
    for (int c = 0; c < calls; c++) {
        const double u = (double)(mix64(seed * 1000003 + (uint64_t)c) >> 11) / 0x1p53;
        const double time = seconds * (1 - spread * log(1 - u));
        struct histogram *one = NULL;
        ck_assert(histogram_add(&one, (int64_t)(1e9 * time), 1));
        sums_add(all, name, 0, &(struct tally){.calls = 1, .seconds = time, .least = time, .most = time}, one);
        histogram_free(one);
    }
}

/* The sum of calls that add_calls() makes. */
static struct sum calls_of(int calls, double seconds, double spread, uint64_t seed)
{
    struct sums all = {0};
    add_calls(&all, "f", calls, seconds, spread, seed);
    all.sum[0].middle = histogram_median(all.sum[0].times);
    return all.sum[0];
}

static enum verdict verdict_of(int calls, double change, double spread, int ranks, uint64_t seed)
{
    struct sum a = calls_of(calls, 1, spread, 2 * seed);
    struct sum b = calls_of(calls, 1 + change, spread, 2 * seed + 1);
    enum verdict v = compare_sums(&a, &b, ranks), mirrored = compare_sums(&b, &a, ranks);
    REQUIRE(mirrored == (v == FASTER   ? SLOWER
                         : v == SLOWER ? FASTER
                                       : v),
            "%d calls, seed %d: the verdict is not symmetric", calls, (int)seed);
    histogram_free(a.times);
    histogram_free(b.times);
    return v;
}

/* Equal runs are compared 2000 times. The comparison may find no more differences than chance allows. */
START_TEST(noise_is_no_difference)
{
    static const int calls[] = {5, 6, 20, 101};
    int found = 0;
    for (uint64_t seed = 0; seed < 2000; seed++)
        found += verdict_of(calls[seed % COUNT(calls)], 0, 0.5, 1, seed) != SAME;
    ck_assert_msg(found <= 6, "%d differences", found);
}

START_TEST(differences_are_found)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        ck_assert_int_eq(verdict_of(60, 0.5, 0.2, 1, seed), SLOWER);
        ck_assert_int_eq(verdict_of(60, -0.4, 0.2, 1, seed), FASTER);
        ck_assert_int_eq(verdict_of(1000, 0.1, 0.1, 1, seed), SLOWER);
        /* A difference of 3 % does not matter to anyone, however many calls show it. */
        ck_assert_int_eq(verdict_of(20000, 0.03, 0.05, 1, seed), SAME);
    }
}

/* Too few calls tell nothing. A call that 16 ranks make together is no more evidence than a call of one rank. */
START_TEST(what_calls_can_tell)
{
    ck_assert_int_eq(verdict_of(4, 10, 0.1, 1, 1), FEW);
    ck_assert_int_eq(verdict_of(79, 10, 0.1, 16, 1), FEW);
    ck_assert_int_eq(verdict_of(160, 10, 0.1, 16, 1), SLOWER);
    int alone = 0, together = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        alone += verdict_of(160, 0.15, 0.3, 1, seed) == SLOWER;
        together += verdict_of(160, 0.15, 0.3, 16, seed) == SLOWER;
    }
    ck_assert_msg(alone > 40 && together < 5, "%d alone, %d together", alone, together);
}

/* A coarse clock gives many calls the same time. */
START_TEST(ties)
{
    struct sum a = calls_of(50, 1, 0, 1), b = calls_of(50, 2, 0, 2);
    ck_assert_int_eq(compare_sums(&a, &a, 1), SAME);
    ck_assert_int_eq(compare_sums(&a, &b, 1), SLOWER);
    /* Half of b's calls, then nine tenths, take as long as a's. */
    for (int i = 0; i < 2; i++) {
        struct histogram *h = NULL;
        ck_assert(histogram_add(&h, 1000000000, i ? 45 : 25) && histogram_add(&h, 2000000000, i ? 5 : 25));
        struct sum some = b;
        some.times = h;
        some.middle = i ? 1 : 1.5;
        ck_assert_int_eq(compare_sums(&a, &some, 1), i ? SAME : SLOWER);
        histogram_free(h);
    }
    histogram_free(a.times);
    histogram_free(b.times);
    struct sum zero = {.tally = {.calls = 50}}; /* a clock may be too coarse for the calls */
    ck_assert_int_eq(compare_sums(&zero, &zero, 1), SAME);
}

START_TEST(reports)
{
    static const struct {
        double least, mean;
        enum verdict verdict;
    } b[] = {{1, 2, SAME},   {1, 2.1, SAME},   {1, 2.3, SLOWER},   {1.2, 2.3, SLOWER}, {0.9, 2.3, SAME},
             {1, 1.9, SAME}, {1, 1.7, FASTER}, {0.5, 1.7, FASTER}, {1.1, 1.7, SAME}};
    for (size_t i = 0; i < COUNT(b); i++) {
        struct sum x = {.tally = {.calls = 4000, .seconds = 8000, .least = 1, .most = 3}, .middle = 2}, y = x;
        y.tally.least = b[i].least;
        y.middle = b[i].mean;
        REQUIRE(compare_sums(&x, &y, 4) == b[i].verdict, "%zu: %s", i, verdict_word(compare_sums(&x, &y, 4)));
        REQUIRE(compare_sums(&x, &y, 1000) == FEW, "%zu: calls of 1000 ranks", i);
        REQUIRE(compare_sums(&x, &y, 400) == SAME, "%zu: calls of 400 ranks", i);
        y.tally.most = 1000; /* a few calls as long as this one explain the difference */
        REQUIRE(compare_sums(&x, &y, 4) == SAME, "%zu: a call that takes very long", i);
    }
}

/* The means of equal runs count as the same, however far apart the times of calls are. */
START_TEST(noise_in_reports)
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct sum x[2];
        for (uint64_t i = 0; i < 2; i++) {
            x[i] = calls_of(50, 1, seed % 2 ? 0.1 : 20, 2 * seed + i);
            histogram_free(x[i].times);
            x[i].times = NULL;
            x[i].middle = x[i].tally.seconds / 50;
        }
        REQUIRE(compare_sums(&x[0], &x[1], 1) == SAME, "seed %d", (int)seed);
    }
}

static void add(struct run *r, enum aspect aspect, const char *name, double seconds)
{
    add_calls(&r->by[aspect], name, 30, seconds, 0.1, (uint64_t)r->by[aspect].names.count + 77);
}

static const struct pair *find(const struct pairs *all, const char *name)
{
    for (const struct pair *p = all->pair; p < all->pair + all->count; p++)
        if (strcmp((p->a ? p->a : p->b)->name, name) == 0)
            return p;
    ck_abort_msg("there is no pair %s", name);
}

START_TEST(matching)
{
    struct run a = {.ranks = 1}, b = {.ranks = 1};
    add(&a, ASPECT_SITE, "f+0x10 < main+0x20", 1);
    add(&a, ASPECT_SITE, "gone+0x1", 1);
    add(&a, ASPECT_COLLECTIVE, "scan", 1);
    add(&b, ASPECT_COLLECTIVE, "scan", 3);
    add(&b, ASPECT_SITE, "f+0x10 < main+0x20", 2);
    struct pairs all = compare_runs(&a, &b);
    ck_assert(all.count == 3 && !all.without_offsets);
    /* The largest effect comes first. */
    ck_assert(strcmp(all.pair[0].a->name, "scan") == 0 && all.pair[0].verdict == SLOWER);
    ck_assert(find(&all, "f+0x10 < main+0x20")->verdict == SLOWER && find(&all, "gone+0x1")->verdict == ONLY_A);
    ck_assert(fabs(all.pair[0].change - 2) < 0.2 && all.pair[0].effect > 50);
    free(all.pair);
}

/* The ranks that made the calls count. If their number is unknown or too large, all ranks of the job do. */
START_TEST(few_ranks)
{
    static const struct {
        int job, ranks;
        enum verdict verdict;
    } row[] = {{16, 0, FEW}, {16, 1, SLOWER}, {16, 4, SLOWER}, {16, 7, FEW}, {4, 99, SLOWER}};
    for (size_t i = 0; i < COUNT(row); i++) {
        struct run a = {.ranks = row[i].job}, b = a;
        add(&a, ASPECT_SITE, "scan", 1);
        add(&b, ASPECT_SITE, "scan", 3);
        a.by[ASPECT_SITE].sum[0].ranks = row[i].ranks;
        struct pairs all = compare_runs(&a, &b);
        REQUIRE(all.pair[0].verdict == row[i].verdict, "%d ranks: %s", row[i].ranks, verdict_word(all.pair[0].verdict));
        free(all.pair);
    }
}

/* The program was compiled anew between the runs. Sites with equal names match; others match without offsets and lines. */
START_TEST(rebuilt)
{
    struct run a = {.ranks = 1}, b = {.ranks = 1};
    add(&a, ASPECT_SITE, "same+0x1", 1);
    add(&b, ASPECT_SITE, "same+0x1", 1);
    add(&a, ASPECT_SITE, "f+0x10 < main+0x20", 1);
    add(&a, ASPECT_SITE, "f+0x30 < main+0x40", 3);
    add(&b, ASPECT_SITE, "f+0x1f < main+0x2a", 4);
    add(&a, ASPECT_SITE, "g (heat.c:88) < main (heat.c:140)", 1);
    add(&b, ASPECT_SITE, "g (heat.c:90) < main (heat.c:142)", 1);
    add(&a, ASPECT_SIZE, "<=1K+0x1", 1);
    struct pairs all = compare_runs(&a, &b);
    ck_assert(all.without_offsets && all.count == 4);
    ck_assert(find(&all, "same+0x1")->verdict == SAME && find(&all, "<=1K+0x1")->verdict == ONLY_A);
    ck_assert_int_eq(find(&all, "g (heat.c) < main (heat.c)")->verdict, SAME);
    const struct pair *f = find(&all, "f < main");
    ck_assert(f->verdict == SLOWER && f->a->tally.calls == 60 && f->b->tally.calls == 30);
    ck_assert(f->a->tally.least < 1.1 && f->a->middle > 1 && f->a->middle < 3.1);
    ck_assert_int_eq(histogram_times(f->a->times), 60);
    free(all.pair);
}

SUITE("comparing runs", 10)
