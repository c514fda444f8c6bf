/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages of a composed call (lanes.h) as calls of their own: lanes, slices, facts, plans. All follows from the facts of
 * the whole call and agreed settings.
 */
#pragma once

#include "choose.h"
#include "lanes.h"
#include "model.h"

/* With the machine of its group. */
struct stage_facts {
    struct facts facts;     /* its `machine` is the next field */
    struct machine machine; /* a node, or one rank on each of several; figures from the whole call */
};

/* Lanes of a composed call, and ports of each node between nodes; 0: one rank a node and lane suffices. */
int whole_lanes(const struct plan *whole, enum collective c);
int whole_ports(const struct plan *whole, enum collective c);

/* The most units of a stage. With `parts`, it has all slices of a chunk, else one. */
int64_t stage_units(const struct facts *f, const struct plan *whole, bool parts);

/* Of a stage of `units` units in a group of `ranks` ranks. Between nodes, it shares the cards with the other lanes. */
void stage_facts(struct stage_facts *s, const struct facts *f, const struct plan *whole, enum stage_phase phase, int ranks,
                 int root, int64_t units);

/*
 * Blocks are slices, `wide` is the number of lanes; lanes have equally many slices. `block`: most bytes of a slice by a
 * setting or rule, else 0; a slice may have two units in any case. `lanes`: the most; 0: as many as have slices large
 * enough.
 */
struct cutting lanes_cut(const struct facts *f, int64_t block, int lanes);

/* The fastest number of lanes, if neither setting nor rule gives the size of slices. */
int lanes_best(const struct terms *t, const struct facts *f);

/* The fastest number of ports of engine e, and the predicted seconds with so many. */
int ports_best(const struct engine *e, const struct terms *t, const struct facts *f);
double ports_seconds(const struct engine *e, const struct terms *t, const struct facts *f, int ports);

/* For predictions, as facts do not tell the root's node. */
int stages_root_node(const struct facts *f);

/*
 * Predicted seconds of a composed call by the fastest engines, and of one phase by the engine `by`; NULL: by the fastest.
 * stages_plan() may take one that is some per cent slower.
 */
double lanes_seconds(const struct terms *t, const struct facts *f, const struct cutting *cut);
double lanes_phase_seconds(const struct terms *t, const struct facts *f, const struct plan *whole, enum stage_phase phase,
                           const struct engine *by);

/*
 * Plans the largest stage of each phase; plan[phase].engine is NULL if not lanes_planned(). `node_ranks`: on this rank's
 * node. The plan serves all stages of the phase: the executor gives none more blocks than it has units. `rule`, or NULL,
 * gives figures.
 */
void stages_plan(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                 int node_ranks, int root_node, struct plan plan[STAGE_PHASES]);
