/* SPDX-License-Identifier: BSD-2-Clause */
/* The set of cores that ranks of a host may use. A rank report lists them as "0-3,8". */
#ifndef PLEACH_CORES_H
#define PLEACH_CORES_H

#include <stdint.h>

enum { CORES_MOST = 4096 };

/* A set of cores; all 0: empty. */
struct cores {
    uint64_t bit[CORES_MOST / 64];
};

/* Adds the cores of a list. Ignores numbers from CORES_MOST on, and all that follows a mistake in the list. */
void cores_add(struct cores *c, const char *list);

int cores_count(const struct cores *c);

#endif
