/* SPDX-License-Identifier: BSD-2-Clause */
/* The processor time that a container or a batch system allows, as a number of cores. */
#ifndef PLEACH_QUOTA_H
#define PLEACH_QUOTA_H

/* The number of cores that this process's control group may use at once, rounded up. 0 means that no limit was found. */
int quota_cores(void);

/* Does what quota_cores() does, but reads `groups`, not /proc/self/cgroup, and the folder `mount`, not /sys/fs/cgroup. */
int quota_cores_in(const char *groups, const char *mount);

#endif
