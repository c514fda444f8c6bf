/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model: how long an engine takes for a call, and with how many blocks. */
#ifndef PLEACH_COST_H
#define PLEACH_COST_H

#include <pleach/choose.h>

/* What predictions are made from. */
struct terms {
    struct figures figures;
    double native; /* seconds of the native call over what its formula says */
    int64_t block; /* bytes; 0: the best */
    int group;     /* as in struct shape */
};

/* Predicted seconds of an engine that fits, with its best number of blocks that the terms allow in *blocks (native: 0). */
double cost(const struct engine *e, const struct terms *t, const struct facts *f, int64_t *blocks);

#endif
