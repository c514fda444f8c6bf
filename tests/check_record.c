/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log and its call sites. Every test runs in a process and an empty folder of its own: logs and limits do not mix.
 */
#define _GNU_SOURCE 1 /* dladdr, dl_iterate_phdr */

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pleach/record.h>

enum { COLUMNS = 16, TEXT = 1 << 20 };

static char folder[] = "/tmp/check_record.XXXXXX";
static char text[TEXT];

static void enter_folder(void)
{
    char own[] = "XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(own));
    ck_assert_int_eq(chdir(own), 0);
}

static void leave_folder(void)
{
    record_close();
}

/* The contents of a file, in `text`. */
static const char *contents(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    text[fread(text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int lines(const char *of)
{
    int n = 0;
    for (; (of = strchr(of, '\n')) != NULL; of++)
        n++;
    return n;
}

/* The text of one column of one line of `text`; line 0 is the header. */
static const char *cell(int line, int column)
{
    static char found[1 << 14];
    const char *at = text;

    while (line-- > 0)
        at = strchr(at, '\n') + 1;
    while (column-- > 0) {
        at += strcspn(at, "\t\n");
        ck_assert_int_eq(*at++, '\t');
    }
    snprintf(found, sizeof found, "%.*s", (int)strcspn(at, "\t\n"), at);
    return found;
}

/* From here on, standard error is the file `path`. */
static void stderr_to(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
    close(fd);
}

static struct record sample(void)
{
    return (struct record){.time = 1.5, .duration = 2.5e-6, .collective = COLL_REDUCE, .ranks = 7, .root = 3,
                           .bytes = INT64_C(5000000000), .count = 625000000, .blocks = 19, .reason = REASON_MODEL,
                           .engine = "chain", .comm = "MPI_COMM_WORLD", .datatype = "MPI_DOUBLE", .op = "MPI_SUM"};
}

static void add(int records)
{
    struct record r = sample();
    while (records-- > 0)
        record_add(&r);
}

START_TEST(shape)
{
    static const char *const expected[3][COLUMNS] = {
        {"seq", "time_s", "rank", "comm", "ranks", "collective", "bytes", "count", "datatype", "op", "root", "engine",
         "blocks", "reason", "duration_us", "site"},
        {"0", "1.500000", "5", "MPI_COMM_WORLD", "7", "reduce", "5000000000", "625000000", "MPI_DOUBLE", "MPI_SUM", "3",
         "chain", "19", "model", "2.500", "-"},
        {"1", "0.000001", "5", "-", "7", "scan", "5000000000", "625000000", "MPI_DOUBLE", "MPI_SUM", "-", "native", "-",
         "below-threshold", "1000001.007", "-"},
    };
    struct record r = sample();

    ck_assert(!record_on());
    record_add(&r); /* dropped */
    record_open("log", 5, 0);
    ck_assert(record_on());
    record_add(&r);
    r.time = 1e-6;
    r.duration = 1.000001007;
    r.collective = COLL_SCAN;
    r.root = -1;
    r.blocks = 0;
    r.reason = REASON_BELOW_THRESHOLD;
    r.engine = "native";
    r.comm[0] = '\0';
    record_add(&r);
    record_close();
    ck_assert(!record_on());
    record_add(&r); /* dropped */
    record_close();

    ck_assert_int_eq(lines(contents("log")), 3);
    for (int line = 0; line < 3; line++)
        for (int column = 0; column < COLUMNS; column++)
            ck_assert_str_eq(cell(line, column), expected[line][column]);
}
END_TEST

/* A name that leaves no room for more, so that a line is as long as it can be. */
#define TEN(x) x##x##x##x##x##x##x##x##x##x
#define LONG_NAME TEN(a_long_name_of_24_letters)
static __attribute__((noinline)) void LONG_NAME(void)
{
    __asm__ volatile("nop\nnop\nnop\nnop");
}

START_TEST(whole_lines_of_wide_fields)
{
    struct record r = sample();

    memset(r.comm, 'c', RECORD_NAME - 1);
    memset(r.datatype, 'd', RECORD_NAME - 1);
    memset(r.op, 'o', RECORD_NAME - 1);
    r.time = r.duration = 1e9;
    r.bytes = r.count = r.blocks = INT64_MAX;
    r.ranks = r.root = INT_MAX;
    for (int i = 0; i < SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)LONG_NAME + 1 + i % 3;
    record_open("log", INT_MAX, SITE_FRAMES);
    for (int i = 0; i < 100; i++)
        record_add(&r);
    record_close();
    ck_assert_int_eq(lines(contents("log")), 101);
    for (int line = 1; line <= 100; line++) {
        ck_assert_str_eq(cell(line, 14), "1000000000000000.000");
        ck_assert_int_eq(strncmp(strrchr(cell(line, 15), ' '), " a_long_name_of_24_lettersa_long", 32), 0);
        ck_assert_str_eq(strrchr(cell(line, 15), '+'), "+0x2");
    }
}
END_TEST

START_TEST(sequence_is_complete)
{
    char seq[24];

    record_open("log", 0, 0);
    add(1000);
    ck_assert_int_ge(lines(contents("log")), 1 + 3 * 256); /* full buffers are written at once */
    record_close();
    ck_assert_int_eq(lines(contents("log")), 1001);
    for (int i = 0; i < 1000; i++) {
        snprintf(seq, sizeof seq, "%d", i);
        ck_assert_str_eq(cell(i + 1, 0), seq);
    }
}
END_TEST

START_TEST(written_after_a_second)
{
    record_open("log", 0, 0);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 1);
    usleep(1050000);
    ck_assert(record_clock() > 1.05 && record_clock() < 60);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 3);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 3);
}
END_TEST

