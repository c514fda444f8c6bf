/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI libraries; see mpis.h. */
#include "mpis.h"

const char *mpi_name(enum mpi m)
{
    static const char *const names[] = {
        [MPI_NONE] = "no MPI",
        [MPI_MPICH] = "MPICH",
        [MPI_OPEN_MPI] = "Open MPI",
        [MPI_STANDARD] = "an MPI with the standard ABI",
        [MPI_OTHER] = "another MPI",
    };
    return names[m];
}
