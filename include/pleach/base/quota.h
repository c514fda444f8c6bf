/* SPDX-License-Identifier: BSD-2-Clause */
/* What a container or a batch system allows: processor time, as a number of cores, and memory. A process asks only once. */
#pragma once

#include <stdint.h>

/*
 * The number of cores that this process's control group may use at once, rounded up. 0 means that no limit was found. All
 * calls give the result of the first one.
 */
int quota_cores(void);

/* Returns how many of the cores may work at once under this quota, which quota_cores() has returned. */
static inline int quota_of_cores(int quota, int cores)
{
    return quota && quota < cores ? quota : cores;
}

/*
 * Does what quota_cores() does, each time, but reads `groups`, not /proc/self/cgroup, and the folder `mount`, not
 * /sys/fs/cgroup.
 */
int quota_cores_in(const char *groups, const char *mount);

/*
 * The bytes of memory that this process's control group may still take; INT64_MAX if no limit was found. If the group takes
 * more, the kernel kills one of its processes. If less than `enough` bytes are free, memory of files also counts, as the
 * kernel can give it back. All calls give the result of the first one.
 */
int64_t quota_memory(int64_t enough);

/* Does what quota_memory() does, each time, but reads other places, as quota_cores_in() does. */
int64_t quota_memory_in(const char *groups, const char *mount, int64_t enough);
