/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When and where the report is written: beside the log, to files, to standard error, at the end of processes and threads;
 * and how ranks leave rank reports.
 */
#include "process_id.h"
#include "reports.h"
#include "seconds.h"

#include <glob.h>

/* The log has the calls up to its end, the report has all calls. */
START_TEST(beside_the_log)
{
    record_open("log", 0, 1, 0);
    open_report("report", 0, 0);
    add(3);
    record_close();
    ck_assert(record_on());
    add(4);
    close_report();
    ck_assert(!record_on());
    ck_assert_int_eq(lines(contents("log")), 4);
    ck_assert_ptr_nonnull(strstr(contents("report"), "  calls     7, "));
}

START_TEST(never_overwrites)
{
    write_file("report-7", "precious", 8);
    open_of("report-%r", 7, 9, 0);
    add(1);
    close_report();
    ck_assert_str_eq(contents("report-7"), "precious");
    ck_assert_ptr_nonnull(strstr(contents("report-7.1"), "  calls     1, "));
    ck_assert_ptr_nonnull(strstr(text, "  rank      7 of 9\n"));
    ck_assert(!strstr(text, "have not reported") && !strstr(text, "missing"));
}

static void open_plain(const char *pattern)
{
    open_report(pattern, 0, 0);
}

START_TEST(unwritable)
{
    refused(open_plain, close_report, false, "absent/report", strerror(ENOENT));
    ck_assert_int_eq(symlink("/dev/full", "full"), 0);
    refused(open_plain, close_report, true, "full", strerror(ENOSPC));
}

/* A name so long that a report cannot replace the file: a line says so at the start, and another one at the end. */
LOOPED_TEST(unwritable_in_the_end, 2)
{
    char name[256];
    memset(name, 'x', 250);
    strcpy(name + 248, _i ? "%r" : "xx");
    stderr_to("messages");
    open_of(name, 0, 1, 0);
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_ptr_nonnull(strstr(text, strerror(ENAMETOOLONG)));
    ck_assert_ptr_nonnull(strstr(text, "tries again when it writes the report"));
    add(1);
    close_report();
    ck_assert_int_eq(lines(contents("messages")), 2);
}

START_TEST(standard_error)
{
    stderr_to("messages");
    open_report("stderr", 0, 0);
    add(2);
    close_report();
    ck_assert_ptr_nonnull(strstr(contents("messages"), "  calls     2, "));
    ck_assert_int_ge(write(STDERR_FILENO, "open", 4), 4);
}

/* The report has no open descriptor before it is written. */
START_TEST(descriptors_taken_by_the_application)
{
    open_report("report", 0, 0);
    stderr_to("messages");
    take_descriptors("results");
    add(2);
    close_report();
    ck_assert_str_eq(contents("messages"), "");
    ck_assert_str_eq(contents("results"), "");
    descriptors_are_open();
    ck_assert_ptr_nonnull(strstr(contents("report"), "  calls     2, "));
}

/* The report goes to the folder in which the program began, though the program changes its folder. */
START_TEST(folder_changed)
{
    open_report("report", 0, 0);
    ck_assert_int_eq(mkdir("elsewhere", 0700), 0);
    ck_assert_int_eq(chdir("elsewhere"), 0);
    add(2);
    close_report();
    ck_assert_ptr_nonnull(strstr(contents("../report"), "  calls     2, "));
}

START_TEST(processes)
{
    pid_t process = fork();
    if (process == 0) {
        open_report("report", 0, 0);
        add(3);
        pid_t child = fork();
        if (child == 0) {
            add(1000);
            close_report();
            exit(0);
        }
        waitpid(child, NULL, 0);
        exit(strstr(contents("report"), "  calls     ") ? 1 : 0); /* runs the destructors */
    }
    ends_well(process);
    ck_assert_ptr_nonnull(strstr(contents("report"), "  calls     3, "));
    ck_assert_int_ne(access("report.1", F_OK), 0);
}

/* Processes know their ids, whether or not their parents have asked for their own. */
START_TEST(process_ids)
{
    for (int i = 0; i < 3; i++) {
        const pid_t parent = getpid(), child = fork();
        if (child == 0)
            exit(process_id() == getpid() && process_id() != parent ? 0 : 1);
        ends_well(child);
        ck_assert_int_eq(process_id(), getpid());
    }
}

