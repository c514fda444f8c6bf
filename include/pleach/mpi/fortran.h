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
 * Finds these functions and the constants, once, for a caller (a code address). Returns false if a function is missing, or
 * if an INTEGER of Fortran has another size than an int.
 */
bool fortran_find(void *caller);

/* A buffer for C. */
struct fortran_buffer {
    void *data;                            /* MPI_BOTTOM, MPI_IN_PLACE or an address */
    const struct fortran_array *described; /* the array of which `data` is a copy; NULL: it is no copy */
};

/*
 * Takes a buffer as a program has passed it: an address, or the descriptor of an array. A section of an array is copied.
 * Returns MPI_SUCCESS, or MPI_ERR_NO_MEM if there is no memory for a copy.
 */
int fortran_take(struct fortran_buffer *b, void *given, bool described);

/* Is a descriptor one of gfortran's? All programs of a compiler have descriptors of one layout. */
bool fortran_knows(const void *descriptor);

/* Frees a copy. With `result`, writes it back first. */
void fortran_give_back(struct fortran_buffer *b, bool result);