enum { THREADS = 4, RECORDS = 5000, ROUNDS = 500 };

static void add_sites(int records, bool unwind)
{
    struct record r = sample();

    for (int i = 0; i < records; i++) {
        if (unwind)
            record_site(&r, __builtin_return_address(0));
        r.frame[0] = (char *)(void *)add_sites + i % 1000; /* keeps the writer busy with names */
        r.frame[1] = NULL;
        record_add(&r);
    }
}

static void *add_many(void *unused)
{
    add_sites(RECORDS, true);
    return unused;
}

/*
 * A thread that holds the loader's lock, which a writer needs. It does not unwind: libunwind takes this lock under one
 * of its own. (Constructors may unwind; dlopen() holds another lock when it runs them.)
 */
static int inside_the_loader(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)module, (void)size, (void)unused;
    add_sites(RECORDS / ROUNDS, false);
    return 1;
}

static void *add_inside_the_loader(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        usleep(100); /* lets the others in */
        dl_iterate_phdr(inside_the_loader, NULL);
    }
    return unused;
}

START_TEST(threads)
{
    pthread_t thread[THREADS];
    FILE *file;
    char line[4096];
    long expected = 0, seq;

    record_open("log", 0, 4);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, i ? add_many : add_inside_the_loader, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    record_close();
    file = fopen("log", "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); expected++) {
        ck_assert_int_eq(sscanf(line, "%ld\t", &seq), 1);
        ck_assert_int_eq(seq, expected);
    }
    fclose(file);
    ck_assert_int_eq(expected, THREADS * RECORDS);
}
END_TEST

START_TEST(pattern)
{
    char host[HOST_NAME_MAX + 1] = "", expected[2 * HOST_NAME_MAX];

    setenv("SLURM_JOB_ID", "4711", 1);
    gethostname(host, sizeof host - 1);
    snprintf(expected, sizeof expected, "12-%s-%d-4711-%%-%%x-%%", host, (int)getpid());
    record_open("%r-%h-%p-%j-%%-%x-%", 12, 0);
    record_close();
    ck_assert_msg(access(expected, F_OK) == 0, "no file %s", expected);
}
END_TEST

