/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments of calls from Fortran: handles are numbers, and constants are addresses. MPICH's Fortran calls the functions of
 * C. Open MPI's own functions of Fortran's names call nothing that could be intercepted behind them, so the library for it
 * has such names, and this.
 */
#ifndef PLEACH_FORTRAN_H
#define PLEACH_FORTRAN_H

#include "pmpi.h"

/* How handles are converted. NULL: there is no MPI library in this process. */
struct fortran {
    MPI_Comm (*comm)(MPI_Fint);
    MPI_Datatype (*type)(MPI_Fint);
    MPI_Op (*op)(MPI_Fint);
};
extern struct fortran fortran;

/* Finds that, and the constants, for a caller (a code address), once. After pmpi_find(). False: it is not all there. */
bool fortran_find(void *caller);

/* What an address in a call means: MPI_BOTTOM, MPI_IN_PLACE or itself. */
void *fortran_buffer(void *address);

#endif
