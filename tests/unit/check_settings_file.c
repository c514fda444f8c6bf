/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings in the environment and in a file: which of several values counts, and what a file may hold, in any locale. */
#include "environment.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Which one counts ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *file; /* contents of the file PLEACH_CONF, or NULL */
    const char *env[ENV];
    const char *name, *expected;
    int bad, unknown;
} precedence[] = {
    {NULL, {NULL}, "BCAST_THRESHOLD", "auto", 0, 0},
    {"THRESHOLD=1K\n", {"PLEACH_SCAN_THRESHOLD=auto"}, "SCAN_THRESHOLD", "auto", 0, 0},
    {NULL, {"PLEACH_THRESHOLD=1K"}, "EXSCAN_THRESHOLD", "1K", 0, 0},
    {NULL, {"PLEACH_THRESHOLD=1K", "PLEACH_SCAN_THRESHOLD=2K"}, "SCAN_THRESHOLD", "2K", 0, 0},
    {NULL, {"PLEACH_SCAN_THRESHOLD=2K", "PLEACH_THRESHOLD=1K"}, "SCAN_THRESHOLD", "2K", 0, 0},
    {NULL, {"PLEACH_SCAN_THRESHOLD=2K", "PLEACH_THRESHOLD=1K"}, "REDUCE_THRESHOLD", "1K", 0, 0},
    {NULL, {"PLEACH_SCAN_THRESHOLD=x", "PLEACH_THRESHOLD=1K"}, "SCAN_THRESHOLD", "1K", 1, 0},
    {NULL, {"PLEACH_EXSCAN_BLOCK=2K", "PLEACH_SCAN_BLOCK=3K"}, "EXSCAN_BLOCK", "2K", 0, 0},
    {NULL, {"PLEACH_REDUCE_ENGINE=ring", "PLEACH_ENGINE=^chain"}, "BCAST_ENGINE", "^chain", 0, 0},
    {NULL, {"PLEACH_STACK=x", "PLEACH_DISABLE=x", "PLEACH_STRICT=x"}, "STACK", "4", 3, 0},
    {NULL, {"PLEACH_FOO=1"}, "STACK", "4", 0, 1},
    {NULL, {"PLEACH_FOO=1", "PLEACH_BCAST_FOO=1", "PLEACH_=1", "PLEACH_BCAST_STACK=5"}, "STACK", "4", 0, 4},
    {NULL, {"PLEACH_ALLGATHER_ENGINE=chain", "PLEACH_stack=3"}, "STACK", "4", 0, 2},
    {NULL, {"PLEACH=1", "XPLEACH_STACK=5", "pleach_stack=6", "PLEACH_STACK", "=PLEACH_STACK=5"}, "STACK", "4", 0, 0},
    {"THRESHOLD=1K\n", {NULL}, "BCAST_THRESHOLD", "1K", 0, 0},
    {"THRESHOLD=1K\n", {"PLEACH_THRESHOLD=2K"}, "BCAST_THRESHOLD", "2K", 0, 0},
    {"BCAST_THRESHOLD=1K\n", {"PLEACH_THRESHOLD=2K"}, "BCAST_THRESHOLD", "2K", 0, 0}, /* any variable beats the file */
    {"THRESHOLD=1K\n", {"PLEACH_SCAN_THRESHOLD=2K"}, "BCAST_THRESHOLD", "1K", 0, 0},
    {"SCAN_THRESHOLD=3K\nTHRESHOLD=1K\n", {NULL}, "SCAN_THRESHOLD", "3K", 0, 0},
    {"STACK=5\n", {"PLEACH_STACK=x"}, "STACK", "5", 1, 0},
    {"# comment\n\n   \n STACK = 5 # of frames\n", {NULL}, "STACK", "5", 0, 0},
    {"\t PLEACH_STACK\t=\t6 \r\n", {NULL}, "STACK", "6", 0, 0},
    {"STACK=7", {NULL}, "STACK", "7", 0, 0}, /* no newline at the end */
    {"LOG = a file, b = c\n", {NULL}, "LOG", "a file, b = c", 0, 0},
    {"LOG = \" a#b\" # comment\n", {NULL}, "LOG", " a#b", 0, 0},
    {"LOG=\"a\\\\\\\"\\nb\"", {NULL}, "LOG", "a\\\"\nb", 0, 0},
    {"LOG=a\"b\\n\" # comment\n", {NULL}, "LOG", "a\"b\\n\"", 0, 0}, /* the quotes are not around the whole value */
    {"LOG=\"\"\n", {NULL}, "LOG", "", 0, 0},
    {"STACK=\"5\"\n", {NULL}, "STACK", "5", 0, 0},
    {"LOG=\"\n", {NULL}, "LOG", "", 1, 0},
    {"LOG=\"a\\\"\n", {NULL}, "LOG", "", 1, 0},
    {"LOG=\"a\\t\"\n", {NULL}, "LOG", "", 1, 0},
    {"LOG=\"a\\", {NULL}, "LOG", "", 1, 0},
    {"LOG=\"a\" b\n", {NULL}, "LOG", "", 1, 0},
    {"STACK # = 5\n", {NULL}, "STACK", "4", 1, 0},
    {"STACK=5\nSTACK=6\n", {NULL}, "STACK", "6", 0, 0},
    {"NOSUCH=1\nSTACK=5\n", {NULL}, "STACK", "5", 0, 1},
    {"STACK 5\nSTACK=6\n", {NULL}, "STACK", "6", 1, 0},
    {"STACK=x\nDISABLE\nENGINE=nosuch\nFOO=1\n", {"PLEACH_FOO=1"}, "STACK", "4", 3, 2},
    {"", {NULL}, "STACK", "4", 0, 0},
    {"\xef\xbb\xbfSTACK=5\n", {NULL}, "STACK", "5", 0, 0}, /* with a byte order mark */
    {"THRESHOLD=1K\n", {"PLEACH_THRESHOLD="}, "BCAST_THRESHOLD", "1K", 0, 0},
    {"THRESHOLD=1K\nTHRESHOLD=\n", {NULL}, "BCAST_THRESHOLD", "1K", 0, 0},
    {NULL, {"PLEACH_THRESHOLD=1K", "PLEACH_SCAN_THRESHOLD= "}, "SCAN_THRESHOLD", "1K", 0, 0},
    {"LOG=a\n", {"PLEACH_LOG="}, "LOG", "", 0, 0}, /* there is no file, whatever the file of settings says */
    {"LOG=a\n", {"PLEACH_LOG=none"}, "LOG", "", 0, 0},
};

