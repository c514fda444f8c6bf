/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Converts arguments of calls from Fortran, where handles are numbers and constants are addresses. MPICH's Fortran functions
 * call the C functions, so Pleach intercepts those. Open MPI's Fortran functions call no MPI_ function that Pleach could
 * intercept. So our library for Open MPI defines the Fortran names, and needs this file.
 */
#pragma once

#include "pmpi.h"

/* The MPI library's functions that convert handles. They are NULL if this process has no MPI library. */
struct fortran {
    MPI_Comm (*comm)(MPI_Fint);
    MPI_Datatype (*type)(MPI_Fint);
    MPI_Op (*op)(MPI_Fint);
};
extern struct fortran fortran;

/*
 * Finds these functions and the constants, once, for a caller (a code address). Call it after pmpi_find(). Returns false if
 * a function is missing, or if an INTEGER of Fortran has another size than MPI_Fint.
 */
bool fortran_find(void *caller);

/* Converts the address of a buffer for C: returns MPI_BOTTOM, MPI_IN_PLACE or the address itself. */
void *fortran_buffer(void *address);
