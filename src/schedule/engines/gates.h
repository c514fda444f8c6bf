/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordered reduction over sites in a line, through gates; see gates.c. */
#ifndef PLEACH_GATES_H
#define PLEACH_GATES_H

#include "engine.h"

/*
 * For struct service. gates_fit() tells if this reduction can serve: all sites are in a line, and the root is rank 0 or p-1,
 * or not the first rank of a site.
 */
bool gates_fit(const struct shape *shape);
struct round_bound gates_round_bound(const struct shape *shape);
void gates_generate(struct schedule *s);

#endif
