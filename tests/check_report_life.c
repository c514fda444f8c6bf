/* SPDX-License-Identifier: BSD-2-Clause */
/* What becomes of the report: beside the log, in files, on standard error, at the end of processes and threads. */
#include "reports.h"

/* The log has its records, whether there is a report or not. */
START_TEST(beside_the_log)
{
    record_open("log", 0, 0);
    report_open("report", 0, 0);
    add(3);
    record_close();
    ck_assert(record_on());
    add(4);
    report_close();
    ck_assert(!record_on());
    ck_assert_int_eq(lines(contents("log")), 4);
    ck_assert_ptr_nonnull(strstr(contents("report"), "\n7 calls: "));
}

START_TEST(never_overwrites)
{
    write_file("report-7", "precious", 8);
    report_open("report-%r", 7, 0);
    add(1);
    report_close();
    ck_assert_str_eq(contents("report-7"), "precious");
    ck_assert_ptr_nonnull(strstr(contents("report-7.1"), "\n1 call: "));
}

START_TEST(unwritable)
{
    refused(report_open, report_close, false, "absent/report", strerror(ENOENT));
    ck_assert_int_eq(symlink("/dev/full", "full"), 0);
    refused(report_open, report_close, true, "full", strerror(ENOSPC));
}

START_TEST(standard_error)
{
    stderr_to("messages");
    report_open("stderr", 0, 0);
    add(2);
    report_close();
    ck_assert_ptr_nonnull(strstr(contents("messages"), "\n2 calls: "));
    ck_assert_int_ge(write(STDERR_FILENO, "open", 4), 4);
}

START_TEST(descriptor_taken_by_the_application)
{
    report_open("report", 0, 0);
    stderr_to("messages");
    take_descriptors("results");
    add(2);
    report_close();
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_str_eq(contents("results"), "");
    descriptors_are_open();
}

START_TEST(processes)
{
    pid_t process = fork();
    if (process == 0) {
        report_open("report", 0, 0);
        add(3);
        pid_t child = fork();
        if (child == 0) {
            add(1000);
            report_close();
            exit(0);
        }
        waitpid(child, NULL, 0);
        exit(access("report", F_OK) == 0 && lines(contents("report")) == 0 ? 0 : 1); /* runs what atexit() registered */
    }
    ends_well(process);
    ck_assert_ptr_nonnull(strstr(contents("report"), "\n3 calls: "));
    ck_assert_int_ne(access("report.1", F_OK), 0);
}

/* The main thread exits while it counts, as a signal handler may make it do: the program ends. */
static void leave(int number)
{
    (void)number;
    exit(3);
}

START_TEST(exit_in_a_handler)
{
    enum { PROCESSES = 8 };
    pid_t process[PROCESSES];
    int status;
    for (int i = 0; i < PROCESSES; i++) {
        process[i] = fork();
        if (process[i] == 0) {
            report_open("report", 0, 0);
            signal(SIGALRM, leave);
            ualarm(20000 + 1000 * i, 0);
            for (;;)
                add(1000);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        waitpid(process[i], &status, 0);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    }
}

enum { THREADS = 4, CALLS = 20000 };

static void *count_many(void *site)
{
    struct record r = sample();
    r.frame[0] = (char *)(void *)count_many + 1 + *(int *)site;
    for (int i = 0; i < CALLS; i++)
        record_add(&r);
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[THREADS];
    int site[THREADS];
    report_open("report", 0, 4);
    for (int i = 0; i < THREADS; i++) {
        site[i] = i % 2;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, count_many, &site[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    finish();
    ck_assert_ptr_nonnull(strstr(text, "\n80000 calls: "));
    expect("reduce      count_many+0x1", "40000");
    expect("reduce      count_many+0x2", "40000");
}

START_TEST(numbers_ignore_the_locale)
{
    if (!in_german())
        return;
    report_open("report", 0, 0);
    add(3);
    finish();
    expect("reduce      chain              model", "3 13.97G 7.500us 100.0% 2.500us 2.500us 2.500us");
}

SUITE("report_life", 60, beside_the_log, never_overwrites, unwritable, standard_error, descriptor_taken_by_the_application,
      processes, exit_in_a_handler, threads, numbers_ignore_the_locale)
