/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of learned rules: it grows from run to run, several jobs write it, and no file is lost. */
#include "lockfile.h"
#include "made_rules.h"
#include "textfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* The contents of a file; "" if there is none. */
static const char *contents(const char *name)
{
    static char text[TEXT];
    FILE *file = fopen(name, "r");
    text[file ? fread(text, 1, TEXT - 1, file) : 0] = 0;
    if (file)
        fclose(file);
    return text;
}

static void learn(int k, const char *engine)
{
    const struct rule rule = learned_rule(COLL_BCAST, OP_NONE, ROOT_FIRST, k, engine);
    learned_keep(0, &(struct kind){.key = 1}, &rule);
}

/*
 * A run in a process of its own learns that `engine` is the best for the size classes `least` to `most`. Its messages must
 * be `said`. If `set` is not NULL, the process calls it after the first rule.
 */
static void run(const char *file, const char *engine, int least, int most, void (*set)(void), const char *said)
{
    int status;
    pid_t process = fork();
    if (process == 0) {
        int fd = open("said", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
        dup2(fd, STDERR_FILENO);
        errno = 77;
        if (file)
            learned_open(file);
        for (int k = least; k <= most; k++) {
            learn(k, engine);
            if (set && k == least)
                set();
        }
        if (errno == 77)
            raise(SIGKILL); /* the file is complete even if the process does not end by itself */
        _exit(1);
    }
    waitpid(process, &status, 0);
    ck_assert(WIFSIGNALED(status));
    ck_assert_str_eq(contents("said"), said);
}

/* Checks the rules of the file, without its first lines and comments; and that no temporary file is left. */
static void expect(const char *file, const char *rules)
{
    static char found[TEXT];
    size_t used = 0;
    ck_assert_int_eq(strncmp(contents(file), FIRST_LINES, strlen(FIRST_LINES)), 0);
    for (const char *line = contents(file); *line; line = strchr(line, '\n') + 1)
        if (*line == 'c')
            used += (size_t)sprintf(found + used, "%.*s\n", (int)(strstr(line, " origin=") - line), line);
    found[used] = 0;
    ck_assert_str_eq(found, rules);
    ck_assert_int_eq(system("ls *.tmp 2>/dev/null | grep -q ."), 1 << 8);
}

#define CHAINS_16_TO_18                                                                                                     \
    RULE("64K-131071", "chain block=32K") RULE("128K-262143", "chain block=32K") RULE("256K-524287", "chain block=32K")
#define RULE(bytes, actions) "collective=bcast root=first bytes=" bytes " ranks=16 ranks-per-node=4 -> engine=" actions "\n"

START_TEST(grows_from_run_to_run)
{
    run("rules", "chain", 16, 18, NULL, "");
    expect("rules", CHAINS_16_TO_18);
    run("rules", "chain", 20, 20, NULL, "");
    expect("rules", CHAINS_16_TO_18 RULE("1M-2097151", "chain block=32K"));
    run("rules", "native", 17, 19, NULL, "");
    expect("rules", RULE("64K-131071", "chain block=32K") RULE("128K-262143", "native") RULE("256K-524287", "native")
                        RULE("512K-1048575", "native") RULE("1M-2097151", "chain block=32K"));
    run(NULL, "chain", 16, 16, NULL, "");
}

#define NOT_KEPT "; what this run learns is not kept\n"

static void said_of(char *text, size_t size, const char *file, const char *why)
{
    char *folder = getcwd(NULL, 0);
    snprintf(text, size, "pleach: PLEACH_LEARN: %s/%s%s" NOT_KEPT, folder, file, why);
    free(folder);
}

START_TEST(foreign_files)
{
    static const char *const foreign[] = {"precious", HEADER "-> engine=chian\n"};
    static const char *const why[] = {"1: the first line must be 'pleach-rules 1', but begins with 'precious'",
                                      "2: engine=chian is not understood: it takes auto, engine names (see pleach engines), "
                                      "or ^NAME (did you mean chain?)"};
    char said[2048], reason[1024];
    for (size_t i = 0; i < COUNT(foreign); i++) {
        snprintf(reason, sizeof reason, " is no file of rules, so it stays as it is: line %s", why[i]);
        said_of(said, sizeof said, "rules", reason);
        write_file("rules", foreign[i], strlen(foreign[i]));
        run("rules", "chain", 16, 18, NULL, said);
        ck_assert_str_eq(contents("rules"), foreign[i]);
    }
    said_of(said, sizeof said, "folder", " cannot be written: Is a directory");
    mkdir("folder", 0700);
    run("folder", "chain", 16, 18, NULL, said);
    said_of(said, sizeof said, "pipe", " cannot be written: it is no regular file");
    mkfifo("pipe", 0600);
    run("pipe", "chain", 16, 18, NULL, said);
    said_of(said, sizeof said, "absent/rules", " cannot be written: No such file or directory");
    run("absent/rules", "chain", 16, 18, NULL, said);
}

/* Events during a run: somebody writes a foreign file, removes the file, or adds a rule. */
static void put_foreign(void)
{
    write_file("rules", "precious", 8);
}

static void take_away(void)
{
    remove("rules");
}

static void add_a_rule(void)
{
    char *text = strdup(put(contents("rules"), learned_rule(COLL_BCAST, OP_NONE, ROOT_FIRST, 25, "native")));
    write_file("rules", text, strlen(text));
    free(text);
}

START_TEST(others_write_the_file)
{
    char said[2048];
    said_of(said, sizeof said, "rules",
            " is no file of rules, so it stays as it is: line 1: the first line must be 'pleach-rules 1', but begins with "
            "'precious'");
    run("rules", "chain", 16, 18, put_foreign, said);
    ck_assert_str_eq(contents("rules"), "precious");
    remove("rules");
    run("rules", "chain", 16, 18, take_away, "");
    expect("rules", CHAINS_16_TO_18);
    run("rules", "chain", 16, 18, add_a_rule, "");
    expect("rules", CHAINS_16_TO_18 RULE("32M-67108863", "native"));
}

/* Several jobs learn at once, and nothing is lost. */
START_TEST(jobs_write_one_file)
{
    enum { JOBS = 6, EACH = 5 };
    int status, rules = 0;
    for (int job = 0; job < JOBS; job++)
        if (fork() == 0) {
            learned_open("rules");
            for (int i = 0; i < EACH; i++)
                learn(4 + job * EACH + i, "chain");
            _exit(0);
        }
    for (int job = 0; job < JOBS; job++) {
        wait(&status);
        ck_assert_int_eq(status, 0);
    }
    for (const char *line = contents("rules"); *line; line = strchr(line, '\n') + 1)
        rules += *line == 'c';
    ck_assert_int_eq(rules, JOBS * EACH);
}

START_TEST(a_busy_machine_writes_no_rule)
{
    const struct rule rule = learned_rule(COLL_BCAST, OP_NONE, ROOT_FIRST, 16, "chain");
    learned_open("rules");
    learned_keep(7, &(struct kind){.key = 9, .trials = 8, .preempted = 3}, &rule);
    expect("rules", "");
    learned_keep(7, &(struct kind){.key = 9, .trials = 8, .preempted = 2}, &rule);
    expect("rules", RULE("64K-131071", "chain block=32K"));
}

/* A job that keeps the file locked delays others by a second at most, and what they have learned is written later. */
START_TEST(a_job_that_keeps_the_lock)
{
    char said[2048], why[256];
    said_of(said, sizeof said, "rules", " cannot be written: another job keeps it locked");
    int held = lockfile_open("rules", why, sizeof why);
    ck_assert_int_ge(held, 0);
    run("rules", "chain", 16, 16, NULL, said);
    lockfile_close(held);
    learned_open("rules");
    held = lockfile_open("rules", why, sizeof why);
    const int before = dup(STDERR_FILENO), quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDERR_FILENO);
    learn(16, "chain");
    dup2(before, STDERR_FILENO);
    expect("rules", "");
    lockfile_close(held);
    learned_flush();
    expect("rules", RULE("64K-131071", "chain block=32K"));
}

