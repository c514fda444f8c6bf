/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI libraries that Pleach distinguishes. */
#pragma once

enum mpi {
    MPI_NONE,
    MPI_MPICH,    /* MPICH's binary interface: MPICH, MVAPICH, Intel MPI, Cray MPICH */
    MPI_OPEN_MPI, /* Open MPI */
    MPI_STANDARD, /* the standard binary interface of MPI 5 */
    MPI_OTHER
};

/* The library's name in words. */
const char *mpi_name(enum mpi m);
