/* SPDX-License-Identifier: BSD-2-Clause */
/* Lessons: their text, which can be read back, their rules, which calls find, and the file that keeps them. */
#include "learn.h"
#include "reading.h"
#include "textfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define FIRST_LINES                                                                                                         \
    HEADER "# Learned by Pleach, which rewrites this file; change a copy.\n"                                                \
           "# Before each rule: a typical size, times of a call, their spread, calls measured.\n"

static struct lesson lesson(enum collective c, enum op_class o, enum root_place r, int size_class, const char *engine)
{
    const struct engine *e = engine_find(engine);
    return (struct lesson){.collective = c,
                           .op = o,
                           .root = r,
                           .ranks = 16,
                           .node_ranks = 4,
                           .size_class = size_class,
                           .engine = e,
                           .block = e == engines[0] ? 0 : 32 * K,
                           .native = 1234.56e-6,
                           .seconds = e == engines[0] ? 1234.56e-6 : 321e-6,
                           .spread = 0.057,
                           .bytes = 3 * BIT(size_class) / 2,
                           .calls = 27};
}

/* ---- Text ----------------------------------------------------------------------------------------------------------- */

static struct lessons lessons, again;

static void take(const struct lesson l)
{
    ck_assert(lessons_take(&lessons, &l));
}

/* The text of the file; checks that reading it gives as many lessons. */
static const char *text_of(void)
{
    static char *text;
    free(text);
    text = lessons_text(&lessons);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(lessons_read(&again, text), "not read: %s", text);
    ck_assert_int_eq(again.count, lessons.count);
    return text;
}

START_TEST(as_text)
{
    ck_assert_str_eq(text_of(), FIRST_LINES);
    take(lesson(COLL_SCAN, OP_ROUNDS, ROOT_FIRST, 13, "chain"));
    struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_INSIDE, 20, "native");
    l.native = l.seconds = l.spread = 0;
    take(l);
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    ck_assert_str_eq(text_of(),
                     FIRST_LINES "# 1572864 bytes: native ? us, spread 0%, 27 calls\n"
                                 "collective=bcast root=inside bytes=1M-2097151 ranks=16 ranks-per-node=4 -> engine=native\n"
                                 "# 98304 bytes: native 1234.6 us, two-tree 321.0 us, spread 6%, 27 calls\n"
                                 "collective=reduce op=exact root=last bytes=64K-131071 ranks=16 ranks-per-node=4 -> "
                                 "engine=two-tree block=32K\n"
                                 "# 12288 bytes: native 1234.6 us, chain 321.0 us, spread 6%, 27 calls\n"
                                 "collective=scan op=rounding bytes=8K-16383 ranks=16 ranks-per-node=4 -> "
                                 "engine=chain block=32K\n");
}

/*
 * A row has the winners of the sizes from 1 KiB on, a letter each (chain, two-tree, native, -: none), and the number of
 * rules that result.
 */
START_TEST(neighbours_that_agree_are_one_rule)
{
    static const struct {
        const char *won;
        int rules;
    } table[] = {{"c", 1}, {"ccc", 1}, {"cct", 2}, {"c-c", 2}, {"ctctt", 4}, {"nncc-ccnn", 4}};
    for (size_t i = 0; i < COUNT(table); i++) {
        lessons.count = 0;
        for (int k = 0; table[i].won[k]; k++)
            if (table[i].won[k] != '-')
                take(lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 10 + k,
                            table[i].won[k] == 'c'   ? "chain"
                            : table[i].won[k] == 't' ? "two-tree"
                                                     : "native"));
        struct rules *r = parse_good(text_of());
        REQUIRE(r->count == table[i].rules, "%s: %d rules", table[i].won, r->count);
        free(r);
    }
    static struct lesson other[6];
    for (int i = 0; i < 6; i++)
        other[i] = lesson(COLL_REDUCE, OP_EXACT, ROOT_FIRST, 11, "chain");
    lessons.count = 0;
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_FIRST, 10, "chain"));
    other[0].op = OP_ORDERED;
    other[1].root = ROOT_LAST;
    other[2].ranks = 17;
    other[3].node_ranks = 3;
    other[4].block = 64 * K;
    for (int i = 0; i < 5; i++)
        take(other[i]);
    struct rules *r = parse_good(text_of());
    ck_assert_int_eq(r->count, 6);
    free(r);
    take(other[5]); /* replaces other[4] */
    r = parse_good(text_of());
    ck_assert_int_eq(r->count, 5);
    free(r);
}

/* A call of `bytes` bytes, which shares all but the size with the lesson's calls. */
static struct facts call_of(const struct lesson *l, int64_t bytes)
{
    struct facts f = call(l->collective, l->op, bytes, l->ranks, l->node_ranks);
    f.root = l->root == ROOT_FIRST ? 0 : l->root == ROOT_LAST ? l->ranks - 1 : 1;
    return f;
}

static struct lesson draw(void)
{
    static const char *const names[] = {"native", "chain", "two-tree"};
    const enum collective c = below(COLLECTIVES);
    const char *name = names[below(3)];
    while (engine_find(name) != engines[0] && !engine_find(name)->serves[c].generate)
        name = names[below(3)];
    struct lesson l = lesson(c, c == COLL_BCAST ? OP_NONE : OP_EXACT + below(3),
                             collective_rooted(c) ? below(2) : ROOT_FIRST, (int)below(LESSON_CLASSES), name);
    l.ranks = 5 + (int)below(2);
    l.node_ranks = 1 + (int)below(2);
    l.native = below(1000000) * 1e-8;
    l.seconds = l.engine == engines[0] ? l.native : below(1000000) * 1e-8;
    l.spread = below(1000) * 1e-3;
    if (l.engine != engines[0])
        l.block = below(2) ? 1 + below(1000) : 8 * K;
    return l;
}

