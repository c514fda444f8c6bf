/* SPDX-License-Identifier: BSD-2-Clause */
/* Statistics of times. */
#include "suite.h"
#include "timing.h"

#include <math.h>

enum { TIMES = 8 };

/* ---- Statistics ------------------------------------------------------------------------------------------------------ */

START_TEST(statistics)
{
    struct timing t = {0};
    struct repetition seven[] = {{5, true}, {1, true}, {7, true}, {2, true}, {6, true}, {3, true}, {4, true}},
                      four[] = {{4, true}, {2, true}, {8, false}, {1, false}}, one[] = {{3, true}},
                      apart[] = {{3, false}, {2, false}};
    timing_set(&t, seven, 7);
    ck_assert_int_eq(t.count, 7);
    ck_assert(t.least == 1 && t.sound == 1 && t.median == 4 && t.quartile == 6 && t.most == 7);
    ck_assert(t.spread == 5. / 4);
    timing_set(&t, four, 4);
    ck_assert(t.least == 1 && t.sound == 2 && t.median == 3 && t.quartile == 4 && t.most == 8);
    ck_assert(t.spread == 2. / 3);
    timing_set(&t, apart, 2); /* ranks never began together: all repetitions count */
    ck_assert(t.least == 2 && t.sound == 2 && t.median == 2.5 && t.quartile == 3 && t.most == 3);
    timing_set(&t, one, 1);
    ck_assert(t.least == 3 && t.median == 3 && t.quartile == 3 && t.most == 3 && t.spread == 0);
}

/* The times of an engine, from a list of microseconds. If a time is negative, ranks began apart in that repetition. */
static struct timing times_of(const char *engine, const char *us)
{
    struct timing t = {.engine = engine_find(engine), .right = true};
    struct repetition r[TIMES];
    char text[100], *rest = text;
    int count = 0;
    snprintf(text, sizeof text, "%s", us);
    for (char *one; (one = strsep(&rest, ",")); count++)
        r[count] = (struct repetition){fabs(atof(one)) * 1e-6, atof(one) > 0};
    timing_set(&t, r, count);
    return t;
}

START_TEST(noise)
{
    static const struct {
        const char *us;
        bool noisy;
    } all[] = {
        {"100,100,100", false},
        {"100,110,120,130", false},
        {"100,100,100,100,100,100,100,90000", false}, /* up to a quarter of the repetitions may be late */
        {"100,15000,15000", true},                    /* the median is 150 times the least */
        {"100,101,160", true},
        {"100,101,145", false},
        {"-10,100,101,102", false}, /* ranks began apart in the fastest one, which does not count */
        {"50,100,101", true},
        {"-10,-100,-101,150", false}, /* the only repetition in which ranks began together was late */
        {"100", false},               /* a single time shows no noise */
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        struct timing t = times_of("chain", all[i].us);
        ck_assert_msg(timing_noisy(&t) == all[i].noisy, "%s: spread %g", all[i].us, t.spread);
    }
}

START_TEST(regrets)
{
    struct timing all[] = {times_of("native", "100,100,100"), times_of("chain", "80,80,80"), times_of("ring", "60,60,60")};
    double odd[] = {1.5, 1, 3}, even[] = {2, 1, 4, 1};
    struct regret r = regret_of(odd, 3);
    ck_assert(r.count == 3 && r.median == 1.5 && r.most == 3);
    r = regret_of(even, 4);
    ck_assert(r.count == 4 && r.median == 1.5 && r.most == 4);
    r = regret_of(NULL, 0);
    ck_assert(r.count == 0 && r.median == 0 && r.most == 0);
    ck_assert_ptr_eq(timing_best(all, 3), &all[2]);
    ck_assert_ptr_eq(timing_best(all, 1), &all[0]);
    all[2].right = false; /* a wrong result does not count, however fast */
    ck_assert_ptr_eq(timing_best(all, 3), &all[1]);
    all[0].right = all[1].right = false;
    ck_assert_ptr_eq(timing_best(all, 3), &all[0]);
}

SUITE("timing", 60)
