/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples of measured times. The test replaces MPI_Allreduce by a function that gives the times of batches from a table. */
#include "sample.h"
#include "suite.h"

#include <math.h>

enum { BATCHES = 8 };
static const double *script; /* seconds of the batches */
static int batches, works;   /* batches, and times that once() has run */
static double passed;        /* seconds until now, on the rank with the most */

/* Called before each batch and after it: gives the batch's seconds and the seconds until now. */
static int allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    static bool within;
    (void)mine;
    (void)count;
    (void)type;
    (void)op;
    (void)comm;
    double *most = all;
    within = !within;
    most[0] = within ? 0 : script[batches++];
    passed += most[0];
    most[1] = passed;
    return MPI_SUCCESS;
}

static void once(struct measurement *w)
{
    (void)w;
    works++;
}

static struct sample take(const double *batch, double extra, int least, int most, struct limit *limit)
{
    struct measurement w = {.once = once, .extra = extra, .limit = limit};
    pmpi.Allreduce = allreduce;
    script = batch;
    batches = works = 0;
    return sample_measure(&w, least, most);
}

START_TEST(samples)
{
    static const struct {
        double script[BATCHES], extra;
        int least, most;
        double seconds;
        bool noisy;
        int batches, works;
    } table[] = {
        {{9, 1, 1.2, 2}, 0, 1, 1, 1, false, 4, 5},
        {{1, 50, 1.2, 60}, 0, 1, 1, 1, false, 4, 5},       /* the first batch may be the fastest */
        {{1, 5, 7, 9}, 0, 1, 1, 1, true, 4, 5},            /* noisy, and no time is left for another batch */
        {{1, 5, 7, 9, 4, 1.2}, 100, 1, 1, 1, false, 6, 7}, /* goes on until a batch confirms the fastest */
        {{5, 5, 7, 9}, 100, 1, 1, 5, false, 4, 5},
        {{5, 7, 9, 8, 2, 1, 1.2}, 100, 1, 1, 1, false, 7, 8},     /* another batch may become the fastest */
        {{1, 5, 7, 9, 4, 4, 1}, 8, 1, 1, 1, true, 6, 7},          /* goes on until no time is left */
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 1, 16, 1e-4, false, 4, 17}, /* a batch repeats the work as often as fits into 0.5 ms */
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 1, 3, 1e-4, false, 4, 11},
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 8, 16, 1e-4, false, 4, 33},
        {{0, 0, 0, 0}, 0, 1, 16, 0, false, 4, 50}, /* too short for the clock */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct limit limit = {.most = INFINITY};
        const struct sample s = take(table[i].script, table[i].extra, table[i].least, table[i].most, &limit);
        ck_assert_msg(s.seconds == table[i].seconds && s.noisy == table[i].noisy, "row %zu: %g s, noisy %d", i, s.seconds,
                      s.noisy);
        ck_assert_msg(batches == table[i].batches && works == table[i].works, "row %zu: %d batches, once() ran %d times", i,
                      batches, works);
    }
}

/* A batch that would exceed the limit is left out, and so are all after it. */
START_TEST(limited)
{
    static const double even[BATCHES] = {1, 1, 1, 1};
    static const struct {
        double most;
        bool noisy, reached;
        int batches;
    } table[] = {
        {4, false, false, 4}, {3.5, false, true, 3}, {2, false, true, 2}, {1.5, true, true, 1}, {0, true, true, 0},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct limit limit = {.most = table[i].most};
        passed = 0;
        struct sample s = take(even, 0, 1, 1, &limit);
        ck_assert_msg(s.noisy == table[i].noisy && limit.reached == table[i].reached && batches == table[i].batches,
                      "row %zu: noisy %d, reached %d, %d batches", i, s.noisy, limit.reached, batches);
    }
    struct limit over = {.most = 1, .passed = 1};
    ck_assert(take(even, 0, 1, 1, &over).noisy && works == 0 && over.reached);
}

SUITE("sample", 10)
