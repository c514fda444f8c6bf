/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of collectives. */
#include "collective.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

const struct traits collective_traits[COLLECTIVES] = {
    [COLL_BCAST] = {"bcast", "MPI_Bcast", FLOW_ONE_TO_ALL},
    [COLL_REDUCE] = {"reduce", "MPI_Reduce", FLOW_ALL_TO_ONE, .reduces = true},
    [COLL_SCAN] = {"scan", "MPI_Scan", FLOW_PREFIX, .reduces = true},
    [COLL_EXSCAN] = {"exscan", "MPI_Exscan", FLOW_PREFIX, .reduces = true, .exclusive = true},
    [COLL_ALLREDUCE] = {"allreduce", "MPI_Allreduce", FLOW_ALL_TO_ALL, .reduces = true},
};

const char *collective_name(enum collective c)
{
    assert((int)c >= 0 && c < COLLECTIVES);
    return collective_traits[c].name;
}

bool collective_parse(const char *name, enum collective *c)
{
    if (strncasecmp(name, "MPI_", 4) == 0)
        name += 4;
    for (int i = 0; i < COLLECTIVES; i++)
        if (strcasecmp(name, collective_traits[i].name) == 0) {
            *c = i;
            return true;
        }
    return false;
}
