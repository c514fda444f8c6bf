/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the time that a record takes: nanoseconds of processor time that the log and the report add to a call, by the
 * depth of its call site. The calls come from SITES call sites by turns. The first record of a site has a column of its own,
 * as it also finds the names of the site's functions.
 */
#include "record.h"
#include "renderer.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Replaces the function of renderer.c, which would load libpleach-report.so. */
const struct renderer *renderer_open(char *why, size_t size)
{
    (void)why;
    (void)size;
    return &pleach_renderer;
}

enum { SITES = 1000, RECORDS = 10 * SITES, REPEAT = 15 };

#define CALL                                                                                                                \
    case __COUNTER__:                                                                                                       \
        nest(level - 1, at);                                                                                                \
        __asm__ volatile(""); /* no tail call */                                                                            \
        break;
#define TEN CALL CALL CALL CALL CALL CALL CALL CALL CALL CALL
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define THOUSAND HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED

/* Makes a record as an intercepted function does. */
static __attribute__((noinline)) void take(void *caller)
{
    struct record r = {.duration = 1e-6,
                       .collective = COLL_BCAST,
                       .ranks = 4,
                       .bytes = 8,
                       .count = 1,
                       .number = -1,
                       .reason = REASON_BELOW_THRESHOLD,
                       .engine = "native",
                       .comm = "MPI_COMM_WORLD",
                       .datatype = "MPI_DOUBLE",
                       .op = "-"};
    r.time = record_clock();
    call_site_capture(r.frame, caller);
    record_add(&r, record_clock());
}

/* Calls itself `level` times, from one of SITES addresses, then makes a record. */
static __attribute__((noinline)) void nest(int level, int at)
{
    if (level == 0) {
        take(__builtin_return_address(0));
        __asm__ volatile("");
        return;
    }
    switch ((at + 131 * level) % SITES) {
        THOUSAND
    }
}

static double nanoseconds(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return 1e9 * (double)spent.tv_sec + (double)spent.tv_nsec;
}

/* Returns the nanoseconds that a record takes. */
static double price(int levels, int records)
{
    const double start = nanoseconds();
    for (int i = 0; i < records; i++)
        nest(levels, i);
    return (nanoseconds() - start) / records;
}

/* Measures and prints a row, in a process of its own, as a process has only one report. */
static void row(const char *what, int depth)
{
    fflush(stdout);
    const pid_t process = fork();
    if (process != 0) {
        waitpid(process, NULL, 0);
        return;
    }
    if (*what == 'l')
        record_open("log", 0, 1, depth);
    else
        report_open(&(struct report_options){
            .pattern = "report-%r",
            .facts =
                {.ranks = 1, .host = "", .command = "", .pleach = "", .mpi = "", .settings = "", .note = "", .cores = ""},
            .listed = true,
            .stack = depth});
    const int levels = depth ? depth : 1;
    const double first = price(levels, SITES);
    double least = 1e18; /* the least time counts: longer ones were disturbed */
    for (int i = 0; i < REPEAT; i++) {
        const double now = price(levels, RECORDS);
        least = now < least ? now : least;
    }
    printf("%-10s %6d %12.1f %12.1f\n", what, depth, first, least);
    exit(0);
}

int main(void)
{
    static const int depths[] = {0, 1, 4, 16};
    char folder[] = "/tmp/bench_record-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    printf("%-10s %6s %12s %12s\n", "record", "depth", "first ns", "then ns");
    for (int what = 0; what < 2; what++)
        for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
            row(what ? "report" : "log", depths[i]);
            remove(what ? "report-0" : "log");
        }
    return rmdir(folder) == 0 && chdir("/") == 0 ? 0 : 1;
}
