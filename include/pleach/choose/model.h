/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: how long an engine takes for a call, and with how many blocks. */
#ifndef PLEACH_MODEL_H
#define PLEACH_MODEL_H

#include "choose.h"

/* What predictions are made from. */
struct terms {
    struct figures figures;
    struct figures node; /* within a node, where `figures` are between nodes */
    double native;       /* seconds of the native call over what its formula says */
    bool measured;       /* does what was measured of places count? */
    int64_t block;       /* bytes; 0: the best */
    int group;           /* as in struct shape */
};

/* How a message is cut. */
struct cutting {
    int64_t blocks; /* n >= 1; 0 for native */
    int64_t wide;   /* as in struct shape */
};

/* Predicted seconds of an engine that fits, with its best blocks that the terms allow in *c. */
double model_seconds(const struct engine *e, const struct terms *t, const struct facts *f, struct cutting *c);

/* May the ranks take part in the order of the nodes, not in their own? */
bool model_any_order(const struct facts *f);

/* Seconds that the MPI library's own call takes, as its algorithms tell (native.c). `node`: figures within a node. */
double native_seconds(const struct facts *f, const struct figures *g, const struct figures *node);

/* How often the message leaves a part of k ranks in the native allreduce. `in_order`: they are one after the other. */
double native_allreduce_load(const struct facts *f, int k, bool in_order);

/*
 * How often the message leaves the largest of so many parts, which has k ranks, in the native call, in the direction that
 * carries more. `near`: neighbours in the order in which the ranks take part are near each other.
 */
double native_load(const struct facts *f, int parts, int k, bool near);

#endif