START_TEST(job_of_other_systems)
{
    static const char *const variable[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOB_ID", "COBALT_JOBID",
                                           "FLUX_JOB_ID", "JOB_ID"};

    for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++)
        unsetenv(variable[i]);
    record_open("none-%j", 0, 0);
    record_close();
    ck_assert_int_eq(access("none-0", F_OK), 0);
    setenv("SLURM_JOB_ID", "", 1);
    setenv("PBS_JOBID", "17.server", 1);
    record_open("pbs-%j", 0, 0);
    record_close();
    ck_assert_int_eq(access("pbs-17.server", F_OK), 0);
}
END_TEST

START_TEST(never_overwrites)
{
    FILE *file = fopen("log", "w");
    fputs("precious", file);
    fclose(file);
    for (int records = 1; records <= 3; records++) {
        record_open("log", 0, 0);
        record_open("ignored", 0, 0); /* one log at a time */
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
END_TEST

/* Opening this pattern costs one line, which says `why`, and gives no log. */
static void refused(const char *pattern, const char *why)
{
    remove("messages");
    stderr_to("messages");
    errno = 77;
    record_open(pattern, 0, 0);
    ck_assert(!record_on());
    add(1000);
    record_close();
    ck_assert_int_eq(errno, 77);
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_ptr_nonnull(strstr(text, pattern));
    ck_assert_ptr_nonnull(strstr(text, why));
}

START_TEST(unwritable)
{
    static char longest[1 << 20];

    refused("absent/log", strerror(ENOENT));
    refused(".", strerror(EISDIR));
    ck_assert_int_eq(symlink("/dev/full", "full"), 0);
    refused("full", strerror(ENOSPC));
    ck_assert_int_ne(access("full.1", F_OK), 0);
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    refused("pipe", strerror(ENXIO)); /* and does not wait for a reader */
    memset(longest, 'x', sizeof longest - 1);
    remove("messages");
    stderr_to("messages");
    record_open(longest, 0, 0);
    ck_assert(!record_on());
    ck_assert_int_eq(lines(contents("messages")), 1);
}
END_TEST

START_TEST(full_file_does_not_kill)
{
    struct rlimit limit;
    struct stat status;
    sigset_t blocked;

    signal(SIGXFSZ, SIG_DFL);
    record_open("log", 0, 0);
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
END_TEST

START_TEST(closed_pipe_does_not_kill)
{
    int end[2];

    signal(SIGPIPE, SIG_DFL);
    ck_assert_int_eq(pipe(end), 0);
    ck_assert_int_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
    record_open("stderr", 0, 0);
    ck_assert(record_on());
    close(end[0]);
    add(1000);
    ck_assert(!record_on());
}
END_TEST

/* A signal of the application's own, blocked and waiting, is still there after a write that failed. */
START_TEST(pending_signal_is_kept)
{
    sigset_t set;
    int end[2];

    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_BLOCK, &set, NULL);
    ck_assert_int_eq(pipe(end), 0);
    ck_assert_int_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
    record_open("stderr", 0, 0);
    close(end[0]);
    raise(SIGPIPE);
    add(1000);
    ck_assert(!record_on());
    sigpending(&set);
    ck_assert(sigismember(&set, SIGPIPE));
}
END_TEST

START_TEST(standard_error)
{
    stderr_to("messages");
    record_open("stderr", 3, 0);
    add(300);
    record_close();
    ck_assert_int_eq(lines(contents("messages")), 301);
    ck_assert_str_eq(cell(300, 2), "3");
    ck_assert_int_ne(access("stderr", F_OK), 0);
    ck_assert_int_ge(write(STDERR_FILENO, "open", 4), 4);
}
END_TEST

/* The pipe holds less than is written: the log waits for its reader, which comes late. */
START_TEST(slow_reader_of_a_nonblocking_pipe)
{
    int end[2], status;

    ck_assert_int_eq(pipe(end), 0);
    pid_t reader = fork();
    if (reader == 0) {
        size_t size = 0;
        close(end[1]);
        usleep(100000);
        for (ssize_t got; (got = read(end[0], text + size, TEXT - 1 - size)) > 0;)
            size += (size_t)got;
        _exit(lines(text) == 2001 ? 0 : 1);
    }
    close(end[0]);
    ck_assert_int_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
    close(end[1]);
    ck_assert_int_eq(fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK), 0);
    record_open("stderr", 0, 0);
    add(2000);
    record_close();
    close(STDERR_FILENO);
    waitpid(reader, &status, 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(standard_descriptors_stay_free)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        close(fd);
    record_open("log", 0, 0);
    add(1);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
    record_close();
    ck_assert_int_eq(lines(contents("log")), 2);
}
END_TEST

START_TEST(descriptor_taken_by_the_application)
{
    record_open("log", 0, 0);
    stderr_to("messages");
    for (int fd = STDERR_FILENO + 1; fd < 100; fd++) {
        int theirs = open("results", O_RDWR | O_CREAT, 0600);
        ck_assert_int_ge(theirs, 0);
        dup2(theirs, fd);
        if (theirs > fd)
            close(theirs);
    }
    add(1000);
    record_close();
    ck_assert_int_eq(lines(contents("messages")), 1);
    ck_assert_str_eq(contents("results"), "");
    for (int fd = STDERR_FILENO + 1; fd < 100; fd++)
        ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
}
END_TEST

START_TEST(child_writes_nothing)
{
    int status;

    record_open("log", 0, 0);
    add(3);
    pid_t child = fork();
    if (child == 0) {
        add(1000);
        record_close();
        exit(0); /* runs what atexit() registered */
    }
    waitpid(child, &status, 0);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert_int_eq(lines(contents("log")), 1);
    record_close();
    ck_assert_int_eq(lines(contents("log")), 4);
}
END_TEST

START_TEST(exit_writes)
{
    pid_t child = fork();
    if (child == 0) {
        record_open("log", 0, 0);
        add(3);
        exit(0);
    }
    waitpid(child, NULL, 0);
    ck_assert_int_eq(lines(contents("log")), 4);
}
END_TEST

START_TEST(errno_is_kept)
{
    struct rlimit size, files;
    struct record r = sample();
    char name[256];

    fclose(fopen("log", "w"));
    errno = 77;
    record_open("log", 0, 8);
    ck_assert_int_eq(errno, 77);
    record_site(&r, __builtin_return_address(0));
    ck_assert_int_eq(errno, 77);
    for (int i = 0; i < 1000; i++)
        record_add(&r);
    ck_assert_int_eq(errno, 77);
    stderr_to("messages");
    getrlimit(RLIMIT_FSIZE, &size);
    getrlimit(RLIMIT_NOFILE, &files);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_max = size.rlim_max}); /* now everything fails */
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_max = files.rlim_max});
    errno = 77;
    site_name((void *)sample, name, sizeof name);
    int after_name = errno;
    errno = 77;
    record_close();
    int after_close = errno;
    setrlimit(RLIMIT_FSIZE, &size); /* Check writes files, too */
    setrlimit(RLIMIT_NOFILE, &files);
    ck_assert_int_eq(after_name, 77);
    ck_assert_int_eq(after_close, 77);
}
END_TEST

