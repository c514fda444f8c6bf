/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry of engines: one line each. */
#include "engine.h"

#include <string.h>

/* Native first; the others as `pleach engines` lists them. */
#define ENGINES(X)                                                                                                          \
    X(native)                                                                                                               \
    X(chain)                                                                                                                \
    X(ring)                                                                                                                 \
    X(bintree)                                                                                                              \
    X(fractional)                                                                                                           \
    X(two_tree)                                                                                                             \
    X(two_tree_mirror)                                                                                                      \
    X(doubly_pipelined)                                                                                                     \
    X(smp)                                                                                                                  \
    X(smp_nested)                                                                                                           \
    X(smp_phases)                                                                                                           \
    X(circulant)                                                                                                            \
    X(binomial)                                                                                                             \
    X(doubling)                                                                                                             \
    X(mesh)                                                                                                                 \
    X(scatter_allgather)

#define DECLARE(name) extern const struct engine engine_##name;
#define ROW(name) &engine_##name,

ENGINES(DECLARE)

const struct engine *const engines[] = {ENGINES(ROW) NULL};

int engine_count(void)
{
    return (int)(sizeof engines / sizeof engines[0]) - 1;
}

const struct engine *engine_find(const char *name)
{
    for (int i = 0; engines[i]; i++)
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    return NULL;
}

int engine_row(const struct engine *e)
{
    int i = 0;
    while (engines[i] != e)
        i++;
    return i;
}

bool engine_fits(const struct engine *e, const struct shape *shape)
{
    const struct service *s = &e->serves[shape->collective];
    return s->start && (!s->fits || s->fits(shape));
}

bool shape_interior(const struct shape *s)
{
    return s->collective == COLL_REDUCE && s->ordered && s->root != 0 && s->root != s->ranks - 1;
}

int ceil_log2(int64_t p)
{
    return p <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)(p - 1));
}