/* Writes the file `conf`; returns the variable that names it, with its value. */
static const char *write_conf(const char *contents)
{
    write_file("conf", contents, strlen(contents));
    return "PLEACH_CONF=conf";
}

LOOPED_TEST(which_counts, COUNT(precedence))
{
    const char *env[ENV + 1] = {NULL};
    int used = 0;
    for (int last = 0; last < (precedence[_i].file ? 2 : 1); last++) { /* PLEACH_CONF comes first or last */
        used = 0;
        if (precedence[_i].file && !last)
            env[used++] = write_conf(precedence[_i].file);
        for (int i = 0; precedence[_i].env[i]; i++)
            env[used++] = precedence[_i].env[i];
        if (last)
            env[used++] = write_conf(precedence[_i].file);
        ck_assert_int_eq(take(env), precedence[_i].bad);
        ck_assert_str_eq(value(precedence[_i].name), precedence[_i].expected);
        ck_assert_int_eq(bad_count(PROBLEM_UNKNOWN), precedence[_i].unknown);
        ck_assert_int_eq(problem_count, precedence[_i].bad + precedence[_i].unknown);
        ck_assert_int_eq(settings.bad[0] != 0, precedence[_i].bad > 0);
    }
}

/* A file of settings can hold every text as a value: settings_quote() writes it so that reading gives it back. */
START_TEST(quotes)
{
    static const char *const texts[] = {"",          "a",    "a b",    "a#b",    "#",         " a",  "a ",  "\ta",
                                        "a\r",       "\"",   "\"a\"",  "a\"b",   "\\",        "\\n", "a\n", "\n",
                                        "a\nb#\"\\", " \\ ", "a\\\"#", "a\001b", "\303\251#", "=",   "a=b"};
    static char longest[SETTING_VALUE], quoted[2 * SETTING_VALUE + 3], line[2 * sizeof quoted];
    memset(longest, '"', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (size_t i = 0; i <= COUNT(texts); i++) {
        const char *text = i < COUNT(texts) ? texts[i] : longest;
        settings_quote(text, quoted, sizeof quoted);
        snprintf(line, sizeof line, "LOG=%s\nSTACK=5\n", quoted);
        ck_assert_int_eq(take_one(write_conf(line)), 0);
        ck_assert_str_eq(settings.log, text);
        ck_assert_int_eq(settings.stack, 5);
    }
    settings_quote("a \"b\\n", quoted, sizeof quoted);
    ck_assert_str_eq(quoted, "a \"b\\n"); /* it needs no quotes */
}

/* The warning of an unknown setting, or of an unknown engine, names the most similar one. */
START_TEST(what_was_meant)
{
    static const struct {
        const char *variable, *end;
    } table[] = {{"PLEACH_TRESHOLD=1", " ignored (did you mean PLEACH_THRESHOLD?)"},
                 {"PLEACH_SCAN_ENGIN=1", " ignored (did you mean PLEACH_SCAN_ENGINE?)"},
                 {"PLEACH_BCATS_BLOCK=1", " ignored (did you mean PLEACH_BCAST_BLOCK?)"},
                 {"PLEACH_stack=3", " ignored (did you mean PLEACH_STACK?)"},
                 {"PLEACH_FOO=1", " it is ignored"},
                 {"PLEACH_ENGINE=chian", " random:SEED (did you mean chain?)"},
                 {"PLEACH_BCAST_ENGINE=chain,two-tee", " random:SEED (did you mean two-tree?)"},
                 {"PLEACH_ENGINE=^rnig,cain", " random:SEED (did you mean ring?)"},
                 {"PLEACH_ENGINE=atuo", " random:SEED (did you mean auto?)"},
                 {"PLEACH_ENGINE=chain,", " random:SEED"},
                 {"PLEACH_ENGINE=random:", " (random: stands alone, and a number follows, as in random:7)"},
                 {"PLEACH_ENGINE=chain,random:7", " (random: stands alone, and a number follows, as in random:7)"},
                 {"PLEACH_ENGINE=^chain,^ring", " random:SEED (^ stands once, before the list)"},
                 {"PLEACH_STACK=auto", " 0 to 32"}};
    for (size_t i = 0; i < COUNT(table); i++) {
        take_one(table[i].variable);
        const char *text = problems[0].text;
        size_t length = strlen(text), end = strlen(table[i].end);
        ck_assert_int_eq(problem_count, 1);
        ck_assert_msg(length > end && strcmp(text + length - end, table[i].end) == 0, "%s", text);
    }
}

/*
 * There is a warning if a setting of one collective names an engine that does not serve the collective. There is none if the
 * engine is named for all collectives, or excluded.
 */
START_TEST(engines_that_do_not_serve)
{
    static const struct {
        const char *variable, *text; /* NULL: no problem */
    } table[] = {
        {"PLEACH_SCAN_ENGINE=ring",
         "PLEACH_SCAN_ENGINE: ring does not serve scan; these calls are native unless another engine is named"},
        {"PLEACH_BCAST_ENGINE=chain,doubling",
         "PLEACH_BCAST_ENGINE: doubling does not serve bcast; these calls are native unless another engine is named"},
        {"PLEACH_ENGINE=ring", NULL},
        {"PLEACH_SCAN_ENGINE=^ring", NULL},
        {"PLEACH_SCAN_ENGINE=native,chain", NULL},
        {"PLEACH_SCAN_ENGINE=random:3", NULL}};
    for (size_t i = 0; i < COUNT(table); i++) {
        ck_assert_int_eq(take_one(table[i].variable), 0);
        ck_assert_int_eq(bad_count(PROBLEM_IDLE), table[i].text != NULL);
        ck_assert_int_eq(problem_count, table[i].text != NULL);
        ck_assert_str_eq(settings.bad, "");
        if (table[i].text)
            ck_assert_str_eq(problems[0].text, table[i].text);
    }
    ck_assert_int_eq(take_one(write_conf("SCAN_ENGINE=ring\n")), 0);
    ck_assert_str_eq(
        problems[0].text,
        "conf:1: PLEACH_SCAN_ENGINE: ring does not serve scan; these calls are native unless another engine is named");
}

START_TEST(problems_are_told)
{
    static const char expected[] = "conf:2: PLEACH_STACK=99 ";
    bool found = false;
    ck_assert_int_eq(take_one(write_conf("\nSTACK=99\nwhat\nFOO=1\n")), 2);
    ck_assert_int_eq(problem_count, 3);
    for (int i = 0; i < problem_count; i++) {
        ck_assert_ptr_null(strpbrk(problems[i].text, "\n"));
        found = found || (strncmp(problems[i].text, expected, strlen(expected)) == 0 && problems[i].kind == PROBLEM_BAD &&
                          strstr(problems[i].text, "a number of frames, 0 to 32"));
    }
    ck_assert(found);
    char *const bad[] = {(char *)"PLEACH_STACK=x", NULL};
    ck_assert_int_eq(settings_read(&settings, bad, NULL, NULL), 1); /* without a function that hears of problems */

    ck_assert_int_eq(take_one("PLEACH_CONF=/nonexistent/conf"), 1);
    ck_assert_int_eq(problems[0].kind, PROBLEM_FILE);
    ck_assert_ptr_nonnull(strstr(problems[0].text, "/nonexistent/conf"));
    ck_assert_int_eq(take_one("PLEACH_CONF="), 0);
    ck_assert_int_eq(take_one("PLEACH_CONF=."), 1);
    ck_assert_int_eq(problems[0].kind, PROBLEM_FILE);
    ck_assert_str_eq(problems[0].text, "PLEACH_CONF=. cannot be read: it is not a regular file");
}

static int take_site(const char *variable)
{
    char *env[] = {(char *)variable, NULL};
    problem_count = 0;
    return settings_read_site(&settings, "site", env, keep, &problems);
}

/* The site's file counts if PLEACH_CONF is not set. It need not exist. */
START_TEST(site)
{
    static const char contents[] = "STACK=5\nTHRESHOLD=1K\nCONF=other\n";
    ck_assert_int_eq(take_site(NULL), 0);
    ck_assert_str_eq(settings.conf, "");
    ck_assert_int_eq(problem_count, 0);

    write_file("site", contents, strlen(contents));
    ck_assert_int_eq(take_site(NULL), 0);
    ck_assert_int_eq(settings.stack, 5);
    ck_assert_str_eq(settings.conf, "site");
    ck_assert_int_eq(take_site("PLEACH_STACK=6"), 0);
    ck_assert_int_eq(settings.stack, 6);
    ck_assert_int_eq(settings.threshold[COLL_SCAN], 1024);
    ck_assert_int_eq(take_site("PLEACH_CONF="), 0);
    ck_assert_msg(settings.stack == 4, "the site's file is read though PLEACH_CONF is set");
    ck_assert_str_eq(settings.conf, "");
    ck_assert_int_eq(take_site(write_conf("THRESHOLD=2K\n")), 0);
    ck_assert_int_eq(settings.stack, 4);
    ck_assert_int_eq(settings.threshold[COLL_SCAN], 2048);
    ck_assert_int_eq(take_one("PLEACH_DISABLE=no"), 0);
    ck_assert_int_eq(settings.stack, 4);

    write_file("site", "STACK=x\n", 8);
    ck_assert_int_eq(take_site(NULL), 1);
    ck_assert_int_eq(strncmp(problems[0].text, "site:1: PLEACH_STACK=x ", 23), 0);
    /* A site's file that cannot be read is an error, as other ranks may read theirs. */
    ck_assert_int_eq(unlink("site"), 0);
    ck_assert_int_eq(mkdir("site", 0700), 0);
    ck_assert_int_eq(take_site(NULL), 1);
    ck_assert_str_eq(problems[0].text, "site cannot be read: it is not a regular file");
    ck_assert_str_ne(settings.bad, "");
}

/* A value that counts has an origin: the environment, or the file. */
START_TEST(origins)
{
    struct settings s = {.conf = "site"};
    char where[TEXT];
    setenv("PLEACH_STACK", "6", 1);
    setenv("PLEACH_DISABLE", "", 1);
    ck_assert_str_eq(settings_origin(&s, "PLEACH_DISABLE", where, sizeof where), "remove the line");
    ck_assert_str_eq(where, "site: ");
    ck_assert_str_eq(settings_origin(&s, "PLEACH_STACK", where, sizeof where), "unset it");
    ck_assert_str_eq(where, "");
    unsetenv("PLEACH_STACK");
    unsetenv("PLEACH_DISABLE");
}

/* A line of a file may be of any length. */
START_TEST(long_lines)
{
    char *contents = malloc(1 << 14);
    for (int length = 1000; length < 1050; length++) {
        sprintf(contents, "#%0*d\nSTACK=5\n", length, 7);
        ck_assert_int_eq(take_one(write_conf(contents)), 0);
        ck_assert_int_eq(settings.stack, 5);
        sprintf(contents, "STACK=5\n#%*sSTACK=6\n", length, "");
        ck_assert_int_eq(take_one(write_conf(contents)), 0);
        ck_assert_msg(settings.stack == 5, "a long comment is read as a setting");
        sprintf(contents, "LOG=%0*d\nSTACK=5\n", SETTING_VALUE + length, 7);
        ck_assert_int_eq(take_one(write_conf(contents)), 1);
        ck_assert_int_eq(settings.stack, 5);
        ck_assert_str_eq(settings.log, "");
    }
    free(contents);
}

/* A program may have called clearenv(). */
START_TEST(no_environment)
{
    struct settings s, initial;
    ck_assert_int_eq(settings_read(&s, NULL, NULL, NULL), 0);
    settings_read(&initial, (char *const[]){NULL}, NULL, NULL);
    ck_assert_mem_eq(&s, &initial, sizeof s);
}

START_TEST(locale_does_not_matter)
{
    char text[TEXT];
    if (!in_decimal_comma())
        return;
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_THRESHOLD=1.5K", "PLEACH_ALPHA=2.5us"}), 0);
    ck_assert_int_eq(settings.threshold[0], 1536);
    ck_assert(fabs(settings.figures.alpha / 2.5e-6 - 1) < 1e-12);
    snprintf(text, sizeof text, "%s", value("ALPHA"));
    ck_assert_ptr_null(strchr(text, ','));
    ck_assert_int_eq(take_one("PLEACH_THRESHOLD=1,5K"), 1);
}

SUITE("settings_file", 60)