/* printf("%f") writes a comma here. */
START_TEST(numbers_ignore_the_locale)
{
    struct record r = sample();
    char number[16];

    ck_assert_int_eq(system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1; true"), 0);
    setenv("LOCPATH", ".", 1);
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        fprintf(stderr, "numbers_ignore_the_locale: not tested, no German locale here\n");
        return;
    }
    snprintf(number, sizeof number, "%.1f", 0.5);
    ck_assert_str_eq(number, "0,5");
    record_open("log", 0, 0);
    record_add(&r);
    record_close();
    contents("log");
    ck_assert_str_eq(cell(1, 1), "1.500000");
    ck_assert_str_eq(cell(1, 14), "2.500");
}
END_TEST

/* As the shim does: an intercepted function, which knows its caller and asks further inside. */
static __attribute__((noinline)) void shim_inner(struct record *r, void *caller)
{
    record_site(r, caller);
    __asm__ volatile(""); /* no tail call */
}

static __attribute__((noinline)) void shim(struct record *r)
{
    shim_inner(r, __builtin_return_address(0));
    __asm__ volatile("");
}

static __attribute__((noinline)) void application(struct record *r)
{
    shim(r);
    __asm__ volatile("");
}

static int compare(const void *a, const void *b)
{
    application(*(struct record *const *)a);
    return a < b;
}