/*
 * Limits the size of files, so that the file cannot be written, as on a full disk. The file must stay as it was, and the
 * process must get no SIGXFSZ.
 */
static void fill_disk(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* How many of the next calls of open_memstream(), which makes the text, fail for lack of memory. */
static int short_of;

FILE *open_memstream(char **text, size_t *size)
{
    typedef FILE *function(char **, size_t *);
    static function *real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "open_memstream");
    if (short_of == 0)
        return real(text, size);
    short_of--;
    errno = ENOMEM;
    return NULL;
}

static void lose_memory(void)
{
    short_of = 1;
}

START_TEST(cannot_be_written)
{
    char said[2048];
    said_of(said, sizeof said, "full", " cannot be written: File too large");
    write_file("said", said, strlen(said));
    pid_t process = fork();
    if (process == 0) { /* the messages of the run go to a pipe, as the run cannot write files */
        int end[2], status;
        ck_assert_int_eq(pipe(end), 0);
        pid_t run = fork();
        if (run == 0) {
            dup2(end[1], STDERR_FILENO);
            learned_open("full");
            learn(16, "chain");
            fill_disk();
            for (int k = 17; k < 20; k++)
                learn(k, "chain");
            raise(SIGKILL);
        }
        waitpid(run, &status, 0);
        ssize_t got = read(end[0], said, sizeof said - 1);
        said[got > 0 ? got : 0] = 0;
        _exit(WTERMSIG(status) == SIGKILL && strcmp(said, contents("said")) == 0 ? 0 : 1);
    }
    int status;
    waitpid(process, &status, 0);
    ck_assert_int_eq(status, 0);
    expect("full", RULE("64K-131071", "chain block=32K"));
}

