/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes communicators by their names, for programs that test what communicators of one job know. Include an mpi.h first. */
#pragma once

#include <string.h>

/* Returns MPI_COMM_NULL on ranks that are not in the communicator. */
static inline MPI_Comm made_comm(const char *name, int rank, int ranks)
{
    MPI_Comm comm = MPI_COMM_NULL;
    if (strcmp(name, "world") == 0)
        comm = MPI_COMM_WORLD;
    else if (strcmp(name, "dup") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else if (strcmp(name, "turn") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    else if (strcmp(name, "halves") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2, rank, &comm);
    else if (strcmp(name, "reverse") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    else if (strcmp(name, "shrink") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &comm);
    else if (strcmp(name, "first") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2 ? 0 : MPI_UNDEFINED, rank, &comm);
    return comm;
}
