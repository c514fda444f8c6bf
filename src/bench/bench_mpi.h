/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of MPI that this room calls beside those in pmpi.h. */
#pragma once

#include "pmpi.h"

#define BENCH_FUNCTIONS(X) X(Barrier) X(Finalize) X(Gather) X(Init) X(Type_commit) X(Type_contiguous)

struct bench_mpi {
#define FIELD(name) __typeof__(PMPI_##name) *name;
    BENCH_FUNCTIONS(FIELD)
#undef FIELD
    void *(*find)(const char *name); /* looks up a symbol in the MPI library */
};
extern struct bench_mpi bench_mpi;

/* Finds the functions. All MPI libraries have them. */
void bench_find(void *(*find)(const char *name));
