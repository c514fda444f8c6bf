/* SPDX-License-Identifier: BSD-2-Clause */
/* See units.h. */
#include "units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* `times` / `per`, both exact: 5us is 5e-6. */
struct unit {
    const char *suffix;
    double times, per;
};

locale_t c_locale(void)
{
    static locale_t locale;
    if (!locale)
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return locale;
}

/* With a unit behind it, without a sign; false if the text does not end there. */
static bool number_parse(const char *text, const struct unit *units, double *value)
{
    /* strtod also takes signs, "inf", "nan" and hexadecimal numbers. */
    char *end;
    if (!isdigit((unsigned char)text[0]) || strpbrk(text, "xX"))
        return false;
    double x = strtod_l(text, &end, c_locale());
    for (; units->suffix; units++)
        if (strcasecmp(end, units->suffix) == 0) {
            *value = x * units->times / units->per;
            return true;
        }
    return false;
}

bool size_parse(const char *text, int64_t *bytes)
{
    static const struct unit units[] = {{"", 1, 1},          {"B", 1, 1},        {"K", 1 << 10, 1},   {"KB", 1 << 10, 1},
                                        {"KiB", 1 << 10, 1}, {"M", 1 << 20, 1},  {"MB", 1 << 20, 1},  {"MiB", 1 << 20, 1},
                                        {"G", 1 << 30, 1},   {"GB", 1 << 30, 1}, {"GiB", 1 << 30, 1}, {NULL, 0, 0}};
    double x;
    if (strcasecmp(text, "inf") == 0) {
        *bytes = SIZE_INF;
        return true;
    }
    if (!number_parse(text, units, &x) || x >= 0x1p62 || x != (double)(int64_t)x)
        return false;
    *bytes = (int64_t)x;
    return true;
}

bool time_parse(const char *text, double *seconds)
{
    static const struct unit units[] = {{"", 1, 1},     {"s", 1, 1},     {"ms", 1, 1e3}, {"us", 1, 1e6},
                                        {"ns", 1, 1e9}, {"ps", 1, 1e12}, {NULL, 0, 0}};
    double x;
    if (!number_parse(text, units, &x) || x >= 1e6)
        return false;
    *seconds = x;
    return true;
}

bool count_parse(const char *text, int least, int most, int *value)
{
    static const struct unit units[] = {{"", 1, 1}, {NULL, 0, 0}};
    double x;
    if (!number_parse(text, units, &x) || x < least || x > most || x != (int)x)
        return false;
    *value = (int)x;
    return true;
}

bool choice_parse(const char *text, const char *words, int *value)
{
    const size_t length = strlen(text);
    for (int i = 0; *words; i++) {
        const size_t word = strcspn(words, "|");
        if (word == length && strncasecmp(text, words, length) == 0) {
            *value = i;
            return true;
        }
        words += word + (words[word] == '|');
    }
    return false;
}

void choice_print(int value, const char *words, char *text, size_t size)
{
    for (; value > 0; value--)
        words = strchr(words, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
}

void size_print(int64_t bytes, char *text, size_t size)
{
    static const char suffix[] = "\0KMG";
    int unit = 0;
    for (; unit < 3 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    if (bytes == SIZE_INF)
        snprintf(text, size, "inf");
    else
        snprintf(text, size, "%lld%.1s", (long long)bytes, &suffix[unit]);
}

void size_put(FILE *f, int64_t bytes)
{
    char text[UNITS_TEXT];
    size_print(bytes, text, sizeof text);
    fputs(text, f);
}

void time_print(double seconds, char *text, size_t size)
{
    locale_t before = uselocale(c_locale());
    double again;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, seconds);
        if (time_parse(text, &again) && again == seconds)
            break;
    }
    uselocale(before);
}

static const char *about(double x, const struct unit *unit, char *text)
{
    locale_t before = uselocale(c_locale());
    while (unit[1].suffix && x < unit->times / unit->per)
        unit++;
    x /= unit->times / unit->per;
    snprintf(text, UNITS_TEXT, x < 9999.5 ? "%.4g%s" : x < 1e15 ? "%.0f%s" : "%.3e%s", x, unit->suffix);
    uselocale(before);
    return text;
}

const char *size_about(double bytes, char *text)
{
    static const struct unit units[] = {{"T", 0x1p40, 1}, {"G", 0x1p30, 1}, {"M", 0x1p20, 1},
                                        {"K", 0x1p10, 1}, {"", 1, 1},       {NULL, 0, 0}};
    return about(bytes, units, text);
}

const char *time_about(double seconds, char *text)
{
    static const struct unit units[] = {{"s", 1, 1}, {"ms", 1, 1e3}, {"us", 1, 1e6}, {"ns", 1, 1e9}, {NULL, 0, 0}};
    return about(seconds, units, text);
}

const char *share_about(double part, double whole, char *text)
{
    const double tenths = whole > 0 ? fmin(1000 * fabs(part) / whole + 0.5, 1e7) : 0;
    snprintf(text, UNITS_TEXT, "%s%d.%d%%", part < 0 ? "-" : "", (int)tenths / 10, (int)tenths % 10);
    return text;
}
