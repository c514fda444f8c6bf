/* SPDX-License-Identifier: BSD-2-Clause */
/* See domain.h. A list of the kernel's is as 0-3,8,10-11. */
#include "domain.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 1, 2))) static FILE *open_file(const char *format, ...)
{
    char *path;
    va_list more;
    va_start(more, format);
    const int length = vasprintf(&path, format, more);
    va_end(more);
    FILE *f = length < 0 ? NULL : fopen(path, "re");
    if (length >= 0)
        free(path);
    return f;
}

/* Closes the file, if there is one. Numbers beyond the set are left out. */
static cpu_set_t read_list(FILE *f)
{
    cpu_set_t set;
    int first, last;
    CPU_ZERO(&set);
    while (f && fscanf(f, "%d", &first) == 1) {
        if (fscanf(f, "-%d", &last) < 1)
            last = first;
        for (int i = first < 0 ? CPU_SETSIZE : first; i <= last && i < CPU_SETSIZE; i++)
            CPU_SET(i, &set);
        if (fgetc(f) != ',')
            break;
    }
    if (f)
        fclose(f);
    return set;
}

static int lowest(const cpu_set_t *set)
{
    int i = 0;
    while (i < CPU_SETSIZE && !CPU_ISSET(i, set))
        i++;
    return i;
}

/* The cores that share the core's cache of level 3; none if that is not known. */
static cpu_set_t near_by_cache(const char *system, int core)
{
    FILE *f;
    for (int i = 0; (f = open_file("%s/cpu/cpu%d/cache/index%d/level", system, core, i)); i++) {
        int level = 0;
        const bool read = fscanf(f, "%d", &level) == 1;
        fclose(f);
        if (read && level == 3)
            return read_list(open_file("%s/cpu/cpu%d/cache/index%d/shared_cpu_list", system, core, i));
    }
    return read_list(NULL);
}

/* Likewise, in its NUMA node. */
static cpu_set_t near_by_memory(const char *system, int core)
{
    const cpu_set_t nodes = read_list(open_file("%s/node/online", system));
    for (int n = 0; n < CPU_SETSIZE; n++)
        if (CPU_ISSET(n, &nodes)) {
            const cpu_set_t cores = read_list(open_file("%s/node/node%d/cpulist", system, n));
            if (CPU_ISSET(core, &cores))
                return cores;
        }
    return read_list(NULL);
}

int domain_in(const char *system, const cpu_set_t *cores)
{
    const int core = lowest(cores);
    cpu_set_t domain, inside;
    if (core == CPU_SETSIZE)
        return DOMAIN_NONE;
    const cpu_set_t near[] = {near_by_cache(system, core), near_by_memory(system, core)};
    memset(&domain, 0xff, sizeof domain);
    for (int i = 0; i < 2; i++)
        if (CPU_COUNT(&near[i]))
            CPU_AND(&domain, &domain, &near[i]);
    CPU_AND(&inside, &domain, cores);
    const bool known = CPU_COUNT(&domain) > 0 && CPU_COUNT(&domain) < CPU_SETSIZE;
    return known && CPU_EQUAL(&inside, cores) ? lowest(&domain) : DOMAIN_NONE;
}

int domain_here(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? domain_in("/sys/devices/system", &cores) : DOMAIN_NONE;
}
