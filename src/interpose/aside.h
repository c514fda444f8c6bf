/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials beside the application's calls, for rules that the next run takes. */
#ifndef PLEACH_ASIDE_H
#define PLEACH_ASIDE_H

#include "call.h"

/*
 * Collective over comm, for a prepared call whose kind is tried aside: performs a call like it, by the candidate whose turn
 * it is, on buffers of our own, which are full of zeros; and counts it. Where some rank has no memory, none does it.
 */
void aside_try(const struct call *c, struct comm *comm, const struct facts *f, const struct view *v, struct kind *k);

#endif
