/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipes and terminals whose reader has stopped: no write waits for ever, and what gets through ends with a whole line. */
#include "quiet.h"
#include "reports.h"
#include "say.h"

#include <poll.h>

enum { MANY = 5000 }; /* records, more than a pipe holds */

static int end[2] = {-1, -1}; /* of a pipe */

/* Fills the pipe to its last byte, through a descriptor of its own. */
static void fill(void)
{
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", end[1]);
    int other = open(name, O_WRONLY | O_NONBLOCK);
    ck_assert_int_ge(other, 0);
    for (size_t size = PIPE_BUF; size > 0;)
        if (write(other, text, size) < 0)
            size /= 2;
    close(other);
}

static bool rival; /* does another writer fill the pipe between our poll() and write()? */

int poll(struct pollfd *fds, nfds_t count, int milliseconds)
{
    struct timespec patience = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int ready = ppoll(fds, count, milliseconds < 0 ? NULL : &patience, NULL);
    if (rival && ready > 0)
        fill();
    return ready;
}

/* Reads all that the pipe holds into `text`. */
static void drain(int fd)
{
    size_t used = 0;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (ssize_t got; (got = read(fd, text + used, TEXT - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = 0;
}

/* Checks that `text` has whole records and remarks, and more than `least` lines. */
static void expect_records(int least)
{
    int there = lines(text), tabs = 0;
    ck_assert_int_gt(there, least);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    for (const char *c = text; *c; c++) {
        tabs += *c == '\t';
        there -= *c == '#' && c[-1] == '\n';
    }
    ck_assert_int_eq(tabs, there * (COLUMNS - 1));
}

START_TEST(log_to_a_pipe)
{
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    stderr_to("messages");
    record_open("pipe", 0, 1, 0);
    ck_assert(record_on());
    errno = 77;
    add(MANY);
    ck_assert(!record_on());
    add(MANY);
    record_close();
    ck_assert_int_eq(errno, 77);
    ck_assert_str_eq(contents("messages"), "pleach: log pipe: nobody reads it; no more records are written\n");
    drain(reader);
    expect_records(100);
}

/* The log, the report and messages go to a pipe that nobody reads: text that does not fit is left out. */
START_TEST(everything_to_standard_error)
{
    int reader = stderr_to_pipe();
    record_open("stderr", 0, 1, 0);
    open_report("stderr", 0, 0);
    add(MANY);
    record_close();
    errno = 77;
    for (int i = 0; i < MANY; i++)
        say("nobody hears this, nor shall anybody wait until it is heard: %d", i);
    ck_assert_int_eq(errno, 77);
    close_report();
    drain(reader);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    ck_assert_ptr_nonnull(strstr(text, "\n200\t"));

    say("heard");
    drain(reader);
    ck_assert_str_eq(text, "pleach: heard\n");
}

START_TEST(another_writer_comes_first)
{
    int reader = stderr_to_pipe();
    end[1] = STDERR_FILENO;
    rival = true;
    ck_assert_int_eq(write_quietly(STDERR_FILENO, "first\n", 6), ETIMEDOUT);
    ck_assert_int_eq(write_quietly(STDERR_FILENO, "second\n", 7), ETIMEDOUT);
    rival = false;
    drain(reader);
    ck_assert_ptr_null(strstr(text, "first"));
}

/* A terminal whose window hangs takes no more text. */
START_TEST(terminal)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), error = 0;
    ck_assert_msg(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0, "no terminal");
    int slave = open(ptsname(master), O_WRONLY | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    for (int i = 0; i < MANY && !error; i++)
        error = write_quietly(slave, text, 1000);
    ck_assert_int_eq(error, ETIMEDOUT);
    ck_assert_int_eq(fcntl(slave, F_GETFL) & O_NONBLOCK, 0);
}

/* A line of at most PIPE_BUF bytes goes into a pipe as a whole; a longer one goes in pieces. */
START_TEST(lines_stay_whole)
{
    static char written[TEXT];
    size_t used = 0;
    int size = 0;
    for (int length = 1; length <= 3 * PIPE_BUF; length += 997)
        used += (size_t)snprintf(written + used, TEXT - used, "%0*d\n", length, length);
    ck_assert_int_eq(pipe(end), 0);
    size = fcntl(end[1], F_SETPIPE_SZ, 1 << 20);
    ck_assert_int_ge(size, (int)used);
    ck_assert_int_eq(write_quietly(end[1], written, used), 0);
    drain(end[0]);
    ck_assert_str_eq(text, written);

    /* The pipe has room for one piece: what gets through ends with a whole line. */
    size = fcntl(end[1], F_SETPIPE_SZ, PIPE_BUF);
    for (int i = 0; i < 100; i++)
        sprintf(written + 100L * i, "%099d\n", i);
    ck_assert_int_eq(write_quietly(end[1], written, 100 * 100), ETIMEDOUT);
    drain(end[0]);
    ck_assert_int_eq(strlen(text) % 100, 0);
    ck_assert_int_gt(lines(text), size / 200);
}

SUITE("quiet", 30)
