/* SPDX-License-Identifier: BSD-2-Clause */
/* For all unit tests: the main function, files, numbers. Each test has a process and a folder of its own. */
#ifndef PLEACH_SUITE_H
#define PLEACH_SUITE_H

#include <check.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define BIT(n) ((int64_t)1 << (n))
#define K BIT(10)
#define M BIT(20)

/* Like ck_assert_msg, but costs nothing if the condition holds. */
#define REQUIRE(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

/* A main function that runs these tests, each for `seconds` at most. */
#define SUITE(name, seconds, ...) LOOPED_SUITE(name, seconds, NULL, 0, __VA_ARGS__)

/* Like SUITE, but the test `looped` runs first, for _i = 0 .. loops-1. */
#define LOOPED_SUITE(name, seconds, looped, loops, ...)                                                                     \
    int main(void)                                                                                                          \
    {                                                                                                                       \
        const TTest *const tests[] = {__VA_ARGS__};                                                                         \
        return run_suite(name, seconds, looped, (int)(loops), tests, COUNT(tests)) != 0;                                    \
    }

static inline void enter_folder(void)
{
    char own[] = "XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(own));
    ck_assert_int_eq(chdir(own), 0);
}

/* Should the test run? CASE in the environment selects a single test; see scripts/test. */
static inline bool wanted(const TTest *test)
{
    const char *only = getenv("CASE");
    return !only || !only[0] || strcmp(only, test->name) == 0;
}

/* Prints Check's summary; returns the number of failures. */
static inline int run_suite(const char *name, double seconds, const TTest *looped, int loops, const TTest *const tests[],
                            size_t count)
{
    char folder[] = "/tmp/check_pleach.XXXXXX", command[64];
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, seconds);
    tcase_add_checked_fixture(tcase, enter_folder, NULL);
    if (looped && wanted(looped))
        tcase_add_loop_test(tcase, looped, 0, loops);
    for (size_t i = 0; i < count; i++)
        if (wanted(tests[i]))
            tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_ENV);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? failures : failures + 1;
}

static inline void write_file(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "w");
    ck_assert(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* Sets a German locale, in which printf("%f") writes a decimal comma. Returns false if there is none. */
static inline bool in_german(void)
{
    char number[16];
    ck_assert_int_eq(system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1; true"), 0);
    setenv("LOCPATH", ".", 1);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        fprintf(stderr, "not tested: the locale, as there is no German one here\n");
        return false;
    }
    snprintf(number, sizeof number, "%.1f", 0.5);
    ck_assert_str_eq(number, "0,5");
    return true;
}

#endif
