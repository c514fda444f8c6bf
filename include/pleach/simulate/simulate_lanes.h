/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates composed calls, each stage at once as its collective promises; and counts what stages move. */
#pragma once

#include "engine.h"
#include "lanes.h"

/* Does what lanes_stage() does; tests have functions that make a mistake. */
typedef bool lanes_stage_of(const struct lanes *l, int rank, int64_t number, struct stage *s, void *self);

/* That of lanes_stage(); ignores `self`. */
lanes_stage_of lanes_stage_right;

/*
 * Simulates a call. l->nodes has its ranks, `root` is the rank of l->root; `in_place` and values are as in simulate.h.
 * Returns NULL if all ranks get the right result without a forbidden access, else what is wrong.
 */
const char *simulate_lanes(const struct lanes *l, int root, bool in_place, lanes_stage_of *stage_of, void *self);

/* What a node moves, in multiples of the message. */
struct lanes_traffic {
    double in, out; /* by its network card */
    double moved;   /* loads and stores: a copy counts 2, a fold 3 */
};

/*
 * The most that any node moves, number by number. Between nodes, the engine `between`, or NULL: no more than necessary. On
 * nodes, node-copy for broadcasts, node-prefixes for scans, node-ring for reductions of several slices, else node-line.
 */
struct lanes_traffic lanes_traffic(const struct lanes *l, const struct engine *between);

/* The least that the busiest node must move: a call of its ranks alone, and a fold of each byte from other nodes. */
struct lanes_traffic lanes_traffic_limit(const struct lanes *l);
