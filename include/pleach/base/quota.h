/* SPDX-License-Identifier: BSD-2-Clause */
/* The processor time that a container or a batch system allows, as a number of cores. */
#ifndef PLEACH_QUOTA_H
#define PLEACH_QUOTA_H

/* The cores that this process's control group may use at once, rounded up. 0: all, as far as can be read. */
int quota_cores(void);

/* The same, where `groups` is in the place of /proc/self/cgroup, and `mount` in that of /sys/fs/cgroup. */
int quota_cores_in(const char *groups, const char *mount);

#endif
