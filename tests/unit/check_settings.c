/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings: good and bad values of each type. check_settings_file.c and check_agreement.c test the rest of settings. */
#include "environment.h"

#include <math.h>

/* ---- Values --------------------------------------------------------------------------------------------------------- */

/*
 * Values, separated by blanks, and the text that pleach settings prints for each of them; NULL: they are bad. The word ""
 * stands for an empty value.
 */
static const struct {
    const char *name, *values, *printed;
} values[] = {
    {"DISABLE", "yes YES 1 true on", "yes"},
    {"STRICT", "no 0 False oFF", "no"},
    {"DISABLE", "2 maybe yess -1 yes,no", NULL},
    {"THRESHOLD", "64K 65536 64k 64KiB 64KB 65536B 0.0625M", "64K"},
    {"THRESHOLD", "1.5M 1536K 1572864", "1536K"},
    {"THRESHOLD", "inf INF Inf", "inf"},
    {"THRESHOLD", "0 0K 0.0", "0"},
    {"THRESHOLD", "1000", "1000"},
    {"THRESHOLD", "4294967295G", "4294967295G"},
    {"THRESHOLD",
     "-1 12Q 0x10 0X10 nan infinity -inf +5 1,5K 1T K .5K 64KK "
     "99999999999G 1e999 4294967296G 4611686018427387904",
     NULL},
    {"BLOCK", "auto AUTO", "auto"},
    {"BLOCK", "1", "1"},
    {"BLOCK", "1.5M", "1536K"},
    {"BLOCK", "inf", "inf"},
    {"BLOCK", "0 0K -1 0x10 auto1 12Q 0.5", NULL},
    {"ENGINE", "auto AUTO", "auto"},
    {"ENGINE", "native", "native"},
    {"ENGINE", "chain", "chain"},
    {"ENGINE", "chain,ring ring,chain ring,chain,ring", "chain,ring"},
    {"ENGINE", "^chain", "^chain"},
    {"ENGINE", "^ring,native", "^native,ring"},
    {"ENGINE", "random:7 random:007 RANDOM:7", "random:7"},
    {"ENGINE", "random:18446744073709551615", "random:18446744073709551615"},
    {"ENGINE",
     "^ nosuch chain, ,chain chain,,ring chain;ring ^nosuch ^^chain chain,^ring ^auto chain,auto random "
     "random: random:x random:-1 random:7x random:18446744073709551616 chai chainx",
     NULL},
    {"SUMS", "exact EXACT", "exact"},
    {"SUMS", "plain Plain no off none", "plain"},
    {"SUMS", "yes 1 exactly plain,exact", NULL},
    {"PATIENCE", "60s 60 60000ms 6e1", "60"},
    {"PATIENCE", "1ms 0.001", "0.001"},
    {"PATIENCE", "inf INF", "inf"},
    {"PATIENCE", "0 1us 0.9ms -1 auto ten 1e6 nan infinity", NULL},
    {"STACK", "0 00", "0"},
    {"STACK", "32", "32"},
    {"STACK", "33 -1 1.5 4K four 0x4 99999999999999999999", NULL},
    {"LOG_RANKS", "0-3,8", "0-3,8"},
    {"LOG_RANKS", "all", "all"},
    {"LOG_RANKS", "7", "7"},
    {"LOG_RANKS", "none 3-1 1, ,1 1,,2 1- -1 1-2-3 1;2 0x1 1.5 all,1", NULL},
    {"ADVICE", "json JSON", "json"},
    {"ADVICE", "yes Yes", "yes"},
    {"ADVICE", "no off none", "no"},
    {"ADVICE", "jso jsonx text|tsv | 1", NULL},
    {"LOG", "log.%r", "log.%r"},
    {"LOG", "\"\" none No OFF", ""},
    {"REPORT", "none NONE no Off", "none"},
    {"REPORT", "./no", "./no"},
    {"LEARN", "off OFF no None", "off"},
    {"SHARED", "no NO none Off", "no"},
    {"PLACES", "none", "none"},
    {"ALPHA", "-1us 1m us inf nan 0x1p3 1e6 1000001 5,5us", NULL},
};

LOOPED_TEST(good_and_bad_values, COUNT(values))
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

/* Blanks around a value do not count. A value that has nothing else counts as not set. */
START_TEST(blanks)
{
    char variable[TEXT], defaults[TEXT], name[SETTING_TEXT];
    for (int row = 0; row < setting_count; row++)
        for (size_t i = 0; i < 2; i++) {
            take((const char *[ENV]){NULL});
            snprintf(defaults, sizeof defaults, "%s", value(setting_list[row].name));
            setting_variable(&setting_list[row], COLLECTIVES, name, sizeof name);
            snprintf(variable, sizeof variable, "%s=%s", name, i ? " \t" : "");
            ck_assert_int_eq(take_one(variable), 0);
            ck_assert_int_eq(problem_count, 0);
            ck_assert_msg(strcmp(value(setting_list[row].name), defaults) == 0, "%s", variable);
        }
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_THRESHOLD= 64K \t", "PLEACH_LOG= a b\n", "PLEACH_REPORT= none "}), 0);
    ck_assert_str_eq(value("THRESHOLD"), "64K");
    ck_assert_str_eq(settings.log, "a b");
    ck_assert_str_eq(settings.report, "none");
}

