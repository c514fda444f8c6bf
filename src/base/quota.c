/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A group's limit holds for groups inside it. In a container, /proc/self/cgroup may name groups as outside, while the file
 * system shows the container's own as root: folders may be missing.
 */
#include "quota.h"

#include "hold.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 2 };

/* A resource's folder, limit and perhaps another file. */
struct hierarchy {
    const char *controller, *folder, *limit, *other;
    const char *prefix; /* of rows of memory.stat that count groups inside */
};

/* Of this folder's group, or UNLIMITED; exact below `enough`. */
typedef int64_t limit_of(const struct hierarchy *h, const char *folder, int64_t enough);
static const int64_t UNLIMITED = INT64_MAX;

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static FILE *open_file(const char *folder, const char *name)
{
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return NULL;
    FILE *f = fopen(path, "re");
    free(path);
    return f;
}

static int read_numbers(const char *folder, const char *name, long long *number, int most)
{
    int count = 0;
    FILE *f = open_file(folder, name);
    if (!f)
        return 0;
    while (count < most && fscanf(f, "%lld", &number[count]) == 1)
        count++;
    fclose(f);
    return count;
}

static int64_t cores_of(const struct hierarchy *h, const char *folder, int64_t enough)
{
    long long number[2] = {0};
    (void)enough;
    int count = read_numbers(folder, h->limit, number, h->other ? 1 : 2);
    if (h->other)
        count += read_numbers(folder, h->other, number + 1, 1);
    if (count < 2 || number[0] <= 0 || number[1] <= 0)
        return UNLIMITED;
    return number[0] / number[1] + (number[0] % number[1] > 0);
}

static int64_t cached(const struct hierarchy *h, const char *folder)
{
    char row[64];
    long long number;
    int64_t sum = 0;
    const size_t prefix = strlen(h->prefix);
    FILE *f = open_file(folder, "memory.stat");
    if (!f)
        return 0;
    while (fscanf(f, "%63s %lld", row, &number) == 2)
        if (strncmp(row, h->prefix, prefix) == 0 &&
            (strcmp(row + prefix, "inactive_file") == 0 || strcmp(row + prefix, "active_file") == 0))
            sum += number;
    fclose(f);
    return sum;
}

/* memory.stat is slow, and read only if it counts. Unlimited in version 1: the most whole pages. */
static int64_t memory_of(const struct hierarchy *h, const char *folder, int64_t enough)
{
    long long limit, used;
    if (read_numbers(folder, h->limit, &limit, 1) < 1 || read_numbers(folder, h->other, &used, 1) < 1 ||
        limit > UNLIMITED / 2)
        return UNLIMITED;
    int64_t left = limit - used;
    if (left < enough)
        left += cached(h, folder);
    return left < 0 ? 0 : lesser(left, limit);
}

static const struct resource {
    limit_of *limit;
    struct hierarchy by[VERSIONS];
} cpu = {cores_of, {{"", "", "cpu.max", NULL, ""}, {"cpu", "/cpu", "cpu.cfs_quota_us", "cpu.cfs_period_us", ""}}},
  memory = {memory_of,
            {{"", "", "memory.max", "memory.current", ""},
             {"memory", "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"}}};

/* Of a group and those around it; shortens `folder` to `root` bytes. */
static int64_t least(const struct resource *r, const struct hierarchy *h, char *folder, size_t root, int64_t enough)
{
    int64_t limit = UNLIMITED;
    for (;;) {
        limit = lesser(limit, r->limit(h, folder, enough));
        char *slash = strrchr(folder + root, '/');
        if (!slash)
            return limit;
        *slash = 0;
    }
}

/* Between commas; the empty list has the empty name. */
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

static int64_t limit_by(const struct resource *r, char *line, const char *mount, int64_t enough)
{
    char *folder;
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
    int64_t limit = UNLIMITED;
    if (!group)
        return UNLIMITED;
    *group++ = 0;
    for (int i = 0; i < VERSIONS; i++) {
        const struct hierarchy *h = &r->by[i];
        if (!is_listed(controllers + 1, h->controller))
            continue;
        if (asprintf(&folder, "%s%s%s", mount, h->folder, group) < 0)
            continue;
        limit = lesser(limit, least(r, h, folder, strlen(mount) + strlen(h->folder), enough));
        free(folder);
    }
    return limit;
}

static int64_t limit_in(const struct resource *r, const char *groups, const char *mount, int64_t enough)
{
    char *line = NULL;
    size_t room = 0;
    int64_t limit = UNLIMITED;
    FILE *f = fopen(groups, "re");
    if (!f)
        return UNLIMITED;
    while (getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        limit = lesser(limit, limit_by(r, line, mount, enough));
    }
    free(line);
    fclose(f);
    return limit;
}

static const char own_groups[] = "/proc/self/cgroup", own_mount[] = "/sys/fs/cgroup";

int quota_cores_in(const char *groups, const char *mount)
{
    const int64_t cores = limit_in(&cpu, groups, mount, 0);
    return cores < INT_MAX ? (int)cores : 0;
}

int64_t quota_memory_in(const char *groups, const char *mount, int64_t enough)
{
    return limit_in(&memory, groups, mount, enough);
}

int quota_cores(void)
{
    static _Atomic int known = -1; /* all threads find the same */
    int cores = known;
    if (cores < 0)
        known = cores = quota_cores_in(own_groups, own_mount);
    return cores;
}

int64_t quota_memory(int64_t enough)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t known = -1;
    HOLD(lock);
    if (known < 0)
        known = quota_memory_in(own_groups, own_mount, enough);
    return known;
}
