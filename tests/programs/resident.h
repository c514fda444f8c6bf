/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLEACH_RESIDENT_H
#define PLEACH_RESIDENT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of /proc/self/status, in KiB; -1: unknown. */
static inline long status_kib(const char *name)
{
    char line[256];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && kib < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            kib = strtol(line + strlen(name), NULL, 10);
    if (f)
        fclose(f);
    return kib;
}

/* The memory that this process has, and the most that it has had, without pages that are swapped out. */
static inline long resident_kib(void)
{
    return status_kib("VmRSS:");
}

static inline long peak_kib(void)
{
    return status_kib("VmHWM:");
}

#endif
