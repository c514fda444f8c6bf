/* SPDX-License-Identifier: BSD-2-Clause */
/* What a container or batch system allows. Functions ask once, and give that result again; those with `groups` ask anew. */
#pragma once

#include <stdint.h>

/* Cores that the control group may use at once, rounded up; 0 if no limit was found. */
int quota_cores(void);

/* How many of the cores may work at once under a quota of quota_cores(). */
static inline int quota_of_cores(int quota, int cores)
{
    return quota && quota < cores ? quota : cores;
}

/* Reads `groups` for /proc/self/cgroup and `mount` for /sys/fs/cgroup. */
int quota_cores_in(const char *groups, const char *mount);

/*
 * Bytes that the control group may still take before the kernel kills; INT64_MAX if no limit was found. If less than
 * `enough` is free, memory of files counts as free.
 */
int64_t quota_memory(int64_t enough);

int64_t quota_memory_in(const char *groups, const char *mount, int64_t enough);
