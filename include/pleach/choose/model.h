/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: the time that an engine takes for a call, and its number of blocks. */
#ifndef PLEACH_MODEL_H
#define PLEACH_MODEL_H

#include "choose.h"

/* The input of a prediction. */
struct terms {
    struct figures figures;
    struct figures node; /* within a node, if `figures` are between nodes */
    struct segment_figures segment;
    double native; /* seconds of the native call, as a multiple of its formula */
    bool measured; /* do measured places count? */
    int64_t block; /* bytes; 0: the best */
    int group;     /* as in struct shape */
};

/* How a message is cut. */
struct cutting {
    int64_t blocks; /* n >= 1; 0 for native */
    int64_t wide;   /* as in struct shape */
};

/* Predicted seconds of an engine that fits. Sets *c to its best cutting that the terms allow. */
double model_seconds(const struct engine *e, const struct terms *t, const struct facts *f, struct cutting *c);

/* May the ranks take part in the order of the nodes? */
bool model_any_order(const struct facts *f);

/* Predicted seconds of the native call, by the MPI library's algorithms (native_model.c). `node`: figures within a node. */
double native_seconds(const struct facts *f, const struct figures *g, const struct figures *node);

/* How often the message leaves a part of k ranks in the native allreduce. `in_order`: these ranks are consecutive. */
double native_allreduce_load(const struct facts *f, int k, bool in_order);

/*
 * How often the message crosses the boundary of the largest part in the native call, in the direction that carries more.
 * There are `parts` parts; the largest has k ranks. `near`: ranks that are neighbours in the call are near each other.
 */
double native_load(const struct facts *f, int parts, int k, bool near);

#endif