/* A signal handler may call exit() while the main thread counts a call: the program must not hang. */
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
            open_report("report", 0, 0);
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
        record_add(&r, record_clock());
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[THREADS];
    int site[THREADS];
    open_report("report", 0, 4);
    for (int i = 0; i < THREADS; i++) {
        site[i] = i % 2;
        ck_assert_int_eq(pthread_create(&thread[i], NULL, count_many, &site[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    const struct rank_report *p = counted();
    ck_assert_int_eq(sum_of(p, "count_many+0x1").calls, 40000);
    ck_assert_int_eq(sum_of(p, "count_many+0x2").calls, 40000);
}

START_TEST(numbers_ignore_the_locale)
{
    if (!in_decimal_comma())
        return;
    open_report("report", 0, 0);
    add(3);
    close_report();
    ck_assert_ptr_nonnull(strstr(contents("report"), " 2.5us "));
    ck_assert_ptr_nonnull(strstr(text, ", 13.97G bytes"));
}

/* ---- Rank reports ---------------------------------------------------------------------------------------------------- */

/*
 * One of the ranks, in a process of its own, makes `rank` + 1 calls, one more if it is killed, and ends as `end` says. Only
 * rank 0 also exits: the others would exit after it has left MPI_Finalize.
 */
static void run_rank_of(int rank, int ranks, enum rank_end end)
{
    pid_t process = fork();
    if (process == 0) {
        open_of("report", rank, ranks, 0);
        add(rank + 1);
        if (end == END_FINALIZE)
            report_close(end);
        if (end == END_FINALIZE && rank > 0)
            _exit(0);
        if (end == END_RUNNING) {
            usleep(150000);
            add(1);
            raise(SIGKILL);
        }
        exit(0);
    }
    waitpid(process, &(int){0}, 0);
}

static void run_rank(int rank, enum rank_end end)
{
    run_rank_of(rank, 4, end);
}

/* Rank 0 ends last. It merges the rank reports of the others, and removes them. */
START_TEST(joint)
{
    for (int rank = 3; rank > 0; rank--)
        run_rank(rank, END_FINALIZE);
    ck_assert_int_ne(access("report", F_OK), 0);
    run_rank(0, END_FINALIZE);
    contents("report");
    ck_assert_ptr_nonnull(strstr(text, "  ranks     4 on 1 node\n"));
    ck_assert_ptr_nonnull(strstr(text, "  calls     10, "));
    ck_assert_int_ne(access("report.parts", F_OK), 0);
    ck_assert_int_ne(access("report.1", F_OK), 0);
}

/* Lets a rank's process go on, which has told that it waits. */
static void let_go(const int *go)
{
    char byte = 0;
    ck_assert_int_eq(write(go[1], &byte, 1), 1);
}

static bool wait_for_go(const int *told, const int *go)
{
    char byte = 0;
    return write(told[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1;
}

/* Waits until all ranks from `first` on wait. */
static void await_all(int first, const int *told)
{
    char byte;
    for (int rank = first; rank < 4; rank++)
        ck_assert_int_eq(read(told[0], &byte, 1), 1);
}

/*
 * Ranks `first` to 3 of 4 make calls when all have begun. When all have left MPI_Finalize, they exit: in order, or in the
 * reverse order.
 */
static void exit_in_order(int first, bool reverse)
{
    pid_t process[4];
    int told[2], go[4][2];
    ck_assert_int_eq(pipe(told), 0);
    for (int rank = first; rank < 4; rank++) {
        ck_assert_int_eq(pipe(go[rank]), 0);
        process[rank] = fork();
        if (process[rank] == 0) {
            open_of("report", rank, 4, 0);
            bool good = wait_for_go(told, go[rank]);
            add(rank + 1);
            report_close(END_FINALIZE);
            good = wait_for_go(told, go[rank]) && good;
            exit(good ? 0 : 1);
        }
    }
    await_all(first, told);
    for (int rank = first; rank < 4; rank++)
        let_go(go[rank]);
    await_all(first, told);
    for (int i = first; i < 4; i++) {
        const int rank = reverse ? 3 + first - i : i;
        let_go(go[rank]);
        ends_well(process[rank]);
    }
}

/* One rank alone writes the report: rank 0 if it has calls, else the lowest that has. */
START_TEST(the_lowest_rank)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        exit_in_order(1, reverse);
        ck_assert_ptr_nonnull(strstr(contents("report"), "4, of which 3 on 1 node have reported; missing: 0\n"));
        ck_assert_ptr_nonnull(strstr(text, "  calls     9, "));
        ck_assert_int_eq(unlink("report"), 0);
        exit_in_order(0, reverse);
        ck_assert_ptr_nonnull(strstr(contents("report"), "  ranks     4 on 1 node\n"));
        ck_assert_ptr_nonnull(strstr(text, "  calls     10, "));
        ck_assert_int_ne(access("report.1", F_OK), 0);
        ck_assert_int_ne(access("report.parts", F_OK), 0);
        ck_assert_int_eq(unlink("report"), 0);
    }
}

/* A rank report may be larger than any file that a user writes. */
START_TEST(large)
{
    static char padding[2 << 20];
    run_rank(1, END_FINALIZE);
    contents("report.parts/1");
    FILE *f = fopen("report.parts/1", "w");
    memset(padding, 'x', sizeof padding - 1);
    ck_assert(f && fprintf(f, "%.*spadding\t%s\nend\n", (int)strlen(text) - 4, text, padding) > 0 && fclose(f) == 0);
    run_rank(0, END_FINALIZE);
    ck_assert_ptr_nonnull(strstr(contents("report"), "4, of which 2 on"));
}

/* The report says how many ranks have reported. Rank reports stay, as others may still come. */
START_TEST(some_are_missing)
{
    run_rank(1, END_RUNNING);
    run_rank(2, END_EXIT);
    run_rank(0, END_EXIT);
    contents("report");
    ck_assert_ptr_nonnull(strstr(text, "4, of which 3 on"));
    ck_assert_ptr_nonnull(strstr(text, "  calls     7, "));
    ck_assert_int_eq(access("report.parts/0", F_OK), 0);
    ck_assert_int_eq(access("report.parts/1", F_OK), 0);
    ck_assert_int_eq(access("report.parts/2", F_OK), 0);
}

/* Is there a rank report of this rank? */
static bool left(int rank)
{
    char name[32];
    snprintf(name, sizeof name, "report.parts/%d", rank);
    return access(name, F_OK) == 0;
}

/*
 * A job that is killed leaves a note in the place of its report. The next job writes another file, without the rank reports
 * of the first.
 */
START_TEST(after_a_killed_job)
{
    for (int rank = 0; rank < 4; rank++)
        run_rank(rank, END_RUNNING);
    ck_assert_ptr_nonnull(strstr(contents("report"), "This program has not ended, or was killed"));
    ck_assert_int_eq(access("report.parts/3", F_OK), 0);
    usleep(200000);
    run_rank(2, END_FINALIZE);
    run_rank(0, END_FINALIZE);
    ck_assert_ptr_nonnull(strstr(contents("report"), "This program has not ended, or was killed"));
    contents("report.1");
    ck_assert_ptr_nonnull(strstr(text, "4, of which 2 on"));
    ck_assert_ptr_nonnull(strstr(text, "  calls     4, "));
    ck_assert_int_eq(access("report.parts.old/0", F_OK), 0); /* what the next job replaces is moved */
    ck_assert_int_eq(access("report.parts.old/2", F_OK), 0);
    ck_assert(left(1) && left(3));
}

static void write_part(int rank, const char *rest, bool old)
{
    char name[32], part[64];
    const int length = snprintf(part, sizeof part, "pleach-part\t1\nrank\t%d\t%s\n", rank, rest);
    snprintf(name, sizeof name, "report.parts/%d", rank);
    write_file(name, part, (size_t)length);
    if (old)
        ck_assert_int_eq(utimensat(AT_FDCWD, name, (struct timespec[2]){{.tv_sec = 9}, {.tv_sec = 9}}, 0), 0);
}

/*
 * Other jobs use the folder at the same time: one of 8 ranks, and one of 5 that is running. Their rank reports are neither
 * merged nor removed; those of an earlier job are moved.
 */
START_TEST(jobs_at_the_same_time)
{
    size_t length;
    run_rank_of(6, 8, END_FINALIZE);
    for (int rank = 1; rank < 5; rank++)
        run_rank_of(rank, 5, END_FINALIZE);
    open_of("report", 0, 5, 0);
    add(1);
    const char *own = report_end(&length);
    ck_assert(report_merge(own, length) && report_merge_left(-1));
    write_part(1, "8\nended\tfinalize", false);
    write_part(2, "5\nended\trunning", true);
    write_part(3, "5\nended\trunning", false);
    ck_assert(report_write());
    ck_assert_ptr_nonnull(strstr(contents("report"), "  ranks     5 on 1 node\n"));
    ck_assert(left(1) && !left(2) && left(3) && !left(4) && left(6));
    ck_assert_int_eq(access("report.parts.old/2", F_OK), 0);
}

/* A killed process of the same number has left its temporary files. */
START_TEST(temporary_files_left)
{
    char name[64];
    open_report("report", 0, 0);
    for (int n = 0; n < 3; n++) {
        snprintf(name, sizeof name, "report.%d.%d.tmp", (int)getpid(), n);
        write_file(name, "left", 4);
    }
    add(1);
    close_report();
    ck_assert_ptr_nonnull(strstr(contents("report"), "  calls     1, "));
    ck_assert_str_eq(contents(name), "left");
}

/* Another job has removed the folder: the rank makes it anew. */
START_TEST(folder_removed)
{
    stderr_to("messages");
    open_of("report", 1, 4, 0);
    for (int i = 0; i < 2; i++) {
        for (int tries = 0; tries < 1000 && !left(1); tries++) {
            usleep(50000);
            add(1);
        }
        ck_assert_int_eq(unlink("report.parts/1"), 0);
        ck_assert_int_eq(rmdir("report.parts"), 0);
    }
    ck_assert_str_eq(contents("messages"), "");
}

/* The ranks of a large job write their rank reports one after the other, at most a thousand in a second. */
START_TEST(few_at_once)
{
    static const int delays[] = {50, 100}; /* seconds until the first rank report, and until the next */
    const struct record r = sample();
    open_of("report", 50000, 100000, 0);
    for (size_t i = 0; i < COUNT(delays); i++) {
        report_add(&r, seconds_now() + 0.9 * delays[i]);
        ck_assert(!left(50000));
        report_add(&r, seconds_now() + 1.1 * delays[i]);
        ck_assert(left(50000));
        ck_assert_int_eq(unlink("report.parts/50000"), 0);
    }
}

/* Foreign files in the folder of rank reports stay, and a message says so. */
START_TEST(a_file_of_others)
{
    ck_assert_int_eq(mkdir("report.parts", 0700), 0);
    write_file("report.parts/0", "precious", 8);
    write_file("report.parts/1.tmp", "pleach-part\t1\n", 14);
    stderr_to("messages");
    open_report("report", 0, 0);
    usleep(150000);
    add(1);
    close_report();
    ck_assert_str_eq(contents("report.parts/0"), "precious");
    ck_assert_int_eq(access("report.parts/1.tmp", F_OK), 0);
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_ptr_nonnull(strstr(text, "report.parts/0 is not a part of a report"));
    ck_assert_ptr_nonnull(strstr(contents("report"), "  calls     1, "));
}

/* A rank leaves no rank report if each rank has its own report, or if the report goes to /dev/null or standard error. */
START_TEST(nothing_is_left)
{
    static const char *const patterns[] = {"report-%r", "report-%p", "/dev/null", "stderr"};
    for (size_t i = 0; i < COUNT(patterns); i++) {
        pid_t process = fork();
        if (process == 0) {
            stderr_to("messages");
            open_of(patterns[i], 0, 4, 0);
            usleep(150000);
            add(1);
            raise(SIGKILL);
        }
        int status;
        ck_assert_int_eq(waitpid(process, &status, 0), process);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    ck_assert_str_eq(contents("messages"), "");
    ck_assert_int_eq(glob("*.parts", 0, NULL, &(glob_t){0}), GLOB_NOMATCH);
    ck_assert_int_ne(access("/dev/null.parts", F_OK), 0);
    ck_assert(!report_joint("report-%r") && !report_joint("%%%p") && !report_joint("none") && !report_joint(""));
    ck_assert(report_joint("report-%h.%j") && report_joint("stderr") && report_joint("%%p"));
}

SUITE("report_life", 60)
