/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quotas of control groups; see quota.h. The quota of a group also holds for all groups inside it. In a container,
 * /proc/self/cgroup may show the names that groups have outside, while the file system shows only the container's own group,
 * as its root. So the folder of any of these groups may be missing.
 */
#include "quota.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Version 2 of control groups has quota and period in one file. */
static const struct hierarchy {
    const char *controller, *folder, *quota, *period;
} hierarchies[] = {
    {"", "", "cpu.max", NULL},
    {"cpu", "/cpu", "cpu.cfs_quota_us", "cpu.cfs_period_us"},
};
enum { HIERARCHIES = sizeof hierarchies / sizeof hierarchies[0] };

static int read_numbers(const char *folder, const char *name, long long *number, int most)
{
    char path[PATH_MAX];
    int count = 0;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return 0;
    FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    while (count < most && fscanf(f, "%lld", &number[count]) == 1)
        count++;
    fclose(f);
    return count;
}

/* The number of cores that one group may use; 0 if no limit is found. */
static int cores_of(const struct hierarchy *h, const char *folder)
{
    long long number[2] = {0};
    int count = read_numbers(folder, h->quota, number, h->period ? 1 : 2);
    if (h->period)
        count += read_numbers(folder, h->period, number + 1, 1);
    if (count < 2 || number[0] <= 0 || number[1] <= 0 || number[0] / number[1] >= INT_MAX)
        return 0;
    return (int)((number[0] + number[1] - 1) / number[1]);
}

/* The smaller of two limits. A limit of 0 stands for no limit. */
static int lesser(int a, int b)
{
    return a && (!b || a < b) ? a : b;
}

/*
 * The least limit of a group and of all groups around it. `folder` is the group's folder. The function shortens it step by
 * step to `root` bytes.
 */
static int least_cores(const struct hierarchy *h, char *folder, size_t root)
{
    int least = 0;
    for (;;) {
        least = lesser(least, cores_of(h, folder));
        char *slash = strrchr(folder + root, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

/* Is `name` in a list that commas separate? The empty list contains the empty name. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (;; list++) {
        const size_t own = strcspn(list, ",");
        if (own == length && strncmp(list, name, length) == 0)
            return true;
        list += own;
        if (!*list)
            return false;
    }
}

/* The limit that follows from a line NUMBER:CONTROLLERS:GROUP of the file `groups`. */
static int cores_by(char *line, const char *mount)
{
    char folder[2 * PATH_MAX];
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    int least = 0;
    if (!group)
        return 0;
    *group++ = 0;
    for (int i = 0; i < HIERARCHIES; i++) {
        const struct hierarchy *h = &hierarchies[i];
        if (!is_listed(controllers + 1, h->controller))
            continue;
        const int root = snprintf(folder, sizeof folder, "%s%s", mount, h->folder);
        snprintf(folder + root, sizeof folder - (size_t)root, "%s", group);
        least = lesser(least, least_cores(h, folder, (size_t)root));
    }
    return least;
}

int quota_cores_in(const char *groups, const char *mount)
{
    char line[PATH_MAX];
    int least = 0;
    FILE *f = fopen(groups, "re");
    if (!f)
        return 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        least = lesser(least, cores_by(line, mount));
    }
    fclose(f);
    return least;
}

int quota_cores(void)
{
    return quota_cores_in("/proc/self/cgroup", "/sys/fs/cgroup");
}
