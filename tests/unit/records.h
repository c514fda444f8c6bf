/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the tests of the record room: reads files that were written, redirects standard error, occupies descriptors. */
#pragma once

#include "report.h"
#include "suite.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { COLUMNS = 16, TEXT = 1 << 20 };

static char text[TEXT];

static inline const char *all_contents(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* Reads a file into `text`, without a log's lines of remarks, which give its version, beginning and frames. */
static inline const char *contents(const char *path)
{
    char *to = text;
    all_contents(path);
    for (const char *from = text, *end; *from; from = end) {
        end = from + strcspn(from, "\n");
        end += *end == '\n';
        if (strncmp(from, "# pleach-log ", 13) != 0 && strncmp(from, "# frame ", 8) != 0 &&
            strncmp(from, "# epoch ", 8) != 0) {
            memmove(to, from, (size_t)(end - from));
            to += end - from;
        }
    }
    *to = 0;
    return text;
}

static inline int lines(const char *of)
{
    int n = 0;
    for (; (of = strchr(of, '\n')) != NULL; of++)
        n++;
    return n;
}

/* The text of one column of one line of `text`; line 0 is the header. */
static inline const char *cell(int line, int column)
{
    static char found[1 << 14];
    const char *c = text;
    while (line-- > 0)
        c = strchr(c, '\n') + 1;
    while (column-- > 0) {
        c += strcspn(c, "\t\n");
        ck_assert_int_eq(*c++, '\t');
    }
    snprintf(found, sizeof found, "%.*s", (int)strcspn(c, "\t\n"), c);
    return found;
}

static inline void stderr_to(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
    close(fd);
}

/* Redirects standard error to a pipe. Returns the end to read from. */
static inline int stderr_to_pipe(void)
{
    int end[2];
    ck_assert_int_eq(pipe(end), 0);
    ck_assert_int_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
    close(end[1]);
    return end[0];
}

static inline void ends_well(pid_t process)
{
    int status;
    waitpid(process, &status, 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static inline struct record sample(void)
{
    return (struct record){.time = 1.5,
                           .duration = 2.5e-6,
                           .collective = COLL_REDUCE,
                           .ranks = 7,
                           .root = 3,
                           .bytes = INT64_C(5000000000),
                           .count = 625000000,
                           .blocks = 19,
                           .reason = REASON_MODEL,
                           .engine = "chain",
                           .comm = "MPI_COMM_WORLD",
                           .datatype = "MPI_DOUBLE",
                           .op = "MPI_SUM"};
}

static inline void add(int records)
{
    struct record r = sample();
    while (records-- > 0)
        record_add(&r, record_clock());
}

/*
 * Opens a log or report of this pattern, which cannot be written. Checks that this causes a single message, which contains
 * `why`, and leaves errno alone. If `opens` is true, opening works and writing fails.
 */
static inline void refused(void (*open)(const char *), void (*close)(void), bool opens, const char *pattern,
                           const char *why)
{
    remove("messages");
    stderr_to("messages");
    errno = 77;
    open(pattern);
    ck_assert(record_on() == opens);
    add(1000);
    close();
    ck_assert_int_eq(errno, 77);
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_ptr_nonnull(strstr(text, pattern));
    ck_assert_ptr_nonnull(strstr(text, why));
}

/*
 * Makes all descriptors but the standard ones refer to the file `path`, as a program does that closes all descriptors and
 * opens files of its own.
 */
static inline void take_descriptors(const char *path)
{
    for (int fd = STDERR_FILENO + 1; fd < 100; fd++) {
        int theirs = open(path, O_RDWR | O_CREAT, 0600);
        ck_assert_int_ge(theirs, 0);
        dup2(theirs, fd);
        if (theirs > fd)
            close(theirs);
    }
}

static inline void descriptors_are_open(void)
{
    for (int fd = STDERR_FILENO + 1; fd < 100; fd++)
        ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
}

/* A function with a very long name, for very long lines. */
#define TEN(x) x##x##x##x##x##x##x##x##x##x
#define LONG_NAME TEN(a_long_name_of_24_letters)
static __attribute__((noinline, unused)) void LONG_NAME(void)
{
    __asm__ volatile("nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop");
}
