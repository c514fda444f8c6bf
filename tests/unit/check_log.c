/* SPDX-License-Identifier: BSD-2-Clause */
/* The log: its file names, and errors in writing. The log never disturbs the application. */
#include "records.h"

START_TEST(pattern)
{
    char host[HOST_NAME_MAX + 1] = "", expected[2 * HOST_NAME_MAX];
    setenv("SLURM_JOB_ID", "4711", 1);
    gethostname(host, sizeof host - 1);
    snprintf(expected, sizeof expected, "12-%s-%d-4711-%%-%%x-%%", host, (int)getpid());
    record_open("%r-%h-%p-%j-%%-%x-%", 12, 1, 0);
    record_close();
    ck_assert_msg(access(expected, F_OK) == 0, "no file %s", expected);
}

START_TEST(job_of_other_systems)
{
    static const char *const variable[] = {"SLURM_JOB_ID", "PBS_JOBID",   "LSB_JOBID", "OAR_JOB_ID",
                                           "COBALT_JOBID", "FLUX_JOB_ID", "JOB_ID"};
    for (size_t i = 0; i < COUNT(variable); i++)
        unsetenv(variable[i]);
    record_open("none-%j", 0, 1, 0);
    record_close();
    ck_assert_int_eq(access("none-0", F_OK), 0);
    setenv("SLURM_JOB_ID", "", 1);
    setenv("PBS_JOBID", "17.server", 1);
    record_open("pbs-%j", 0, 1, 0);
    record_close();
    ck_assert_int_eq(access("pbs-17.server", F_OK), 0);
}

START_TEST(never_overwrites)
{
    write_file("log", "precious", 8);
    for (int records = 1; records <= 3; records++) {
        record_open("log", 0, 1, 0);
        record_open("ignored", 0, 1, 0); /* one log at a time */
        add(records);
        record_close();
    }
    ck_assert_int_ne(access("ignored", F_OK), 0);
    ck_assert_str_eq(contents("log"), "precious");
    ck_assert_int_eq(lines(contents("log.1")), 2);
    ck_assert_int_eq(lines(contents("log.2")), 3);
    ck_assert_int_eq(lines(contents("log.3")), 4);
    ck_assert_str_eq(cell(1, 0), "0");
    ck_assert_int_ne(access("log.4", F_OK), 0);
}

static void open_log(const char *pattern)
{
    record_open(pattern, 0, 1, 0);
}

START_TEST(unwritable)
{
    static char longest[1 << 20];
    refused(open_log, record_close, false, "absent/log", strerror(ENOENT));
    refused(open_log, record_close, false, ".", strerror(EISDIR));
    ck_assert_int_eq(symlink("/dev/full", "full"), 0);
    refused(open_log, record_close, false, "full", strerror(ENOSPC));
    ck_assert_int_ne(access("full.1", F_OK), 0);
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    refused(open_log, record_close, false, "pipe", strerror(ENXIO)); /* without waiting for a reader */
    memset(longest, 'x', sizeof longest - 1);
    remove("messages");
    stderr_to("messages");
    record_open(longest, 0, 1, 0);
    ck_assert(!record_on());
    ck_assert_int_eq(lines(contents("messages")), 1);
}

START_TEST(full_file_does_not_kill)
{
    struct rlimit limit;
    struct stat status;
    sigset_t blocked;
    signal(SIGXFSZ, SIG_DFL);
    record_open("log", 0, 1, 0);
    stderr_to("messages");
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 10000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    errno = 77;
    add(1000);
    ck_assert(!record_on());
    record_close();
    ck_assert_int_eq(errno, 77);
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_ptr_nonnull(strstr(text, strerror(EFBIG)));
    ck_assert_int_eq(stat("log", &status), 0);
    ck_assert_int_eq(status.st_size, 10000);
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    ck_assert(!sigismember(&blocked, SIGXFSZ));
}

START_TEST(closed_pipe_does_not_kill)
{
    signal(SIGPIPE, SIG_DFL);
    int end = stderr_to_pipe();
    record_open("stderr", 0, 1, 0);
    ck_assert(record_on());
    close(end);
    add(1000);
    ck_assert(!record_on());
}

