/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading the settings: every type's good and bad values, which of several counts, and the file (see check_agreement.c). */
#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pleach/settings.h>

enum { TEXT = 4 * SETTING_TEXT, ENV = 8 };

static char folder[] = "/tmp/check_settings.XXXXXX";
static struct settings settings;
static struct problem problems[16];
static int problem_count;

static void keep(void *to, const struct problem *p)
{
    ck_assert_ptr_eq(to, &problems);
    ck_assert_int_lt(problem_count, 16);
    problems[problem_count++] = *p;
}

/* Reads an environment of up to ENV strings, NULL-terminated if fewer. */
static int take(const char *const *env)
{
    char *vector[ENV + 1] = {NULL};
    problem_count = 0;
    memset(&settings, 0x5a, sizeof settings);
    for (int i = 0; i < ENV && env[i]; i++)
        vector[i] = (char *)env[i];
    return settings_read(&settings, vector, keep, &problems);
}

static int take_one(const char *variable)
{
    return take((const char *[ENV]){variable});
}

/* The effective value of a setting, by the name of the variable that sets it for one collective alone. */
static const char *value(const char *name)
{
    static char text[TEXT];
    int row, c = COLL_BCAST;
    for (int i = 0; i < COLLECTIVES; i++) {
        size_t length = strlen(collective_name((enum collective)i));
        if (strncasecmp(name, collective_name((enum collective)i), length) == 0 && name[length] == '_') {
            name += length + 1;
            c = i;
            break;
        }
    }
    for (row = 0; row < setting_count && strcmp(setting_list[row].name, name) != 0; row++)
        ;
    ck_assert_int_lt(row, setting_count);
    settings_print(&settings, row, (enum collective)c, text, sizeof text);
    return text;
}

static int bad_count(int kind)
{
    int n = 0;
    for (int i = 0; i < problem_count; i++)
        n += problems[i].kind == kind;
    return n;
}

/* ---- Values --------------------------------------------------------------------------------------------------------- */

/* Good values and what is printed for them; words separated by blanks, "" is an empty value. NULL: no good (bad). */
static const struct {
    const char *name, *values, *printed;
} values[] = {
    {"DISABLE", "yes YES 1 true on", "yes"},
    {"STRICT", "no 0 False oFF", "no"},
    {"DISABLE", "\"\" 2 maybe yess -1 yes,no", NULL},
    {"THRESHOLD", "64K 65536 64k 64KiB 64KB 65536B 0.0625M", "64K"},
    {"THRESHOLD", "1.5M 1536K 1572864", "1536K"},
    {"THRESHOLD", "inf INF Inf", "inf"},
    {"THRESHOLD", "0 0K 0.0", "0"},
    {"THRESHOLD", "1000", "1000"},
    {"THRESHOLD", "4096G", "4096G"},
    {"THRESHOLD", "-1 12Q \"\" 0x10 0X10 nan infinity -inf +5 1,5K 1T K .5K 64KK "
                  "99999999999G 1e999 4611686018427387904", NULL},
    {"BLOCK", "auto AUTO", "auto"},
    {"BLOCK", "1", "1"},
    {"BLOCK", "1.5M", "1536K"},
    {"BLOCK", "inf", "inf"},
    {"BLOCK", "0 0K -1 0x10 \"\" auto1 12Q 0.5", NULL},
    {"ENGINE", "auto AUTO", "auto"},
    {"ENGINE", "native", "native"},
    {"ENGINE", "chain", "chain"},
    {"ENGINE", "chain,ring ring,chain ring,chain,ring", "chain,ring"},
    {"ENGINE", "^chain", "^chain"},
    {"ENGINE", "^ring,native", "^native,ring"},
    {"ENGINE", "random:7 random:007 RANDOM:7", "random:7"},
    {"ENGINE", "random:18446744073709551615", "random:18446744073709551615"},
    {"ENGINE", "\"\" ^ nosuch chain, ,chain chain,,ring chain;ring ^nosuch ^^chain chain,^ring ^auto chain,auto random "
               "random: random:x random:-1 random:7x random:18446744073709551616 chai chainx", NULL},
    {"FRACTIONAL_R", "auto AUTO", "auto"},
    {"FRACTIONAL_R", "7 007", "7"},
    {"FRACTIONAL_R", "2147483647", "2147483647"},
    {"FRACTIONAL_R", "0 -1 1.5 2147483648 \"\" 4K four inf", NULL},
    {"STACK", "0 00", "0"},
    {"STACK", "32", "32"},
    {"STACK", "33 -1 1.5 \"\" 4K four 0x4 99999999999999999999", NULL},
    {"LOG_RANKS", "0-3,8", "0-3,8"},
    {"LOG_RANKS", "all", "all"},
    {"LOG_RANKS", "7", "7"},
    {"LOG_RANKS", "\"\" none 3-1 1, ,1 1,,2 1- -1 1-2-3 1;2 0x1 1.5 all,1", NULL},
    {"LOG", "log.%r", "log.%r"},
    {"LOG", "\"\"", ""},
    {"ALPHA", "-1us 1m us \"\" inf nan 0x1p3 1e6 1000001 5,5us", NULL},
};

