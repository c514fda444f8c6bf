/* SPDX-License-Identifier: BSD-2-Clause */
/* Stages of a composed call (lanes.h) as calls of their own: lanes, slices, facts, plans. */
#pragma once

#include "choose.h"
#include "lanes.h"
#include "model.h"

struct stage_facts {
    struct facts facts;     /* its `machine` is the next field */
    struct machine machine; /* a node, or a rank on each of several; the call's figures */
};

/* Lanes, and ports of each node between nodes; 0: one rank of a node in a lane is enough. */
int whole_lanes(const struct plan *whole, enum collective c);
int whole_ports(const struct plan *whole, enum collective c);

/* The most units of a stage: with `parts`, of all slices of a chunk, else of one. */
int64_t stage_units(const struct facts *f, const struct plan *whole, bool parts);

/* The stage has `units` units, its group `ranks` ranks. Between nodes, it shares the cards with other lanes. */
void stage_facts(struct stage_facts *s, const struct facts *f, const struct plan *whole, enum stage_phase phase, int ranks,
                 int root, int64_t units);

/*
 * Blocks are slices, `wide` is the number of lanes. `block`: most bytes of a slice by a setting or rule, else 0; but two
 * units may be in one. `lanes`: the most; 0: as many as have slices large enough.
 */
struct cutting lanes_cut(const struct facts *f, int64_t block, int lanes);

/* The best number of ports; the seconds with so many. */
int ports_best(const struct engine *e, const struct terms *t, const struct facts *f);
double ports_seconds(const struct engine *e, const struct terms *t, const struct facts *f, int ports);

/* A node that stands for the root's in predictions, as facts do not tell it. */
int stages_root_node(const struct facts *f);

/* Predicted for the fastest engines, or for one phase by `by`, unless NULL. stages_plan() may take slightly slower ones. */
double lanes_seconds(const struct terms *t, const struct facts *f, const struct cutting *cut);
double lanes_phase_seconds(const struct terms *t, const struct facts *f, const struct plan *whole, enum stage_phase phase,
                           const struct engine *by);
/* Of the seconds of the phases. */
double lanes_sum(const struct facts *f, const struct cutting *cut, double gather, double lane, double spread);

/*
 * Plans the largest stage of each phase, for all of its stages; engine NULL: not lanes_planned(). `node_ranks`: of this
 * rank's node. `rule`: for figures; or NULL.
 */
void stages_plan(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                 int node_ranks, int root_node, struct plan plan[STAGE_PHASES]);
