/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings that ranks compare. A printed value can be read again, and hashes differ exactly where effective values do. */
#include "environment.h"

/* Values of each type, none of which is a default except "yes". */
static const char *const others[][4] = {
    [SET_BOOL] = {"yes"},
    [SET_SIZE] = {"0", "17", "1.5M", "inf"},
    [SET_BUDGET] = {"no", "17", "1G", "inf"},
    [SET_BLOCK] = {"1", "24K", "inf"},
    [SET_ENGINE] = {"random:9", "^chain", "native,chain", "native,chain,ring,two-tree"},
    [SET_SUMS] = {"exact"},
    [SET_ADVICE] = {"yes", "text", "html"},
    [SET_TIME] = {"0", "1.7us", "3.3333333333333333e-7", "1.1e-16"},
    [SET_PERIOD] = {"1ms", "60s", "0.1"},
    [SET_COUNT] = {"0", "32"},
    [SET_RANKS] = {"all", "0-3,8"},
    [SET_TEXT] = {"log.%r", "x=y, z"},
};

static enum setting_type type_of(const char *name)
{
    for (int row = 0; row < setting_count; row++) {
        size_t length = strlen(setting_list[row].name), whole = strlen(name);
        if (whole >= length && strcmp(name + whole - length, setting_list[row].name) == 0)
            return setting_list[row].type;
    }
    ck_abort_msg("%s is not in the list", name);
}

/* The name that stands for a difference in all of the agreed values first .. last. */
static const char *difference(int first, int last)
{
    static char name[64];
    bool differs[SETTINGS_AGREED_MOST] = {false};
    for (int i = first; i <= last; i++)
        differs[i] = true;
    ck_assert_int_eq(settings_difference(differs, name, sizeof name), first);
    return name;
}

START_TEST(differences_have_names)
{
    int count = settings_agreed_count(), general = 0;
    for (int i = 0; i + COLLECTIVES <= count; i++) {
        const char *name = difference(i, i);
        if (strncmp(name, "PLEACH_BCAST_", 13) == 0) {
            char rest[64];
            snprintf(rest, sizeof rest, "PLEACH_%s", name + 13);
            ck_assert_str_eq(difference(i, i + COLLECTIVES - 1), rest);
            ck_assert_str_ne(difference(i, i + COLLECTIVES - 2), rest); /* one collective is equal */
            ck_assert_str_ne(difference(i + 1, i + COLLECTIVES - 1), rest);
            general++;
        }
    }
    ck_assert_int_eq(general, 4); /* engine, threshold, block, sums */
    ck_assert_str_eq(difference(count - 1, count - 1), "a bad setting");
}

/* Another value of a setting changes the hash of that setting alone. */
START_TEST(each_hash_is_of_one_value)
{
    uint64_t before[SETTINGS_AGREED_MOST], after[SETTINGS_AGREED_MOST];
    char name[64], variable[2 * TEXT], text[TEXT];
    int count = settings_agreed_count();
    ck_assert_int_le(count, SETTINGS_AGREED_MOST);
    take((const char *[ENV]){NULL});
    settings_hash(&settings, before);
    for (int i = 0; i < count - 1; i++) {
        snprintf(name, sizeof name, "%s", difference(i, i));
        take((const char *[ENV]){NULL});
        ck_assert_msg(strncmp(name, "PLEACH_", 7) == 0, "%s", name);
        settings_agreed_value(&settings, i, text, sizeof text);
        bool yes = strcmp(text, "yes") == 0; /* the default */
        for (int k = 0; k < 4 && others[type_of(name)][k]; k++) {
            snprintf(variable, sizeof variable, "%s=%s", name, yes ? "no" : others[type_of(name)][k]);
            ck_assert_int_eq(take_one(variable), 0);
            settings_hash(&settings, after);
            for (int j = 0; j < count; j++)
                ck_assert_msg((before[j] == after[j]) == (i != j), "%s: the hash of value %d", variable, j);
            settings_agreed_value(&settings, i, text, sizeof text);
            snprintf(variable, sizeof variable, "%s=%s", name, text);
            struct settings first = settings;
            ck_assert_int_eq(take_one(variable), 0);
            ck_assert_msg(memcmp(&first, &settings, sizeof first) == 0, "%s is another value", variable);
        }
    }
    take_one("PLEACH_THRESHOLD=x");
    settings_hash(&settings, after);
    for (int j = 0; j < count; j++)
        ck_assert_int_eq(before[j] == after[j], j < count - 1);
    settings_agreed_value(&settings, count - 1, text, sizeof text);
    ck_assert_str_eq(text, settings.bad);
}