/* A function that no symbol table shows: not to be taken for the one before it. */
static void nameless(void) __asm__(".Lnameless");
static __attribute__((noinline)) void nameless(void)
{
    __asm__ volatile("nop\nnop\nnop\nnop");
}

START_TEST(names)
{
    struct record r = sample();
    char name[256];
    Dl_info info;

    record_open("log", 0, 1);
    application(&r);
    ck_assert_int_eq(strncmp(site_name(r.frame[0], name, sizeof name), "application+0x", 14), 0);
    ck_assert_str_eq(site_name((char *)(void *)mkdtemp + 4, name, sizeof name), "mkdtemp+0x4");
    ck_assert_str_eq(site_name((void *)16, name, sizeof name), "0x10");
    ck_assert_str_eq(site_name(NULL, name, sizeof name), "0x0");

    void *start = dlsym(RTLD_DEFAULT, "mkdtemp"); /* the first bytes of its file belong to no function */
    ck_assert_int_ne(dladdr(start, &info), 0);
    ck_assert_str_eq(site_name((char *)info.dli_fbase + 16, name, sizeof name), "libc.so.6+0x10");

    ck_assert_int_ne(dladdr((void *)nameless, &info), 0);
    const char *slash = strrchr(info.dli_fname, '/'), *module = slash ? slash + 1 : info.dli_fname;
    site_name((char *)(void *)nameless + 2, name, sizeof name);
    ck_assert_int_eq(strncmp(name, module, strlen(module)), 0);
    ck_assert_int_eq(name[strlen(module)], '+');

    ck_assert_ptr_eq(site_name(r.frame[0], name, 8), name);
    ck_assert_str_eq(name, "applica");
}
END_TEST

START_TEST(site_begins_at_the_caller)
{
    struct record r;

    for (int depth = 0; depth <= 3; depth++) {
        record_open("log-%r", depth, depth);
        r = sample();
        application(&r);
        for (int i = 0; i < depth; i++)
            ck_assert_ptr_nonnull(r.frame[i]);
        ck_assert_ptr_null(r.frame[depth]);
        record_add(&r);
        record_close();
    }
    contents("log-0");
    ck_assert_str_eq(cell(1, 15), "-");
    contents("log-1");
    ck_assert_int_eq(strncmp(cell(1, 15), "application+0x", 14), 0);
    ck_assert_ptr_null(strchr(cell(1, 15), '<'));
    contents("log-3");
    ck_assert_int_eq(strncmp(cell(1, 15), "application+0x", 14), 0);
    ck_assert_ptr_nonnull(strstr(cell(1, 15), " < site_begins_at_the_caller"));

    record_open("log", 0, 8);
    record_site(&r, text); /* a caller that is not on the stack */
    ck_assert_ptr_eq(r.frame[0], text);
    ck_assert_ptr_null(r.frame[1]);
}
END_TEST

/* More sites than names are kept of. */
START_TEST(many_sites)
{
    struct record r = sample();
    char expected[24];

    record_open("log", 0, 1);
    for (uintptr_t i = 1; i <= 2000; i++) {
        r.frame[0] = (void *)(16 * i); /* nowhere: written as numbers */
        record_add(&r);
    }
    record_close();
    contents("log");
    for (int i = 1; i <= 2000; i++) {
        snprintf(expected, sizeof expected, "0x%x", 16 * i);
        ck_assert_str_eq(cell(i, 15), expected);
    }
}
END_TEST

int main(void);

