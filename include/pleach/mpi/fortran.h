/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Arguments of calls from Fortran: handles are numbers, and constants are addresses. MPICH's Fortran functions call those of
 * C. Open MPI's call no MPI_ function that could be intercepted, so our library for it has the Fortran names, and needs this
 * file.
 */
#ifndef PLEACH_FORTRAN_H
#define PLEACH_FORTRAN_H

#include "pmpi.h"

/* The functions that convert handles. NULL: this process has no MPI library. */
struct fortran {
    MPI_Comm (*comm)(MPI_Fint);
    MPI_Datatype (*type)(MPI_Fint);
    MPI_Op (*op)(MPI_Fint);
};
extern struct fortran fortran;

/* Finds these, and the constants, for a caller (a code address), once. After pmpi_find(). False: some are missing. */
bool fortran_find(void *caller);

/* The C value of an address in a call: MPI_BOTTOM, MPI_IN_PLACE or the address itself. */
void *fortran_buffer(void *address);

#endif