/* A pending signal that the application blocks is still pending after a failed write of the log. */
START_TEST(pending_signal_is_kept)
{
    sigset_t set;
    int end = stderr_to_pipe();
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_BLOCK, &set, NULL);
    record_open("stderr", 0, 1, 0);
    close(end);
    raise(SIGPIPE);
    add(1000);
    ck_assert(!record_on());
    sigpending(&set);
    ck_assert(sigismember(&set, SIGPIPE));
}

START_TEST(standard_error)
{
    stderr_to("messages");
    record_open("stderr", 3, 1, 0);
    add(300);
    record_close();
    ck_assert_int_eq(lines(contents("messages")), 301);
    ck_assert_str_eq(cell(300, 2), "3");
    ck_assert_int_ne(access("stderr", F_OK), 0);
    ck_assert_int_ge(write(STDERR_FILENO, "open", 4), 4);
}

/* The log writes more than the pipe holds: it waits for the reader, which begins late. */
START_TEST(slow_reader_of_a_nonblocking_pipe)
{
    int end[2];
    ck_assert_int_eq(pipe(end), 0);
    pid_t reader = fork();
    if (reader == 0) {
        size_t size = 0;
        close(end[1]);
        usleep(100000);
        for (ssize_t got; (got = read(end[0], text + size, TEXT - 1 - size)) > 0;)
            size += (size_t)got;
        _exit(lines(text) == 2003 ? 0 : 1);
    }
    close(end[0]);
    ck_assert_int_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
    close(end[1]);
    ck_assert_int_eq(fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK), 0);
    record_open("stderr", 0, 1, 0);
    add(2000);
    record_close();
    close(STDERR_FILENO);
    ends_well(reader);
}

START_TEST(standard_descriptors_stay_free)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    record_open("log", 0, 1, 0);
    add(1);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
    record_close();
    ck_assert_int_eq(lines(contents("log")), 2);
}

START_TEST(descriptor_taken_by_the_application)
{
    record_open("log", 0, 1, 0);
    stderr_to("messages");
    take_descriptors("results");
    add(1000);
    record_close();
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_str_eq(contents("results"), "");
    descriptors_are_open();
}

START_TEST(child_writes_nothing)
{
    record_open("log", 0, 1, 0);
    add(3);
    pid_t child = fork();
    if (child == 0) {
        add(1000);
        record_close();
        exit(0); /* runs the destructors */
    }
    ends_well(child);
    ck_assert_int_eq(lines(contents("log")), 1);
    record_close();
    ck_assert_int_eq(lines(contents("log")), 4);
}

START_TEST(exit_writes)
{
    pid_t child = fork();
    if (child == 0) {
        record_open("log", 0, 1, 0);
        add(3);
        exit(0);
    }
    waitpid(child, NULL, 0);
    ck_assert_int_eq(lines(contents("log")), 4);
}

START_TEST(errno_is_kept)
{
    struct rlimit size, files;
    struct record r = sample();
    static char name[CALL_SITE_TEXT];
    fclose(fopen("log", "w"));
    errno = 77;
    record_open("log", 0, 1, 8);
    ck_assert_int_eq(errno, 77);
    call_site_capture(r.frame, __builtin_return_address(0));
    ck_assert_int_eq(errno, 77);
    for (int i = 0; i < 1000; i++)
        record_add(&r, record_clock());
    ck_assert_int_eq(errno, 77);
    stderr_to("messages");
    getrlimit(RLIMIT_FSIZE, &size);
    getrlimit(RLIMIT_NOFILE, &files);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_max = size.rlim_max}); /* no file can be written or opened */
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_max = files.rlim_max});
    errno = 77;
    call_site_text((void *[]){(void *)sample, NULL}, name, sizeof name);
    int after_name = errno;
    errno = 77;
    record_close();
    int after_close = errno;
    setrlimit(RLIMIT_FSIZE, &size); /* the library Check writes files, too */
    setrlimit(RLIMIT_NOFILE, &files);
    ck_assert_int_eq(after_name, 77);
    ck_assert_int_eq(after_close, 77);
}

SUITE("log", 60)
