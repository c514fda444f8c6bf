/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of calls from Fortran, where handles are numbers and constants are addresses. */
#pragma once

#include "pmpi.h"

struct fortran {
    MPI_Comm (*comm)(int);
    MPI_Datatype (*type)(int);
    MPI_Op (*op)(int);
};
extern struct fortran fortran;

/*
 * Finds the library's functions and constants, once. `caller`: a code address. Returns false if one is missing, or if
 * INTEGER is no int.
 */
bool fortran_find(void *caller);

struct fortran_buffer {
    void *data;                            /* for C: also MPI_BOTTOM, MPI_IN_PLACE */
    const struct fortran_array *described; /* the array that `data` copies; or NULL */
};

/*
 * Takes a buffer from `given`, an address or an array's descriptor; copies a section. Returns MPI_ERR_NO_MEM if there is no
 * memory for that.
 */
int fortran_take(struct fortran_buffer *b, void *given, bool described);

/* Is it a descriptor of gfortran's? All programs of a compiler have one layout. */
bool fortran_knows(const void *descriptor);

/* Frees a copy, after writing it back with `result`. */
void fortran_give_back(struct fortran_buffer *b, bool result);