static bool agree(const char *const *a, const char *const *b)
{
    uint64_t hash[2][SETTINGS_AGREED_MOST] = {{0}};
    take(a);
    settings_hash(&settings, hash[0]);
    take(b);
    settings_hash(&settings, hash[1]);
    return memcmp(hash[0], hash[1], sizeof hash[0]) == 0;
}

START_TEST(agreement)
{
    static const struct {
        const char *a[ENV], *b[ENV];
        bool agree;
    } table[] = {
        {{NULL}, {NULL}, true},
        {{"PLEACH_BCAST_THRESHOLD=16K"}, {NULL}, false}, /* "auto" also lets some shorter calls go to an engine */
        {{"PLEACH_SCAN_THRESHOLD=auto"}, {NULL}, true},
        {{"PLEACH_PLACES="}, {NULL}, true},
        {{"PLEACH_THRESHOLD=64K"}, {NULL}, false},
        {{"PLEACH_THRESHOLD=64K"}, {"PLEACH_THRESHOLD=65536"}, true},
        {{"PLEACH_THRESHOLD=1K"},
         {"PLEACH_BCAST_THRESHOLD=1K", "PLEACH_REDUCE_THRESHOLD=1K", "PLEACH_SCAN_THRESHOLD=1024",
          "PLEACH_EXSCAN_THRESHOLD=1K", "PLEACH_ALLREDUCE_THRESHOLD=1K"},
         true},
        {{"PLEACH_THRESHOLD=1K"}, {"PLEACH_BCAST_THRESHOLD=1K"}, false},
        {{"PLEACH_ENGINE=chain,ring"}, {"PLEACH_ENGINE=ring,chain"}, true},
        {{"PLEACH_ENGINE=native,chain,ring,two-tree"}, {"PLEACH_ENGINE=auto"}, false},
        {{"PLEACH_ENGINE=random:1"}, {"PLEACH_ENGINE=random:2"}, false},
        {{"PLEACH_LOG=a", "PLEACH_STACK=1"}, {"PLEACH_LOG=b", "PLEACH_LOG_RANKS=all", "PLEACH_CONF=/dev/null"}, true},
        {{"PLEACH_FOO=1"}, {NULL}, true},
        {{"PLEACH_ALPHA=0.5"}, {"PLEACH_ALPHA=500ms"}, true},
        {{"PLEACH_BETA=0.1ns"}, {"PLEACH_BETA=0.2ns"}, false},
        {{"PLEACH_BETA=1e-16"}, {"PLEACH_BETA=2e-16"}, false}, /* close to 0, but far apart for choose() */
        {{"PLEACH_ALPHA=1.0000000001us"}, {"PLEACH_ALPHA=1us"}, false},
        {{"PLEACH_STRICT=yes"}, {"PLEACH_STRICT=no"}, false},
        {{"PLEACH_STACK=x"}, {"PLEACH_STACK=x"}, true},
        {{"PLEACH_STACK=x"}, {NULL}, false},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        ck_assert_msg(agree(table[i].a, table[i].b) == table[i].agree, "row %zu: the hashes of %s and %s", i, table[i].a[0],
                      table[i].b[0]);
}

/* A value that was printed can be read again, and means the same. */
START_TEST(round_trip)
{
    char text[TEXT], again[TEXT], variable[2 * TEXT];
    for (int row = 0; row < setting_count; row++) {
        const struct setting *s = &setting_list[row];
        if (strcmp(s->name, "CONF") == 0)
            continue; /* reading it would open a file */
        for (int k = -1; k < 4 && (k < 0 || others[s->type][k]); k++)
            for (int c = 0; c < (s->per_collective ? COLLECTIVES : 1); c++) {
                snprintf(variable, sizeof variable, "PLEACH_%s=%s", s->name, k < 0 ? s->initial : others[s->type][k]);
                ck_assert_int_eq(take_one(variable), 0);
                struct settings first = settings;
                settings_print(&first, row, c, text, sizeof text);
                snprintf(variable, sizeof variable, "PLEACH_%s=%s", s->name, text);
                ck_assert_msg(take_one(variable) == 0, "%s cannot be read", variable);
                settings_print(&settings, row, c, again, sizeof again);
                ck_assert_str_eq(text, again);
                ck_assert_msg(memcmp(&first, &settings, sizeof first) == 0, "%s=%s is printed as %s", s->name,
                              k < 0 ? s->initial : others[s->type][k], text);
            }
    }
}

SUITE("agreement", 60)
