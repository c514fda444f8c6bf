/* SPDX-License-Identifier: BSD-2-Clause */
/* See gathering.h. */
#include "gathering.h"

#include "hold.h"
#include "process.h"
#include "report.h"
#include "small_stack.h"

#include <stdatomic.h>

static atomic_bool prepared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both; never held across an MPI call */
static MPI_Comm gathering;
static uint64_t id; /* of the communicator; 0: none */

void gathering_prepare(void)
{
    atomic_store(&prepared, true);
}

bool gathering_possible(void)
{
    return atomic_load(&prepared) && report_joint(process.settings.report);
}

/* Threads may make several, in any order: all ranks keep that of the largest id. */
void gathering_make(struct comm *c, uint64_t new_id)
{
    MPI_Comm made;
    int rank;
    if (!comm_of_all(c))
        return;
    pmpi.Comm_rank(MPI_COMM_WORLD, &rank);
    if (split_ranks(c->user, 0, rank, &made) != MPI_SUCCESS)
        return;
    HOLD(lock);
    if (new_id > id) {
        gathering = made;
        id = new_id;
    }
}

MPI_Comm gathering_comm(void)
{
    HOLD(lock);
    return id ? gathering : MPI_COMM_NULL;
}
