/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of MPI beside pmpi.h's. */
#pragma once

#include "pmpi.h"

#define BENCH_FUNCTIONS(X) X(Barrier) X(Finalize) X(Gather) X(Init) X(Type_commit) X(Type_contiguous)

struct bench_mpi {
#define FIELD(name) __typeof__(PMPI_##name) *name;
    BENCH_FUNCTIONS(FIELD)
#undef FIELD
    void *(*find)(const char *name);
};
extern struct bench_mpi bench_mpi;

/* All MPI libraries have them. */
void bench_find(void *(*find)(const char *name));