/*
 * Random lessons: a call finds the rule of its kind, and no rule if no lesson is of its kind. Times that are read back are
 * exact to a tenth of a microsecond.
 */
START_TEST(read_back_and_found)
{
    enum { LESSONS = 300 };
    for (int round = 0; round < 20; round++) {
        lessons.count = 0;
        for (int i = 0; i < LESSONS; i++)
            take(draw());
        struct rules *r = parse_good(text_of());
        for (int i = 0; i < lessons.count; i++) {
            const struct lesson *l = &lessons.lesson[i], *m = &again.lesson[i];
            REQUIRE(m->engine == l->engine && m->block == l->block && m->bytes == l->bytes && m->calls == l->calls,
                    "lesson %d", i);
            REQUIRE(m->native - l->native < 0.11e-6 && l->native - m->native < 0.11e-6, "lesson %d: native", i);
            REQUIRE(m->seconds - l->seconds < 0.11e-6 && l->seconds - m->seconds < 0.11e-6, "lesson %d: seconds", i);
            for (int end = 0; end < 2; end++) {
                struct facts f = call_of(l, end ? 2 * BIT(l->size_class) - 1 : BIT(l->size_class));
                const struct rule *rule = rules_find(r, &f, 0);
                REQUIRE(rule && rule->engine.rows == (uint64_t)BIT(engine_row(l->engine)) && rule->block == l->block,
                        "lesson %d", i);
            }
        }
        for (int i = 0; i < 1000; i++) {
            struct lesson one = draw();
            const struct facts f =
                call_of(&one, BIT(one.size_class) + below(1u << (one.size_class < 30 ? one.size_class : 30)));
            bool there = false;
            for (int k = 0; k < lessons.count; k++) {
                const struct lesson *l = &lessons.lesson[k];
                there |= l->collective == one.collective && l->op == one.op && l->root == one.root &&
                         l->ranks == one.ranks && l->node_ranks == one.node_ranks && l->size_class == one.size_class;
            }
            REQUIRE((rules_find(r, &f, 0) != NULL) == there, "call %d", i);
        }
        free(r);
    }
}

START_TEST(only_its_own_text)
{
    static const char *const changes[][2] = {{"calls", "cells"},
                                             {"bytes=64K", "bytes=65K"},
                                             {"bytes=64K", "site=a* bytes=64K"},
                                             {"ranks=16", "ranks=2-16"},
                                             {"block=32K", "block=32K "},
                                             {"block=32K", "alpha=1"},
                                             {"engine=two-tree block", "block"},
                                             {"engine=two-tree", "engine=two-tree,chain"},
                                             {"engine=two-tree", "engine=^native"},
                                             {"op=exact", "op=exact,user"},
                                             {"collective=reduce ", ""},
                                             {"collective=reduce", "collective=bcast"},
                                             {"collective=reduce", "collective=scan"},
                                             {"# 98304", "# mine\n# 98304"},
                                             {"# 98304", "98304"},
                                             {"# Learned by Pleach", "# Written by me"},
                                             {"pleach-rules 1", "pleach-rules 2"},
                                             {"bytes=64K-131071", "bytes=64K-inf"},
                                             {"bytes=64K-131071", "bytes=32K-131071"},
                                             {"bytes=64K-131071", "bytes=0-131071"}};
    char text[2048], changed[2048];
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    snprintf(text, sizeof text, "%s", text_of());
    for (size_t i = 0; i < COUNT(changes); i++) {
        char *at = strstr(text, changes[i][0]);
        ck_assert_ptr_nonnull(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
        REQUIRE(!lessons_read(&again, changed), "%s", changed);
    }
    ck_assert(!lessons_read(&again, ""));
    ck_assert(!lessons_read(&again, HEADER));
    ck_assert(!lessons_read(&again, FIRST_LINES "-> block=7\n"));
    for (size_t length = 0; length < strlen(text); length++) {
        memcpy(changed, text, length);
        changed[length] = 0;
        REQUIRE(strcmp(changed, FIRST_LINES) == 0 || !lessons_read(&again, changed), "%s", changed);
    }
}

/* Takes lessons on `count` kinds of calls, on 4 ranks and more. */
static void take_many(int count)
{
    for (int i = 0; i < count; i++) {
        struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 20, i % 2 ? "chain" : "native");
        l.ranks = 4 + i;
        take(l);
    }
}

START_TEST(no_more_than_a_file_may_have)
{
    take_many(LESSONS_MOST);
    struct lesson l = lesson(COLL_BCAST, OP_NONE, ROOT_LAST, 20, "chain");
    ck_assert(!lessons_take(&lessons, &l));
    l = lesson(COLL_BCAST, OP_NONE, ROOT_FIRST, 20, "two-tree");
    ck_assert(lessons_take(&lessons, &l));
    ck_assert_int_lt(strlen(text_of()), TEXTFILE_MOST);
    ck_assert(lessons_read(&again, text_of()));
}

START_TEST(numbers_ignore_the_locale)
{
    take(lesson(COLL_REDUCE, OP_EXACT, ROOT_LAST, 16, "two-tree"));
    if (in_decimal_comma())
        ck_assert_ptr_nonnull(strstr(text_of(), " native 1234.6 us,"));
}

/* ---- The file ------------------------------------------------------------------------------------------------------- */

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
    run("off", "chain", 16, 16, NULL, "");
    run("", "chain", 16, 16, NULL, "");
    ck_assert_int_ne(access("off", F_OK), 0);
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

SUITE("lessons", 60)