START_TEST(times)
{
    static const struct {
        const char *value;
        double seconds;
    } table[] = {{"auto", -1}, {"5us", 5e-6}, {"5e-6", 5e-6}, {"0.000005", 5e-6},  {"5000ns", 5e-6},  {"1.5ms", 1.5e-3},
                 {"2s", 2},    {"2", 2},      {"0", 0},       {"12.5US", 12.5e-6}, {"999999", 999999}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "PLEACH_ALPHA=%s", table[i].value);
        ck_assert_int_eq(take_one(variable), 0);
        ck_assert_msg(fabs(settings.figures.alpha - table[i].seconds) <= 1e-15 * fabs(table[i].seconds), "%s gives %g",
                      variable, settings.figures.alpha);
    }
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_BETA=0.1ns", "PLEACH_GAMMA=1us"}), 0);
    ck_assert(fabs(settings.figures.beta / 1e-10 - 1) < 1e-12 && settings.figures.gamma == 1e-6);
    ck_assert(settings.figures.hop == -1 && settings.figures.gap == -1);
    ck_assert_int_eq(take((const char *[ENV]){"PLEACH_HOP=2us", "PLEACH_GAP=0"}), 0);
    ck_assert(settings.figures.hop == 2e-6 && settings.figures.gap == 0);
}

START_TEST(engine_sets)
{
    uint64_t all = ((uint64_t)1 << engine_count()) - 1, chain = (uint64_t)1 << engine_row(engine_find("chain"));
    const struct {
        const char *value;
        struct engine_setting expected;
    } table[] = {{"auto", {all, false, false, 0, false}},
                 {"native", {1, true, false, 0, false}},
                 {"chain", {chain, true, false, 0, false}},
                 {"chain,native", {chain | 1, true, false, 0, false}},
                 {"^chain", {all & ~chain, false, false, 0, false}},
                 {"random:42", {all, false, true, 42, false}}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "PLEACH_SCAN_ENGINE=%s", table[i].value);
        ck_assert_int_eq(take_one(variable), 0);
        const struct engine_setting *e = &settings.engine[COLL_SCAN], *x = &table[i].expected;
        ck_assert_msg(e->rows == x->rows && e->named == x->named, "%s", variable);
        ck_assert_msg(e->random == x->random && e->seed == x->seed, "%s", variable);
        ck_assert_uint_eq(settings.engine[COLL_BCAST].rows, all);
    }
}

START_TEST(long_values)
{
    static char variable[3 * SETTING_VALUE], longest[2 * SETTING_VALUE];
    for (int length = SETTING_VALUE - 3; length < SETTING_VALUE + 20; length++) {
        snprintf(longest, sizeof longest, "%.*d", length, 7);
        snprintf(variable, sizeof variable, "PLEACH_LOG=%s", longest);
        int bad = take_one(variable);
        ck_assert_int_eq(bad, length >= SETTING_VALUE);
        ck_assert_str_eq(settings.log, bad ? "" : longest);
        ck_assert_int_eq(bad, strstr(settings.bad, "... is too long: a value has at most 4095 characters") != NULL);
        snprintf(variable, sizeof variable, "PLEACH_%s=1", longest);
        ck_assert_int_eq(take_one(variable), 0);
        ck_assert_int_eq(bad_count(PROBLEM_UNKNOWN), 1);
    }
    ck_assert_int_eq(take_one("PLEACH_ROOT=/opt/pleach"), 0); /* what modules set is no setting, and known */
    ck_assert_int_eq(bad_count(PROBLEM_UNKNOWN), 0);
    ck_assert_int_eq(take_one("PLEACH_THRESHOLD=0000000000000000000000000000000000000000000000000000000000000000000012"), 0);
    ck_assert_int_eq(settings.threshold[COLL_SCAN], 12);
}

/* ---- Small things --------------------------------------------------------------------------------------------------- */

START_TEST(ranks_listed)
{
    static const struct {
        const char *list, *ranks; /* of 0 .. 9 */
    } table[] = {{"all", "0123456789"},
                 {"ALL", "0123456789"},
                 {"0", "0"},
                 {"0-3,8", "01238"},
                 {"8,0-3", "01238"},
                 {"9", "9"},
                 {"10", ""},
                 {"3-3", "3"},
                 {"1-2,2-4", "1234"},
                 {"0-99999999999999999999", "0123456789"},
                 {"", ""},
                 {"x", ""}};
    for (size_t i = 0; i < COUNT(table); i++)
        for (int rank = 0; rank < 10; rank++)
            ck_assert_msg(settings_rank_listed(table[i].list, rank) == (strchr(table[i].ranks, '0' + rank) != NULL),
                          "%s: rank %d", table[i].list, rank);
    ck_assert(settings_rank_listed("5-100000", 99999));
}

SUITE("settings", 60)