START_TEST(no_memory)
{
    char said[2048];
    said_of(said, sizeof said, "rules", " cannot be written: out of memory");
    run("rules", "chain", 16, 18, lose_memory, said);
    expect("rules", CHAINS_16_TO_18); /* memory comes back: no rule is lost */
}

/* The file has room for one rule more. */
START_TEST(full_file)
{
    static char text[TEXT];
    char said[2048];
    size_t used = (size_t)snprintf(text, TEXT, HEADER);
    for (int i = 1; i < RULES_MOST; i++)
        used += (size_t)snprintf(text + used, TEXT - used, "ranks=%d -> engine=chain\n", i + 20);
    write_file("rules", text, used);
    said_of(said, sizeof said, "rules", " has no room for more than 1024 rules");
    run("rules", "two-tree", 17, 20, NULL, said);
    struct rules *r = parse_good(contents("rules"));
    ck_assert_int_eq(r->count, RULES_MOST);
    ck_assert_int_eq(r->rule[RULES_MOST - 1].bytes.least, BIT(17));
    free(r);
}

/* The program changes its folder and forks: what the child learns is not kept. */
static void elsewhere(void)
{
    mkdir("elsewhere", 0700);
    ck_assert_int_eq(chdir("elsewhere"), 0);
    if (fork() == 0) {
        learn(30, "chain");
        _exit(0);
    }
    wait(NULL);
}

START_TEST(folders_and_children)
{
    run("rules", "chain", 16, 18, elsewhere, "");
    expect("rules", CHAINS_16_TO_18);
    ck_assert_int_eq(symlink("rules", "link"), 0);
    chmod("rules", 0640);
    run("link", "native", 16, 16, NULL, "");
    expect("rules",
           RULE("64K-131071", "native") RULE("128K-262143", "chain block=32K") RULE("256K-524287", "chain block=32K"));
    struct stat status;
    ck_assert(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
    ck_assert(stat("rules", &status) == 0 && (status.st_mode & 0777) == 0640);
}

/* The program's folder was removed, so a name in it has no full path. */
START_TEST(no_folder)
{
    int status, out = open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pid_t process = fork();
    if (process == 0) {
        dup2(out, STDERR_FILENO);
        if (mkdir("gone", 0700) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0)
            learned_open("rules");
        _exit(0);
    }
    close(out);
    waitpid(process, &status, 0);
    ck_assert_str_eq(contents("said"), "pleach: PLEACH_LEARN: rules: No such file or directory" NOT_KEPT);
}

SUITE("learned_file", 60)
