/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts arguments of calls from Fortran, where handles are numbers and constants are addresses. */
#pragma once

#include "pmpi.h"

/* The MPI library's functions that convert handles. */
struct fortran {
    MPI_Comm (*comm)(int);
    MPI_Datatype (*type)(int);
    MPI_Op (*op)(int);
};
extern struct fortran fortran;

/*
 * Finds these functions and the constants, once, for a caller (a code address). Returns false if calls from Fortran come to
 * us as calls from C, if a function is missing, or if an INTEGER of Fortran has another size than an int.
 */
bool fortran_find(void *caller);

/* Converts the address of a buffer for C: returns MPI_BOTTOM, MPI_IN_PLACE or the address itself. */
void *fortran_buffer(void *address);
