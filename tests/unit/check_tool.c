/* SPDX-License-Identifier: BSD-2-Clause */
/* tool_asked() starts another program, keeps its output, and does not wait longer than it is allowed to. */
#include "suite.h"

#include "tool.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOON 0.2 /* seconds to wait for a program that does not end */
#define LATE 100 /* seconds to wait for a program that ends sooner */

static char said[64];

static bool asked(const char *words, double seconds)
{
    return tool_asked((const char *const[]){"/bin/sh", "-c", words, NULL}, seconds, said, sizeof said);
}

START_TEST(output_is_kept)
{
    ck_assert(asked("echo yes; echo no >&2; cat", LATE)); /* its standard input is empty */
    ck_assert_str_eq(said, "yes\nno\n");
    ck_assert(asked("printf %s ${LD_PRELOAD-none}", LATE));
    ck_assert_str_eq(said, "none");
    ck_assert(asked("i=0; while [ $i -lt 9999 ]; do echo 0123456789; i=$((i + 1)); done", LATE));
    ck_assert_uint_eq(strlen(said), sizeof said - 1);
}

START_TEST(failures_are_seen)
{
    ck_assert(!asked("echo why; exit 3", LATE));
    ck_assert_str_eq(said, "why\n");
    ck_assert(!asked("kill -9 $$", LATE));
    ck_assert(!asked("exec >&- 2>&-; sleep 0.1; exit 3", LATE));
    ck_assert(!tool_asked((const char *const[]){"/nosuch", NULL}, LATE, said, sizeof said));
    ck_assert_str_eq(said, "");
}

/* A program that closes its output before it ends is waited for. */
START_TEST(output_ends_first)
{
    ck_assert(asked("echo yes; exec >&- 2>&-; sleep 0.1", LATE));
    ck_assert_str_eq(said, "yes\n");
}

/* A program fails if it hangs, even with its output closed, or if it leaves a child that holds the output open. */
START_TEST(endless_programs_fail)
{
    ck_assert(!asked("sleep 1000; true", SOON));
    ck_assert(!asked("sleep 1000 &", SOON));
    ck_assert(!asked("exec >&- 2>&-; sleep 1000; true", SOON));
}

/* A program is killed if the process that has started it is killed. Then nobody holds the pipe open. */
START_TEST(programs_end_with_their_starter)
{
    enum { PIPE = 9 };
    int end[2];
    char byte;
    ck_assert_int_eq(pipe(end), 0);
    const pid_t starter = fork();
    if (starter == 0) {
        dup2(end[1], PIPE);
        _exit(asked("echo >&9; exec sleep 1000", LATE));
    }
    close(end[1]);
    ck_assert_int_eq(read(end[0], &byte, 1), 1);
    ck_assert_int_eq(kill(starter, SIGKILL), 0);
    ck_assert_int_eq(read(end[0], &byte, 1), 0);
    ck_assert_int_eq(waitpid(starter, NULL, 0), starter);
}

SUITE("tool", 30)
