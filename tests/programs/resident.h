/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include <stdio.h>

/* The KiB of memory that this process has, without pages that are swapped out; -1: unknown. */
static inline long resident_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "VmRSS: %ld", &kib) != 1)
        continue;
    if (f)
        fclose(f);
    return kib;
}
