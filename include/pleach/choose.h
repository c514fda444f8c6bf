/* SPDX-License-Identifier: BSD-2-Clause */
/* Choose: facts and agreed settings -> plan. Pure, and blind to everything that may differ between ranks. */
#ifndef PLEACH_CHOOSE_H
#define PLEACH_CHOOSE_H

#include <pleach/cut.h>
#include <pleach/settings.h>

struct plan {
    const struct engine *engine; /* never NULL; engines[0] is native */
    int64_t blocks;              /* n >= 1; 0 for native */
    int group;                   /* as in struct shape */
    enum reason reason;
    double seconds; /* predicted; 0 if nothing was predicted */
};

/*
 * Is the call below the threshold, or barred from engines for another reason that needs no cost model? The reason, or
 * REASON_NONE. Cheap: it runs on every call.
 */
enum reason choose_quick(const struct settings *s, const struct facts *f);

/* The plan for a call. */
struct plan choose(const struct settings *s, const struct facts *f);

/* The shape of a planned call. */
struct shape choose_shape(const struct facts *f, int64_t blocks, int group);

/* Predicted seconds of an engine that fits, with its best number of blocks that the settings allow in *blocks. */
double choose_cost(const struct engine *e, const struct settings *s, const struct facts *f, int64_t *blocks);

#endif