START_TEST(site_ends_at_main)
{
    struct record r = sample(), *pointer = &r;

    record_open("log", 0, SITE_FRAMES);
    qsort((struct record *[]){pointer, pointer}, 2, sizeof pointer, compare);
    record_add(&r);
    void *caller = r.frame[0];
    memcpy(r.frame, (void *[]){caller, (char *)(void *)main + 4, caller, NULL}, 4 * sizeof(void *));
    record_add(&r);
    memcpy(r.frame, (void *[]){caller, (char *)dlsym(RTLD_DEFAULT, "__libc_start_main") + 4, caller, NULL},
           4 * sizeof(void *));
    record_add(&r); /* a program without symbols */
    record_close();
    contents("log");
    ck_assert_str_eq(strchr(cell(2, 15), '<'), "< main+0x4");
    ck_assert_ptr_null(strchr(cell(3, 15), '<'));
    const char *site = cell(1, 15), *last = strrchr(site, '<');
    ck_assert_ptr_nonnull(strstr(site, " < compare+0x"));
    ck_assert_ptr_nonnull(strstr(site, "qsort")); /* through a library without a symbol table */
    ck_assert_int_eq(strncmp(last, "< main+0x", 9), 0);
}
END_TEST

static void *thread_site(void *r)
{
    application(r);
    return NULL;
}

START_TEST(site_ends_in_the_thread)
{
    struct record r = sample();
    pthread_t thread;

    record_open("log", 0, SITE_FRAMES);
    ck_assert_int_eq(pthread_create(&thread, NULL, thread_site, &r), 0);
    pthread_join(thread, NULL);
    record_add(&r);
    record_close();
    contents("log");
    ck_assert_ptr_nonnull(strstr(cell(1, 15), " < thread_site+0x"));
    ck_assert_ptr_null(strstr(strstr(cell(1, 15), "thread_site"), " < "));
}
END_TEST

/* Any library will do as an MPI library if it is called so. */
START_TEST(mpi_frames_are_dropped)
{
    struct record r = sample();
    Dl_info info;
    char command[PATH_MAX + 64];

    ck_assert_int_ne(dladdr(dlsym(dlopen("libm.so.6", RTLD_LAZY), "fmod"), &info), 0);
    snprintf(command, sizeof command, "cp '%s' libmpitest.so", info.dli_fname);
    ck_assert_int_eq(system(command), 0);
    void *mpi = dlsym(dlopen("./libmpitest.so", RTLD_LAZY | RTLD_LOCAL), "fmod");
    ck_assert_ptr_nonnull(mpi);
    mpi = (char *)mpi + 4;

    record_open("log", 0, 3);
    r.frame[0] = r.frame[1] = mpi;
    record_add(&r);
    application(&r);
    void *caller = r.frame[0];
    memcpy(r.frame, (void *[]){mpi, mpi, caller, mpi, NULL}, 5 * sizeof(void *));
    record_add(&r);
    record_close();
    contents("log");
    ck_assert_ptr_nonnull(strstr(cell(1, 15), "0x")); /* nothing else to show */
    ck_assert_ptr_null(strchr(cell(1, 15), '<'));
    ck_assert_int_eq(strncmp(cell(2, 15), "application+0x", 14), 0);
    ck_assert_ptr_nonnull(strchr(cell(2, 15), '<')); /* the one further out stays */
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        shape, whole_lines_of_wide_fields, sequence_is_complete, written_after_a_second, threads, pattern,
        job_of_other_systems, never_overwrites, unwritable, full_file_does_not_kill, closed_pipe_does_not_kill,
        pending_signal_is_kept, standard_error, slow_reader_of_a_nonblocking_pipe, standard_descriptors_stay_free,
        descriptor_taken_by_the_application, child_writes_nothing, exit_writes, errno_is_kept,
        numbers_ignore_the_locale, names, site_begins_at_the_caller, many_sites, site_ends_at_main,
        site_ends_in_the_thread, mpi_frames_are_dropped,
    };
    Suite *suite = suite_create("record");
    TCase *tcase = tcase_create("record");

    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        return 1;
    }
    tcase_set_timeout(tcase, 60); /* localedef on a busy machine */
    tcase_add_checked_fixture(tcase, enter_folder, leave_folder);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK);
    srunner_run_all(runner, CK_ENV);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);

    snprintf(text, sizeof text, "rm -rf %s", folder);
    return system(text) == 0 ? failures : failures + 1;
}
