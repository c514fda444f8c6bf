/* SPDX-License-Identifier: BSD-2-Clause */
/* Launchers, by their variables; see launched.h. */
#include "launched.h"

#include "say.h"

#include <stdlib.h>

static const struct launched launchers[] = {
    {"Open MPI's mpiexec", MPI_OPEN_MPI, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH's mpiexec", MPI_MPICH, "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"srun", MPI_NONE, "SLURM_STEP_NUM_TASKS", "SLURM_STEP_TASKS_PER_NODE"},
};
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static bool has_started(const struct launched *l)
{
    return getenv(l->ranks) && getenv(l->here);
}

const struct launched *launched_by(void)
{
    for (int i = 0; i < LAUNCHERS; i++)
        if (has_started(&launchers[i]))
            return &launchers[i];
    return NULL;
}

bool launched_fits(const struct launched *by, enum mpi program)
{
    return !by->mpi || by->mpi == program || program == MPI_STANDARD;
}

const struct launched *launched_apart(enum mpi program)
{
    if (program != MPI_MPICH && program != MPI_OPEN_MPI)
        return NULL;
    /* A launcher inside the job of another one: whichever fits may be the one that counts. */
    for (int i = 0; i < LAUNCHERS; i++)
        if (has_started(&launchers[i]) && launched_fits(&launchers[i], program))
            return NULL;
    const struct launched *by = launched_by();
    return by && atoi(getenv(by->ranks)) > 1 ? by : NULL;
}
