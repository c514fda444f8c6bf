/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordered reduction over sites in a line, through gates; see gates.c. */
#ifndef PLEACH_GATES_H
#define PLEACH_GATES_H

#include "engine.h"

/* For struct service. All places are in a line, and the root is the first or the last rank, or no site's first. */
bool gates_fit(const struct shape *shape);
struct round_bound gates_round_bound(const struct shape *shape);
void gates_generate(struct schedule *s);

#endif
