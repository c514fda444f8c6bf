/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of collectives. */
#include "collective.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const char *const names[COLLECTIVES] = {
    [COLL_BCAST] = "bcast",   [COLL_REDUCE] = "reduce",       [COLL_SCAN] = "scan",
    [COLL_EXSCAN] = "exscan", [COLL_ALLREDUCE] = "allreduce",
};

const char *collective_name(enum collective c)
{
    assert((int)c >= 0 && c < COLLECTIVES);
    return names[c];
}

bool collective_parse(const char *name, enum collective *c)
{
    if (strncasecmp(name, "MPI_", 4) == 0)
        name += 4;
    for (int i = 0; i < COLLECTIVES; i++)
        if (strcasecmp(name, names[i]) == 0) {
            *c = i;
            return true;
        }
    return false;
}

bool collective_rooted(enum collective c)
{
    return c == COLL_BCAST || c == COLL_REDUCE;
}

bool collective_writes(enum collective c, int rank, int root)
{
    return c == COLL_BCAST ? rank != root : c == COLL_REDUCE ? rank == root : c != COLL_EXSCAN || rank > 0;
}
