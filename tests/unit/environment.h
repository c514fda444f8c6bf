/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of settings: reads an environment, and shows the effective values. */
#pragma once

#include "settings.h"
#include "suite.h"

enum { TEXT = SETTING_VALUE, ENV = 8 };

static struct settings settings;
static struct problem problems[16];
static int problem_count;

static inline void keep(void *to, const struct problem *p)
{
    ck_assert_ptr_eq(to, &problems);
    ck_assert_int_lt(problem_count, 16);
    problems[problem_count++] = *p;
}

/* Reads the settings from an environment of ENV strings; NULL ends a shorter one. */
static inline int take(const char *const *env)
{
    char *vector[ENV + 1] = {NULL};
    problem_count = 0;
    memset(&settings, 0x5a, sizeof settings);
    for (int i = 0; i < ENV && env[i]; i++)
        vector[i] = (char *)env[i];
    return settings_read(&settings, vector, keep, &problems);
}

static inline int take_one(const char *variable)
{
    return take((const char *[ENV]){variable});
}

/* The effective value of a setting, as text. "SCAN_BLOCK" names BLOCK for scans, and "BLOCK" alone that for broadcasts. */
static inline const char *value(const char *name)
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
    settings_print(&settings, row, c, text, sizeof text);
    return text;
}

static inline int bad_count(int kind)
{
    int n = 0;
    for (int i = 0; i < problem_count; i++)
        n += problems[i].kind == kind;
    return n;
}