START_TEST(good_and_bad_values)
{
    char words[SETTING_TEXT], variable[TEXT], before[TEXT], *rest = words;
    snprintf(words, sizeof words, "%s", values[_i].values);
    take((const char *[ENV]){NULL});
    snprintf(before, sizeof before, "%s", value(values[_i].name));
    for (char *word; (word = strsep(&rest, " "));) {
        snprintf(variable, sizeof variable, "PLEACH_%s=%s", values[_i].name, strcmp(word, "\"\"") == 0 ? "" : word);
        int bad = take_one(variable), is_bad = !values[_i].printed;
        ck_assert_msg(bad == is_bad && problem_count == is_bad, "%s: %d bad", variable, bad);
        ck_assert_int_eq(bad_count(PROBLEM_BAD), is_bad);
        ck_assert_msg(strcmp(value(values[_i].name), is_bad ? before : values[_i].printed) == 0, "%s gives %s", variable,
                      value(values[_i].name));
        ck_assert_str_eq(settings.bad, is_bad ? problems[0].text : "");
        if (is_bad)
            ck_assert_msg(strncmp(problems[0].text, variable, strlen(variable)) == 0, "%s: %s", variable, problems[0].text);
    }
}
END_TEST

START_TEST(times)
{
    static const struct {
        const char *value;
        double seconds;
    } table[] = {{"auto", -1}, {"5us", 5e-6}, {"5e-6", 5e-6}, {"0.000005", 5e-6}, {"5000ns", 5e-6}, {"1.5ms", 1.5e-3},
                 {"2s", 2}, {"2", 2}, {"0", 0}, {"12.5US", 12.5e-6}, {"999999", 999999}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "PLEACH_ALPHA=%s", table[i].value);
        ck_assert_int_eq(take_one(variable), 0);
        ck_assert_msg(fabs(settings.figures.alpha - table[i].seconds) <= 1e-15 * fabs(table[i].seconds), "%s gives %g", variable,
                      settings.figures.alpha);
    }
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_BETA=0.1ns", "PLEACH_GAMMA=1us"}), 0);
    ck_assert(fabs(settings.figures.beta / 1e-10 - 1) < 1e-12 && settings.figures.gamma == 1e-6);
}
END_TEST

START_TEST(engine_sets)
{
    uint64_t all = ((uint64_t)1 << engine_count()) - 1, chain = (uint64_t)1 << engine_row(engine_find("chain"));
    const struct {
        const char *value;
        struct engine_setting expected;
    } table[] = {{"auto", {all, false, false, 0}},           {"native", {1, true, false, 0}},
                 {"chain", {chain, true, false, 0}},          {"chain,native", {chain | 1, true, false, 0}},
                 {"^chain", {all & ~chain, false, false, 0}}, {"random:42", {all, false, true, 42}}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "PLEACH_SCAN_ENGINE=%s", table[i].value);
        ck_assert_int_eq(take_one(variable), 0);
        const struct engine_setting *e = &settings.engine[COLL_SCAN], *x = &table[i].expected;
        ck_assert_msg(e->rows == x->rows && e->named == x->named, "%s", variable);
        ck_assert_msg(e->random == x->random && e->seed == x->seed, "%s", variable);
        ck_assert_uint_eq(settings.engine[COLL_BCAST].rows, all);
    }
}
END_TEST

START_TEST(long_values)
{
    char variable[3 * SETTING_TEXT], longest[2 * SETTING_TEXT];
    for (int length = SETTING_TEXT - 3; length < SETTING_TEXT + 20; length++) {
        snprintf(longest, sizeof longest, "%.*d", length, 7);
        snprintf(variable, sizeof variable, "PLEACH_LOG=%s", longest);
        int bad = take_one(variable);
        ck_assert_int_eq(bad, length >= SETTING_TEXT);
        ck_assert_str_eq(settings.log, bad ? "" : longest);
        snprintf(variable, sizeof variable, "PLEACH_%s=1", longest);
        ck_assert_int_eq(take_one(variable), 0);
        ck_assert_int_eq(bad_count(PROBLEM_UNKNOWN), 1);
    }
    ck_assert_int_eq(take_one("PLEACH_THRESHOLD=0000000000000000000000000000000000000000000000000000000000000000000012"), 0);
    ck_assert_int_eq(settings.threshold[COLL_SCAN], 12);
}
END_TEST

