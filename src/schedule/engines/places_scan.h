/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over two trees over places, for struct service; see places_scan.c. They use the slots T0 .. T4. The exclusive scan
 * keeps its input.
 */
#ifndef PLEACH_PLACES_SCAN_H
#define PLEACH_PLACES_SCAN_H

#include "engine.h"

/* Over the pair of all ranks, for places whose ranks lie in the order of the positions. */
struct round_bound places_scan_round_bound(const struct shape *shape);
void places_scan(struct schedule *s);

/* Through gates; the sites must also be in a line. */
struct round_bound gates_scan_round_bound(const struct shape *shape);
void gates_scan(struct schedule *s);

#endif
