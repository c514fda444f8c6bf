/* SPDX-License-Identifier: BSD-2-Clause */
/* For all unit tests: the main function, files, numbers. Each test has a process and a folder of its own. */
#pragma once

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
#define IN_ORDER .gathered = true, .consecutive = true /* of a machine: each node has consecutive ranks */

enum { SKIPPED = 77 }; /* the exit status by which make check knows a test that could not run */

/* Like ck_assert_msg, but costs nothing if the condition holds. */
#define REQUIRE(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

/*
 * Tests run in the order of the file. LOOPED_TEST runs for _i = 0 .. loops-1, START_TEST once. SUITE is the main function,
 * which runs all of them, each for `seconds` at most.
 */
#undef START_TEST
#define START_TEST(name) LOOPED_TEST(name, 1)
#define LOOPED_TEST(name, loops)                                                                                            \
    static void name##_test(int _i);                                                                                        \
    __attribute__((constructor(101 + __LINE__))) static void name##_added(void)                                             \
    {                                                                                                                       \
        static const TTest test = {#name, name##_test, __FILE__, __LINE__};                                                 \
        add_test(&test, (int)(loops));                                                                                      \
    }                                                                                                                       \
    static void name##_test(int _i CK_ATTRIBUTE_UNUSED)
#define SUITE(name, seconds)                                                                                                \
    int main(void)                                                                                                          \
    {                                                                                                                       \
        return run_suite(name, seconds);                                                                                    \
    }

static TCase *all_tests;

static inline void enter_folder(void)
{
    char own[] = "XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(own));
    ck_assert_int_eq(chdir(own), 0);
}

/* Adds a test, unless CASE in the environment selects another one; see scripts/test. */
static inline void add_test(const TTest *test, int loops)
{
    const char *only = getenv("CASE");
    if (!all_tests)
        all_tests = tcase_create("tests");
    if (!only || !only[0] || strcmp(only, test->name) == 0)
        tcase_add_loop_test(all_tests, test, 0, loops);
}

/* Prints Check's summary. Returns the exit status: SKIPPED if no test fails, but one left its checks out. */
static inline int run_suite(const char *name, double seconds)
{
    char folder[] = "/tmp/check_pleach.XXXXXX", command[64];
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    Suite *suite = suite_create(name);
    tcase_set_timeout(all_tests, seconds);
    tcase_add_checked_fixture(all_tests, enter_folder, NULL);
    suite_add_tcase(suite, all_tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_ENV);
    int failures = srunner_ntests_failed(runner), checks = srunner_ntests_run(runner);
    srunner_free(runner);
    bool skipped = access("skipped", F_OK) == 0;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || failures > 0 || checks == 0 ? 1 : skipped ? SKIPPED : 0;
}

/* The number for this run: `all` with WHOLE=yes, else `some`. */
static inline int whole_or(int all, int some)
{
    const char *set = getenv("WHOLE");
    return set && strcmp(set, "yes") == 0 ? all : some;
}

/* Is this one of the cases to try: all with WHOLE=yes, else one in `of`, at random, but the same ones in every run? */
static inline bool sampled(int of)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return whole_or(1, (state >> 8) % (uint32_t)of == 0);
}

static inline void write_file(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(name, "w");
    ck_assert(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

/* For a test that cannot reach its point here: prints why. The suite then counts as skipped. */
static inline void not_tested(const char *why)
{
    fprintf(stderr, "not tested: %s\n", why);
    write_file("../skipped", "", 0);
}

/*
 * Makes and sets a locale in which printf("%f") writes a decimal comma. Returns false if this system cannot make locales;
 * then the suite counts as skipped.
 */
static inline bool in_decimal_comma(void)
{
    static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    char number[16];
    write_file("comma.source", source, sizeof source - 1);
    if (system("localedef -c -i comma.source ./comma >/dev/null 2>&1; [ -e comma/LC_NUMERIC ]") != 0) {
        not_tested("the locale, as localedef makes none here");
        return false;
    }
    setenv("LOCPATH", ".", 1);
    ck_assert_ptr_nonnull(setlocale(LC_NUMERIC, "comma"));
    snprintf(number, sizeof number, "%.1f", 0.5);
    ck_assert_str_eq(number, "0,5");
    return true;
}
