/* SPDX-License-Identifier: BSD-2-Clause */
/* The main function of a program of unit tests. */
#ifndef PLEACH_SUITE_H
#define PLEACH_SUITE_H

#include <check.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Like ck_assert_msg, but costs nothing where it holds. */
#define REQUIRE(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

/*
 * Runs `count` tests, each within `seconds`, and before them `looped` (may be NULL) for _i = 0 .. loops-1. Prints Check's
 * summary; returns the number of failures, for main.
 */
static inline int run_suite(const char *name, const TTest *const tests[], size_t count, double seconds, const TTest *looped,
                            int loops)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, seconds);
    if (looped)
        tcase_add_loop_test(tcase, looped, 0, loops);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures;
}

#endif
