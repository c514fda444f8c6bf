/* SPDX-License-Identifier: BSD-2-Clause */
/* The cores that ranks of a host may use, as their rank reports tell them: "0-3,8". */
#ifndef PLEACH_CORES_H
#define PLEACH_CORES_H

#include <stdint.h>

enum { CORES_MOST = 4096 };

/* All 0: none so far. */
struct cores {
    uint64_t bit[CORES_MOST / 64];
};

/* Adds those of a list, as far as it is one, and less than CORES_MOST. */
void cores_add(struct cores *c, const char *list);

int cores_count(const struct cores *c);

#endif
