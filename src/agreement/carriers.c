/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Carriers: communicators whose native calls use another algorithm of the MPI library than its default; see algorithms.h.
 * They are duplicates of a private communicator, which owns them: the next communicator of the same ranks may use them, too.
 * Their number is bounded, as MPI has few context ids.
 */
#include "carriers.h"

#include "small_stack.h"

enum { MOST = 64 }; /* carriers of a process; by hand: more than the algorithms that trials compare at once */

static _Atomic int made; /* carriers that this process has */

static void end(struct carriers *all, int a)
{
    pmpi.Comm_free(&all->comm[a]);
    made--;
}

void carriers_end(struct carriers *all)
{
    for (int a = 0; a < ALGORITHMS; a++)
        if (all->users[a])
            end(all, a);
}

/* Collective over `like`. Makes a carrier on all ranks or on none. */
static bool make(MPI_Comm like, enum algorithm a, MPI_Comm *carrier)
{
    if (!pmpi_agreed(like, made < MOST, MPI_MIN))
        return false;
    const bool mine = algorithm_carrier(like, a, carrier) == MPI_SUCCESS, all = pmpi_agreed(like, mine, MPI_MIN);
    if (mine && !all)
        pmpi.Comm_free(carrier);
    made += all;
    return all;
}

bool carriers_take(struct carriers *all, enum algorithm a, MPI_Comm like)
{
    const bool has = all->users[a] > 0 || make(like, a, &all->comm[a]);
    all->users[a] += has;
    return has;
}

void carriers_leave(struct carriers *all, enum algorithm a)
{
    if (--all->users[a] == 0)
        end(all, a);
}
