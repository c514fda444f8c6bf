/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of a communicator; see layout.h. */
#include "layout.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * More ranks than usable cores on this rank's node, which has *ranks of c? Ranks that are bound to different cores may use
 * all of these. Ranks outside c count too, as far as the launcher tells how many it started here: they spin as well.
 */
static bool node_is_full(struct comm *c, int *ranks)
{
    MPI_Comm node;
    cpu_set_t mine, all;
    const char *started = getenv("MPI_LOCALNRANKS");
    MPI_Errhandler before = pmpi_hush(c->user);
    int error = pmpi.Comm_split_type(c->user, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
    pmpi_unhush(c->user, before);

    if (error != MPI_SUCCESS) /* out of context ids: there will be none for an engine either */
        return false;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        memset(&mine, 0xff, sizeof mine); /* more cores than the set has room for: plenty */
    pmpi.Comm_size(node, ranks);
    pmpi.Allreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, node);
    pmpi.Comm_free(&node);
    return *ranks > CPU_COUNT(&all) || (started && atol(started) > sysconf(_SC_NPROCESSORS_ONLN));
}

void layout_find(struct comm *c)
{
    int ranks = 1;
    c->standing.oversubscribed = pmpi_agreed(c->user, node_is_full(c, &ranks), MPI_MAX);
    c->standing.node_ranks = pmpi_agreed(c->user, ranks, MPI_MAX);
}
