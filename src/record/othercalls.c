/* SPDX-License-Identifier: BSD-2-Clause */
/* See othercalls.h. */
#include "othercalls.h"

#include "hold.h"

#include <stdio.h>
#include <string.h>

static struct {
    pthread_mutex_t lock;
    const char *name[OTHERCALLS];
    struct rank_other row[OTHERCALLS];
    int rows;
} others = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct rank_other *row_of(const char *name)
{
    int i = 0;
    while (i < others.rows && others.name[i] != name)
        i++;
    if (i == OTHERCALLS)
        return NULL;
    if (i == others.rows) {
        others.name[others.rows++] = name;
        snprintf(others.row[i].name, sizeof others.row[i].name, "%s", name);
    }
    return &others.row[i];
}

void othercalls_add(const char *name, double bytes, double seconds)
{
    HOLD(others.lock);
    struct rank_other *row = row_of(name);
    if (row) {
        row->calls++;
        row->bytes += bytes;
        row->seconds += seconds;
    }
}

int othercalls_list(struct rank_other list[OTHERCALLS], const struct timespec *until)
{
    if (pthread_mutex_timedlock(&others.lock, until) != 0)
        return 0;
    const int rows = others.rows;
    memcpy(list, others.row, (size_t)rows * sizeof *list);
    pthread_mutex_unlock(&others.lock);
    return rows;
}
