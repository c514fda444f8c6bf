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

/* Finds functions and constants once, for a caller (a code address). False: one is missing, or INTEGER is no int. */
bool fortran_find(void *caller);

struct fortran_buffer {
    void *data;                            /* for C: also MPI_BOTTOM, MPI_IN_PLACE */
    const struct fortran_array *described; /* the array that `data` copies; or NULL */
};

/* Takes an address, or an array's descriptor, and copies a section. MPI_ERR_NO_MEM: no memory for that. */
int fortran_take(struct fortran_buffer *b, void *given, bool described);

/* Is it a descriptor of gfortran's? A compiler's programs have one layout. */
bool fortran_knows(const void *descriptor);

/* Frees a copy, after writing it back with `result`. */
void fortran_give_back(struct fortran_buffer *b, bool result);
