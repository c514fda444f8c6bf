/* SPDX-License-Identifier: BSD-2-Clause */
/* MPI libraries; see mpis.h. */
#include "mpis.h"

const char *mpi_name(enum mpi m)
{
    static const char *const names[] = {"no MPI", "MPICH", "Open MPI", "an MPI with the standard ABI", "another MPI"};
    return names[m];
}
