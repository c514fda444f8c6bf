/* SPDX-License-Identifier: BSD-2-Clause */
/* The time that a benchmark still takes, and whether other programs keep its machine busy. */
#include "estimate.h"
#include "suite.h"

START_TEST(time_left)
{
    ck_assert(estimate_left(0, 0, 300) < 0); /* nothing is known yet */
    ck_assert(estimate_left(0.01, 1, 300) < 0);
    ck_assert(estimate_left(0.25, 10, 300) == 30);
    ck_assert(estimate_left(0.25, 200, 300) == 100); /* the time limit comes first */
    ck_assert(estimate_left(0.5, 301, 300) == 0);
    ck_assert(estimate_left(1, 20, 300) == 0);
}

START_TEST(time_left_as_text)
{
    static const struct {
        double left;
        const char *text;
    } all[] = {
        {-1, ""}, {0, "about 0 s left"}, {99, "about 99 s left"}, {150, "about 2 min left"}, {7200, "about 2 h left"}};
    char text[40];
    for (size_t i = 0; i < COUNT(all); i++)
        ck_assert_str_eq(estimate_text(all[i].left, text, sizeof text), all[i].text);
}

START_TEST(now_and_then)
{
    static const struct {
        double elapsed;
        bool due;
    } all[] = {{0, false}, {9, false}, {11, true}, {12, false}, {20, false}, {21, true}, {99, true}, {100, false}};
    for (size_t i = 0; i < COUNT(all); i++)
        REQUIRE(estimate_due(all[i].elapsed) == all[i].due, "after %g s", all[i].elapsed);
}

/* user nice system idle iowait irq softirq steal guest guest_nice */
static const char stat_text[] = "cpu  1111 0 0 0 0 0 0 0 0 0\n"
                                "cpu0 1000 200 30 5000000 70000 800 900 4 500 0\n"
                                "cpu1 1 2 3 4 5 6 7 8 0 0\n"
                                "cpu10 100 0 0 0 0 0 0 0 0 0\n"
                                "intr 9 9 9\n"
                                "ctxt 9\n";

static double ticks(const char *text, int core, int another)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    CPU_SET(another, &set);
    return load_ticks(text, &set);
}

/*
 * The user time contains that of guests, which is not added again. The time of interrupts does not count, nor does the time
 * of cores that no rank may use.
 */
START_TEST(ticks_of_cores)
{
    ck_assert(ticks(stat_text, 0, 0) == 1234);
    ck_assert(ticks(stat_text, 1, 1) == 14);
    ck_assert(ticks(stat_text, 0, 10) == 1334);
    ck_assert(ticks(stat_text, 1, 5) == 14); /* /proc/stat does not list cores that are offline */
}

START_TEST(a_kernel_that_does_not_tell)
{
    ck_assert(ticks(stat_text, 2, 3) < 0);
    ck_assert(ticks("", 0, 1) < 0);
    ck_assert(ticks("cpu  1 2 3 4\n", 0, 1) < 0);
    ck_assert(ticks("cpu0 1 2\ncpu1 x\n", 0, 1) < 0);
    ck_assert(ticks("cpu0 1 2 3 4\n", 0, 1) == 6);
    ck_assert(ticks("cpu99999999 1 2 3 4\n", 0, 1) < 0);
    ck_assert(ticks("cpu0 0 0 0 0\n", 0, 1) == 0);
}

START_TEST(what_disturbs)
{
    ck_assert(load_disturbs(1.7, 2));
    ck_assert(!load_disturbs(0.1, 2));
    ck_assert(!load_disturbs(-0.1, 2)); /* ticks are coarse, and may be fewer than the ranks' own time */
    ck_assert(!load_disturbs(1.7, 64));
}

SUITE("estimate", 4)
