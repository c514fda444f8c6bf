/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: predicted times and numbers of blocks. */
#pragma once

#include "choose.h"

struct terms {
    struct figures figures;
    struct figures node; /* within a node, if `figures` are between nodes */
    struct segment_figures segment;
    double native;      /* factor of the native call's formula */
    bool measured;      /* measured places count */
    int64_t block;      /* bytes; 0: the best size */
    int lanes, ports;   /* of composed engines; 0: the best number */
    struct shape shape; /* with one block */
};

struct cutting {
    int64_t blocks; /* n >= 1; 0 for native */
    int64_t wide;
};

/* Predicted seconds of an engine that fits. Sets *c to the best cutting within the terms. */
double model_seconds(const struct engine *e, const struct terms *t, const struct facts *f, struct cutting *c);

/* Predicted seconds of a stage between nodes with ports; `f`: its facts. */
double model_ports(const struct engine *e, const struct terms *t, const struct facts *f);

/* The cutting of model_seconds() alone. */
struct cutting model_cut(const struct engine *e, const struct terms *t, const struct facts *f);

/*
 * What a call in a row saves of model_seconds(), as the next one begins before its end. 0 for messages, in all-reduces, and
 * if ranks outnumber cores.
 */
double model_overlap(const struct engine *e, const struct terms *t, const struct facts *f);

/* Of a step with messages inside and between nodes: the slower ones decide. `g`: between nodes. */
static inline struct figures figures_of_step(const struct machine *m, const struct figures *g, const struct figures *node)
{
    struct figures step = *g;
    if (m->nodes > 1 && m->node_ranks > 1)
        step.beta = g->beta > node->beta ? g->beta : node->beta;
    return step;
}

/* Predicted seconds of the native call, by its library. `node`: figures within a node. */
double native_seconds(const struct facts *f, const struct figures *g, const struct figures *node);

/* Do ranks that wait in a native call keep their cores? */
bool native_keeps_cores(const struct machine *m);

/* If ranks outnumber cores: can ranks make many such calls without waiting for each other? */
bool native_runs_ahead(const struct facts *f);

/* Bytes that leave k ranks in the native allreduce, per byte of the message. `in_order`: ranks are consecutive. */
double native_allreduce_load(const struct facts *f, int k, bool in_order);

/* How often, at least, the message passes a port between nodes in the native reduction. */
double native_reduce_sent(const struct facts *f);

/*
 * Bytes in or out of the largest of `parts` parts, which has k ranks, in the native call, per byte of the message. `near`:
 * consecutive ranks are near.
 */
double native_load(const struct facts *f, int parts, int k, bool near);
