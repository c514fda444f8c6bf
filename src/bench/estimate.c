/* SPDX-License-Identifier: BSD-2-Clause */
/* See estimate.h. */
#include "estimate.h"

#include <stdio.h>
#include <string.h>

#define EARLY 0.02   /* a smaller part gives no estimate */
#define EVERY 10     /* seconds */
#define DISTURBS 0.1 /* of all cores; a clock of 100 Hz hardly shows less */

double estimate_left(double done, double elapsed, double limit)
{
    double rest = limit > elapsed ? limit - elapsed : 0;
    if (done < EARLY)
        return -1;
    double left = elapsed * (1 - done) / done;
    return left < rest ? left : rest;
}

bool estimate_due(double elapsed)
{
    static double last;
    const bool due = elapsed >= last + EVERY;
    last = due ? elapsed : last;
    return due;
}

const char *estimate_text(double left, char *text, size_t size)
{
    if (left < 0)
        snprintf(text, size, "%s", "");
    else if (left < 100)
        snprintf(text, size, "about %.0f s left", left);
    else if (left < 100 * 60)
        snprintf(text, size, "about %.0f min left", left / 60);
    else
        snprintf(text, size, "about %.0f h left", left / 3600);
    return text;
}

double load_ticks(const char *stat, const cpu_set_t *cores)
{
    double sum = -1;
    for (const char *line = stat, *end; line; line = end ? end + 1 : NULL) {
        unsigned core;
        double user, nice, system, idle, iowait, irq, softirq, steal = 0; /* missing in old kernels */
        int found = sscanf(line, "cpu%u %lf %lf %lf %lf %lf %lf %lf %lf", &core, &user, &nice, &system, &idle, &iowait, &irq,
                           &softirq, &steal);
        end = strchr(line, '\n');
        /* Not the line of all cores, "cpu ". */
        if (found >= 4 && line[3] != ' ' && core < CPU_SETSIZE && CPU_ISSET(core, cores))
            sum = (sum < 0 ? 0 : sum) + user + nice + system + steal;
    }
    return sum;
}

bool load_disturbs(double other, int cores)
{
    return other > DISTURBS * cores;
}
