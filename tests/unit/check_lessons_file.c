/* SPDX-License-Identifier: BSD-2-Clause */
/* The file that keeps lessons: it grows from run to run, and Pleach replaces no file that it has not written. */
#include "learn.h"
#include "made_lessons.h"
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

/*
 * A run in a process of its own learns that `engine` wins the size classes `least` to `most`. Its messages must be `said`.
 * If `set` is not NULL, the process calls it after the first lesson.
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
            learn_open(file);
        for (int k = least; k <= most; k++) {
            struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, k, engine);
            learn_add(&l);
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
            used += (size_t)sprintf(found + used, "%.*s", (int)(strchr(line, '\n') + 1 - line), line);
    found[used] = 0;
    ck_assert_str_eq(found, rules);
    ck_assert_int_eq(system("ls *.tmp 2>/dev/null | grep -q ."), 1 << 8);
}

#define RULE(bytes, actions) "collective=bcast root=first bytes=" bytes " ranks=16 ranks-per-node=4 -> engine=" actions "\n"

START_TEST(grows_from_run_to_run)
{
    run("rules", "chain", 16, 18, NULL, "");
    expect("rules", RULE("64K-524287", "chain block=32K"));
    run("rules", "chain", 20, 20, NULL, "");
    expect("rules", RULE("64K-524287", "chain block=32K") RULE("1M-2097151", "chain block=32K"));
    run("rules", "native", 17, 19, NULL, ""); /* classes 17 and 18 have another winner than before */
    expect("rules",
           RULE("64K-131071", "chain block=32K") RULE("128K-1048575", "native") RULE("1M-2097151", "chain block=32K"));
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
    static const char *const foreign[] = {"", "precious", HEADER "-> engine=chain\n", FIRST_LINES "\n"};
    char said[2048];
    said_of(said, sizeof said, "rules", " was not written by Pleach, or was changed since, and Pleach does not replace it");
    for (size_t i = 0; i < COUNT(foreign); i++) {
        write_file("rules", foreign[i], strlen(foreign[i]));
        run("rules", "chain", 16, 18, NULL, said);
        ck_assert_str_eq(contents("rules"), foreign[i]);
    }
    said_of(said, sizeof said, "folder", " cannot be read: it is not a regular file");
    mkdir("folder", 0700);
    run("folder", "chain", 16, 18, NULL, said);
    said_of(said, sizeof said, "pipe", " cannot be read: it is not a regular file");
    mkfifo("pipe", 0600);
    run("pipe", "chain", 16, 18, NULL, said);
    said_of(said, sizeof said, "absent/rules", " cannot be written: No such file or directory");
    run("absent/rules", "chain", 16, 18, NULL, said);
}

/* Events during a run: somebody writes a foreign file, removes the file, or another run learns. */
static void put_foreign(void)
{
    write_file("rules", "precious", 8);
}

static void take_away(void)
{
    remove("rules");
}

static void learn_elsewhere(void)
{
    take(lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 17, "native"));
    take(lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 25, "native"));
    write_file("rules", text_of(), strlen(text_of()));
}

START_TEST(others_write_the_file)
{
    char said[2048];
    said_of(said, sizeof said, "rules", " was not written by Pleach, or was changed since, and Pleach does not replace it");
    run("rules", "chain", 16, 18, put_foreign, said);
    ck_assert_str_eq(contents("rules"), "precious");
    remove("rules");
    run("rules", "chain", 16, 18, take_away, "");
    expect("rules", RULE("64K-524287", "chain block=32K"));
    run("rules", "chain", 16, 18, learn_elsewhere, "");
    expect("rules", RULE("64K-524287", "chain block=32K") RULE("32M-67108863", "native"));
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
    short_of = 2;
}

START_TEST(cannot_be_written)
{
    char said[2048];
    said_of(said, sizeof said, "full", " cannot be written: File too large");
    write_file("said", said, strlen(said));
    pid_t process = fork();
    if (process == 0) { /* the messages of the run go to a pipe, as the run cannot write files */
        int end[2], status;
        struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 16, "chain");
        ck_assert_int_eq(pipe(end), 0);
        pid_t run = fork();
        if (run == 0) {
            dup2(end[1], STDERR_FILENO);
            learn_open("full");
            learn_add(&l);
            fill_disk();
            for (l.size_class = 17; l.size_class < 20; l.size_class++)
                learn_add(&l);
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
    expect("rules", RULE("64K-131071", "chain block=32K"));
    run("rules", "chain", 16, 19, lose_memory, said); /* memory comes back: no lesson is lost */
    expect("rules", RULE("64K-1048575", "chain block=32K"));
}

/* The file has room for one kind more. The run has lessons on four kinds. The file has a lesson on one, of class 20. */
START_TEST(full_file)
{
    char said[2048], *folder = getcwd(NULL, 0);
    int kept = 0;
    snprintf(said, sizeof said,
             "pleach: PLEACH_LEARN: %s/rules has no room for more than %d kinds of calls; what this run learns of others is "
             "not kept\n",
             folder, LESSONS_MOST);
    take_many(LESSONS_MOST - 1);
    write_file("rules", text_of(), strlen(text_of()));
    run("rules", "two-tree", 17, 20, NULL, said);
    char *text = textfile_read("rules", said, sizeof said);
    ck_assert(text && lessons_read(&again, text));
    ck_assert_int_eq(again.count, LESSONS_MOST);
    for (int i = 0; i < again.count; i++)
        if (again.lesson[i].engine == engine_find("two-tree"))
            kept |= 1 << again.lesson[i].size_class;
    ck_assert_int_eq(kept, 1 << 17 | 1 << 20);
    free(text);
    free(folder);
}

/* The program changes its folder and forks: the child's lesson is not kept. */
static void elsewhere(void)
{
    mkdir("elsewhere", 0700);
    ck_assert_int_eq(chdir("elsewhere"), 0);
    if (fork() == 0) {
        struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 30, "chain");
        learn_add(&l);
        _exit(0);
    }
    wait(NULL);
}

START_TEST(folders_and_children)
{
    run("rules", "chain", 16, 18, elsewhere, "");
    expect("rules", RULE("64K-524287", "chain block=32K"));
    ck_assert_int_eq(symlink("rules", "link"), 0);
    chmod("rules", 0640);
    run("link", "native", 16, 16, NULL, "");
    expect("rules", RULE("64K-131071", "native") RULE("128K-524287", "chain block=32K"));
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
            learn_open("rules");
        _exit(0);
    }
    close(out);
    waitpid(process, &status, 0);
    ck_assert_str_eq(contents("said"), "pleach: PLEACH_LEARN: rules: No such file or directory" NOT_KEPT);
}

SUITE("lessons_file", 60)