/* ---- Which one counts ----------------------------------------------------------------------------------------------- */

static const struct {
    const char *file; /* contents of the file PLEACH_CONF, or NULL */
    const char *env[ENV];
    const char *name, *expected;
    int bad, unknown;
} precedence[] = {
    {NULL, {NULL}, "BCAST_THRESHOLD", "64K", 0, 0},
    {NULL, {NULL}, "REDUCE_THRESHOLD", "32K", 0, 0},
    {NULL, {NULL}, "SCAN_THRESHOLD", "16K", 0, 0},
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
    {NULL, {"PLEACH_ALLREDUCE_ENGINE=chain", "PLEACH_stack=3"}, "STACK", "4", 0, 2},
    {NULL, {"PLEACH=1", "XPLEACH_STACK=5", "pleach_stack=6", "PLEACH_STACK", "=PLEACH_STACK=5"}, "STACK", "4", 0, 0},
    {"THRESHOLD=1K\n", {NULL}, "BCAST_THRESHOLD", "1K", 0, 0},
    {"THRESHOLD=1K\n", {"PLEACH_THRESHOLD=2K"}, "BCAST_THRESHOLD", "2K", 0, 0},
    {"BCAST_THRESHOLD=1K\n", {"PLEACH_THRESHOLD=2K"}, "BCAST_THRESHOLD", "2K", 0, 0}, /* any variable before the file */
    {"THRESHOLD=1K\n", {"PLEACH_SCAN_THRESHOLD=2K"}, "BCAST_THRESHOLD", "1K", 0, 0},
    {"SCAN_THRESHOLD=3K\nTHRESHOLD=1K\n", {NULL}, "SCAN_THRESHOLD", "3K", 0, 0},
    {"STACK=5\n", {"PLEACH_STACK=x"}, "STACK", "5", 1, 0},
    {"# comment\n\n   \n STACK = 5 # of frames\n", {NULL}, "STACK", "5", 0, 0},
    {"\t PLEACH_STACK\t=\t6 \r\n", {NULL}, "STACK", "6", 0, 0},
    {"STACK=7", {NULL}, "STACK", "7", 0, 0}, /* no newline at the end */
    {"LOG = a file, b = c\n", {NULL}, "LOG", "a file, b = c", 0, 0},
    {"LOG = \" a#b\" # comment\n", {NULL}, "LOG", " a#b", 0, 0},
    {"LOG=\"a\\\\\\\"\\nb\"", {NULL}, "LOG", "a\\\"\nb", 0, 0},
    {"LOG=a\"b\\n\" # comment\n", {NULL}, "LOG", "a\"b\\n\"", 0, 0}, /* no quotes around it */
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
};

/* Writes the file `conf` in the test's folder; the variable that names it. */
static const char *write_conf(const char *contents)
{
    static char variable[100];
    char name[64];
    snprintf(name, sizeof name, "%s/conf", folder);
    FILE *file = fopen(name, "w");
    ck_assert(file && fputs(contents, file) >= 0 && fclose(file) == 0);
    snprintf(variable, sizeof variable, "PLEACH_CONF=%s", name);
    return variable;
}

