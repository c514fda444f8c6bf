/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers as people read them; see cli.h. */
#include "cli.h"

struct unit {
    const char *suffix;
    double value;
};

/* In the largest unit of which there is one; else in the last, where a NULL follows. */
static const char *in_units(double x, const struct unit *unit, char *text)
{
    while (unit[1].suffix && x < unit->value)
        unit++;
    snprintf(text, UNIT_TEXT, "%.4g%s", x / unit->value, unit->suffix);
    return text;
}

const char *cli_seconds(double seconds, char *text)
{
    static const struct unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {NULL, 0}};
    return in_units(seconds, units, text);
}

const char *cli_bytes(double bytes, char *text)
{
    static const struct unit units[] = {{"T", 0x1p40}, {"G", 0x1p30}, {"M", 0x1p20}, {"K", 0x1p10}, {"", 1}, {NULL, 0}};
    return in_units(bytes, units, text);
}
