/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI libraries that Pleach distinguishes. */
#pragma once

enum mpi {
    MPI_NONE,
    MPI_MPICH, /* binary interface of MPICH: MPICH, MVAPICH, Intel MPI, Cray MPICH */
    MPI_OPEN_MPI,
    MPI_STANDARD,
    MPI_OTHER
};

const char *mpi_name(enum mpi m);
