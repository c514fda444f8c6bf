/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers for sentences; see phrases.h. */
#include "phrases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *phrase_time(double seconds, char text[PHRASE])
{
    static const char *const unit[] = {"s", "ms", "us", "ns"};
    int i = 0;
    for (; i < 3 && seconds < 0.995; i++)
        seconds *= 1000;
    const double scale = seconds >= 9.95 ? pow(10, floor(log10(seconds)) - 1) : 0.1;
    snprintf(text, PHRASE, "%.*f %s", scale < 1 ? 1 : 0, round(seconds / scale) * scale, unit[i]);
    return text;
}

static const char *number(double x, char text[PHRASE])
{
    snprintf(text, PHRASE, "%.*f", x < 9.95 ? 1 : 0, x);
    return text;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

const char *phrase_share(double part, double whole, char text[PHRASE])
{
    const double x = percent(part, whole);
    char digits[PHRASE];
    snprintf(text, PHRASE, "%.30s %%", x > 0 && x < 0.1 ? "less than 0.1" : number(x, digits));
    return text;
}

const char *phrase_shares(double least, double most, double whole, char text[PHRASE])
{
    char from[PHRASE], to[PHRASE];
    number(percent(fmax(least, 0), whole), from);
    number(percent(most, whole), to);
    if (strcmp(from, to) == 0)
        snprintf(text, PHRASE, "%.20s %%", to);
    else
        snprintf(text, PHRASE, "%.20s to %.20s %%", from, to);
    return text;
}