START_TEST(which_counts)
{
    const char *env[ENV + 1] = {NULL};
    int used = 0;
    for (int last = 0; last < (precedence[_i].file ? 2 : 1); last++) { /* PLEACH_CONF before and behind the others */
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
END_TEST

/* Whatever text a value has, a file of settings can say it. */
START_TEST(quotes)
{
    static const char *const texts[] = {"", "a", "a b", "a#b", "#", " a", "a ", "\ta", "a\r", "\"", "\"a\"", "a\"b", "\\",
                                        "\\n", "a\n", "\n", "a\nb#\"\\", " \\ ", "a\\\"#", "a\001b", "\303\251#", "=", "a=b"};
    char longest[SETTING_TEXT], quoted[2 * SETTING_TEXT + 3], line[2 * sizeof quoted];
    memset(longest, '"', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (size_t i = 0; i <= sizeof texts / sizeof texts[0]; i++) {
        const char *text = i < sizeof texts / sizeof texts[0] ? texts[i] : longest;
        settings_quote(text, quoted, sizeof quoted);
        snprintf(line, sizeof line, "LOG=%s\nSTACK=5\n", quoted);
        ck_assert_int_eq(take_one(write_conf(line)), 0);
        ck_assert_str_eq(settings.log, text);
        ck_assert_int_eq(settings.stack, 5);
    }
    settings_quote("a \"b\\n", quoted, sizeof quoted);
    ck_assert_str_eq(quoted, "a \"b\\n"); /* as it is */
}
END_TEST

START_TEST(problems_are_told)
{
    char expected[128];
    const char *conf = write_conf("\nSTACK=99\nwhat\nFOO=1\n"), *file = strchr(conf, '=') + 1;
    ck_assert_int_eq(take_one(conf), 2);
    ck_assert_int_eq(problem_count, 3);
    snprintf(expected, sizeof expected, "%s:2: PLEACH_STACK=99 ", file);
    for (int i = 0; i < problem_count; i++)
        ck_assert_ptr_null(strpbrk(problems[i].text, "\n"));
    bool found = false;
    for (int i = 0; i < problem_count; i++)
        found = found || (strncmp(problems[i].text, expected, strlen(expected)) == 0 && problems[i].kind == PROBLEM_BAD &&
                          strstr(problems[i].text, "a number of frames, 0 to 32"));
    ck_assert(found);
    char *const bad[] = {(char *)"PLEACH_STACK=x", NULL};
    ck_assert_int_eq(settings_read(&settings, bad, NULL, NULL), 1); /* nobody to tell */

    ck_assert_int_eq(take_one("PLEACH_CONF=/nonexistent/conf"), 1);
    ck_assert_int_eq(problems[0].kind, PROBLEM_FILE);
    ck_assert_ptr_nonnull(strstr(problems[0].text, "/nonexistent/conf"));
    ck_assert_int_eq(take_one("PLEACH_CONF="), 0);
    snprintf(expected, sizeof expected, "PLEACH_CONF=%s", folder);
    ck_assert_msg(take_one(expected) == 1, "a folder is not a file that can be read");
}
END_TEST

/* A line of the file is one line however long it is. */
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
        sprintf(contents, "LOG=%0*d\nSTACK=5\n", 4 * length, 7);
        ck_assert_int_eq(take_one(write_conf(contents)), 1);
        ck_assert_int_eq(settings.stack, 5);
        ck_assert_str_eq(settings.log, "");
    }
    free(contents);
}
END_TEST

/* ---- Small things --------------------------------------------------------------------------------------------------- */

START_TEST(locale_does_not_matter)
{
    char command[128], number[16], text[TEXT];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1; true", folder);
    ck_assert_int_eq(system(command), 0);
    setenv("LOCPATH", folder, 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        fprintf(stderr, "locale_does_not_matter: not tested, no German locale here\n");
        return;
    }
    snprintf(number, sizeof number, "%.1f", 0.5);
    ck_assert_str_eq(number, "0,5");
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_THRESHOLD=1.5K", "PLEACH_ALPHA=2.5us"}), 0);
    ck_assert_int_eq(settings.threshold[0], 1536);
    ck_assert(fabs(settings.figures.alpha / 2.5e-6 - 1) < 1e-12);
    snprintf(text, sizeof text, "%s", value("ALPHA"));
    ck_assert_ptr_null(strchr(text, ','));
    ck_assert_int_eq(take_one("PLEACH_THRESHOLD=1,5K"), 1);
}
END_TEST

START_TEST(ranks_listed)
{
    static const struct {
        const char *list, *ranks; /* of 0 .. 9 */
    } table[] = {{"all", "0123456789"}, {"ALL", "0123456789"}, {"0", "0"}, {"0-3,8", "01238"}, {"8,0-3", "01238"},
                 {"9", "9"}, {"10", ""}, {"3-3", "3"}, {"1-2,2-4", "1234"}, {"0-99999999999999999999", "0123456789"},
                 {"", ""}, {"x", ""}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int rank = 0; rank < 10; rank++)
            ck_assert_msg(settings_rank_listed(table[i].list, rank) == (strchr(table[i].ranks, '0' + rank) != NULL),
                          "%s: rank %d", table[i].list, rank);
    ck_assert(settings_rank_listed("5-100000", 99999));
}
END_TEST

START_TEST(sizes)
{
    int64_t size = 7;
    ck_assert(size_parse("1.5M", &size) && size == 1572864);
    ck_assert(size_parse("inf", &size) && size == SIZE_INF);
    ck_assert(!size_parse("12Q", &size) && size == SIZE_INF);
    ck_assert(size_parse("4294967295G", &size) && size == (int64_t)4294967295 << 30);
    ck_assert(!size_parse("4294967296G", &size));
}
END_TEST

static void clean(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0)
        perror(folder);
}

int main(void)
{
    const TTest *const tests[] = {times, engine_sets, long_values, quotes, problems_are_told, long_lines,
                                  locale_does_not_matter, ranks_listed, sizes};
    Suite *suite = suite_create("settings");
    TCase *tcase = tcase_create("settings");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    tcase_set_timeout(tcase, 60); /* localedef on a busy machine */
    tcase_add_loop_test(tcase, good_and_bad_values, 0, sizeof values / sizeof values[0]);
    tcase_add_loop_test(tcase, which_counts, 0, sizeof precedence / sizeof precedence[0]);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    clean();
    return failures;
}
