/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages of a composed call (lanes.h) as calls of their own: how many lanes and slices there are, the facts of a stage,
 * and its plan. All of it follows from the facts of the whole call and agreed settings.
 */
#ifndef PLEACH_STAGES_H
#define PLEACH_STAGES_H

#include "choose.h"
#include "lanes.h"
#include "model.h"

/* The facts of a stage, with the machine of its group. */
struct stage_facts {
    struct facts facts;     /* its `machine` points to the next field */
    struct machine machine; /* one node, or one rank on each of several nodes; its figures come from `whole` */
};

/* The most units of a stage of a composed call; `parts`: it has all slices of a chunk. */
int64_t stage_units(const struct facts *f, const struct plan *whole, bool parts);

/*
 * Sets the facts of a stage in this phase, with so many units of the whole call's message. The group has `ranks` ranks and,
 * if the stage is between nodes, shares their network cards with the other lanes.
 */
void stage_facts(struct stage_facts *s, const struct facts *whole, enum stage_phase phase, int ranks, int root,
                 int64_t units, int lanes);

/*
 * The cutting of a composed call: its blocks are slices, `wide` is the number of lanes. `block`: most bytes of a slice, if
 * settings give the size of blocks; else 0. All lanes have equally many slices. So a slice may have two units, though
 * `block` is less.
 */
struct cutting lanes_cut(const struct facts *f, int64_t block);

/* A node that stands for the root's node in predictions, as facts do not say on which node a rank lies. */
int stages_root_node(const struct facts *f);

/* Predicted seconds of a composed call, and of its stages in one phase. */
double lanes_seconds(const struct terms *t, const struct facts *f);
double lanes_phase_seconds(const struct terms *t, const struct facts *f, enum stage_phase phase);

/*
 * The plans of the stages in STAGE_GATHER, STAGE_LANE and STAGE_SPREAD, for the largest stages on this rank's node of
 * `node_ranks` ranks; the root of the call is on node `root_node`. Stages that differ only in lane, in root or by a unit of
 * size have the same plan; but a slice never has more blocks than units. plan[phase].engine is NULL for the other phases.
 */
void stages_plan(const struct settings *s, const struct facts *f, const struct plan *whole, int node_ranks, int root_node,
                 struct plan plan[STAGE_PHASES]);

#endif
