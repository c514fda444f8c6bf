/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages of a composed call (lanes.h) as calls of their own: how many lanes and slices there are, the facts of a stage,
 * and its plan. All of it follows from the facts of the whole call and agreed settings.
 */
#pragma once

#include "choose.h"
#include "lanes.h"
#include "model.h"

/* The facts of a stage, with the machine of its group. */
struct stage_facts {
    struct facts facts;     /* its `machine` points to the next field */
    struct machine machine; /* one node, or one rank on each of several nodes; its figures come from the whole call */
};

/* The lanes of a composed call, and the ports of each node between nodes; 0: one rank of each node in a lane is enough. */
int whole_lanes(const struct plan *whole, enum collective c);
int whole_ports(const struct plan *whole, enum collective c);

/* The most units of a stage of a composed call. With `parts`, a stage has all slices of a chunk, else one slice. */
int64_t stage_units(const struct facts *f, const struct plan *whole, bool parts);

/*
 * Sets the facts of a stage in this phase, from the facts and the plan of the whole call. The stage has `units` units of its
 * message. The group has `ranks` ranks. Between nodes, the group shares the network cards with the other lanes.
 */
void stage_facts(struct stage_facts *s, const struct facts *f, const struct plan *whole, enum stage_phase phase, int ranks,
                 int root, int64_t units);

/*
 * The cutting of a composed call: its blocks are slices, `wide` is the number of lanes. `block`: the most bytes of a slice,
 * if a setting or a rule gives the size of blocks; else 0. `lanes`: the most lanes; 0: as many as have slices that are large
 * enough. All lanes have equally many slices. So a slice may have two units, even if two units are more than `block` bytes.
 */
struct cutting lanes_cut(const struct facts *f, int64_t block, int lanes);

/* The number of lanes with the least predicted seconds, if no setting or rule gives the size of slices. */
int lanes_best(const struct terms *t, const struct facts *f);

/* The number of ports with the least predicted seconds in calls of the engine e, and the seconds with so many. */
int ports_best(const struct engine *e, const struct terms *t, const struct facts *f);
double ports_seconds(const struct engine *e, const struct terms *t, const struct facts *f, int ports);

/* A node that stands for the root's node in predictions, as facts do not say on which node a rank lies. */
int stages_root_node(const struct facts *f);

/*
 * Predicted seconds of a composed call by the fastest engines, and of its stages in one phase by the engine `by`; NULL: by
 * the fastest one. stages_plan() may prefer an engine that is slower by some per cent, as choose() may.
 */
double lanes_seconds(const struct terms *t, const struct facts *f, const struct cutting *cut);
double lanes_phase_seconds(const struct terms *t, const struct facts *f, const struct plan *whole, enum stage_phase phase,
                           const struct engine *by);

/*
 * Plans the largest stage of each phase, or sets plan[phase].engine to NULL if lanes_planned() is false for the phase. This
 * rank's node has `node_ranks` ranks; the root of the call is on node `root_node`. The plan serves all stages of the phase:
 * they differ only in lane, in root or a little in size. The executor gives no stage more blocks than it has units. The rule
 * for the call, if there is one, gives the figures.
 */
void stages_plan(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                 int node_ranks, int root_node, struct plan plan[STAGE_PHASES]);
