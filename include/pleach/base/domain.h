/* SPDX-License-Identifier: BSD-2-Clause */
/* Domains: the cores of a node that share a last cache (level 3) and lie in one NUMA node, as the kernel tells them. */
#pragma once

#include <sched.h>

enum { DOMAIN_NONE = -1 };

/*
 * The lowest core of the domain that has all of `cores`, or DOMAIN_NONE: there is none, or the kernel tells neither caches
 * nor NUMA nodes. Reads the folder `system` for /sys/devices/system.
 */
int domain_in(const char *system, const cpu_set_t *cores);

/* That of the cores which the calling thread may use now. */
int domain_here(void);
