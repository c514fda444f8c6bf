/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Simulates the stages of composed calls. Each stage does at once what its collective promises. Other functions count the
 * bytes that the stages move.
 */
#pragma once

#include "engine.h"
#include "lanes.h"

/* Sets *s to a rank's part in a stage, as lanes_stage() does. Tests have functions of this type that make a mistake. */
typedef bool lanes_stage_of(const struct lanes *l, int rank, int64_t number, struct stage *s, void *self);

/* The stages of lanes_stage(); `self` has no meaning. */
lanes_stage_of lanes_stage_right;

/*
 * Simulates a call; l->nodes has its ranks, and `root` is the rank of l->root. `in_place`: IN and OUT are the same memory on
 * ranks that may pass MPI_IN_PLACE. Values are those of simulate.h: intervals of ranks, or sums of weights.
 *
 * Returns NULL if all ranks get the result that MPI promises. Else returns in a few words what is wrong: a group is not
 * whole, ranks perform different stages, a stage does not fit its lane, a stage reads undefined memory or writes where it
 * must not, a stage combines operands in a wrong order, a result is wrong, or memory is short.
 */
const char *simulate_lanes(const struct lanes *l, int root, bool in_place, lanes_stage_of *stage_of, void *self);

/* What a node moves in a composed call, in multiples of the message. */
struct lanes_traffic {
    double in, out; /* over its network card */
    double moved;   /* loads and stores by its ranks: a copy counts 2, a fold 3 */
};

/*
 * Returns the most that a node moves; each number is the largest one of all nodes. The stages between nodes take the engine
 * `between`; NULL: one that sends no more than necessary. The stages on nodes take node-copy for broadcasts, node-prefixes
 * for scans, node-ring for reductions of several slices, and node-line for reductions of one slice.
 */
struct lanes_traffic lanes_traffic(const struct lanes *l, const struct engine *between);

/*
 * Returns the least that the busiest node must move. Its ranks must move as much as a call of these ranks alone would move
 * through their segment. They must also fold each byte of the operands that come from other nodes once.
 */
struct lanes_traffic lanes_traffic_limit(const struct lanes *l);
