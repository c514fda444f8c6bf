/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: the time that an engine takes for a call, and its number of blocks. */
#pragma once

#include "choose.h"

/* The input of a prediction. */
struct terms {
    struct figures figures;
    struct figures node; /* figures within a node, if `figures` are between nodes */
    struct segment_figures segment;
    double native;      /* factor that multiplies the formula's seconds of the native call */
    bool measured;      /* do measured places enter the prediction? */
    int64_t block;      /* bytes of a block; 0: the model takes the best size */
    int lanes, ports;   /* of composed engines; 0: as many as are best */
    struct shape shape; /* of the call, with one block */
};

/* How a message is cut. */
struct cutting {
    int64_t blocks; /* n >= 1; 0 for native */
    int64_t wide;   /* as in struct shape */
};

/* Predicted seconds of an engine that fits the call. Sets *c to the best cutting that the terms allow. */
double model_seconds(const struct engine *e, const struct terms *t, const struct facts *f, struct cutting *c);

/* Predicted seconds of a stage between nodes with ports; `f' are facts of the stage. */
double model_ports(const struct engine *e, const struct terms *t, const struct facts *f);

/* That cutting alone. */
struct cutting model_cut(const struct engine *e, const struct terms *t, const struct facts *f);

/*
 * What a call saves of model_seconds() if it is one in a row: the next call can already run while ranks wait for the end of
 * this one, and ranks that are ahead let nobody wait. It is 0 for engines that send messages, and in all-reduces. If there
 * are more ranks than cores, model_seconds() leaves most of it out, and the result is 0.
 */
double model_overlap(const struct engine *e, const struct terms *t, const struct facts *f);

/*
 * The figures of a step in which all ranks exchange, some inside their nodes and some between nodes: the slower messages
 * decide about its length. `g`: figures between nodes; `node`: within a node.
 */
static inline struct figures figures_of_step(const struct machine *m, const struct figures *g, const struct figures *node)
{
    struct figures step = *g;
    if (m->nodes > 1 && m->node_ranks > 1)
        step.beta = g->beta > node->beta ? g->beta : node->beta;
    return step;
}

/* Predicted seconds of the native call, by the MPI library's algorithms (native_model.c). `node`: figures within a node. */
double native_seconds(const struct facts *f, const struct figures *g, const struct figures *node);

/* Do ranks that wait in a native call keep their cores? */
bool native_keeps_cores(const struct machine *m);

/* Where a node has more ranks than cores, can ranks make many native calls like this one without waiting for each other? */
bool native_runs_ahead(const struct facts *f);

/* Bytes that leave k ranks in the native allreduce, as a multiple of the message. `in_order`: the ranks are consecutive. */
double native_allreduce_load(const struct facts *f, int k, bool in_order);

/* How often, at least, the message passes the port of some rank between nodes in the native reduction. */
double native_reduce_sent(const struct facts *f);

/*
 * Bytes that cross the boundary of the largest part of the ranks in the native call, as a multiple of the message, in the
 * direction that carries more. There are `parts` parts; the largest has k ranks. `near`: consecutive ranks are near.
 */
double native_load(const struct facts *f, int parts, int k, bool near);
