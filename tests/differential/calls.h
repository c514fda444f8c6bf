/* SPDX-License-Identifier: BSD-2-Clause */
/* A description of a call, and two ways to make it: by MPI_X, which a preloaded library intercepts, and by PMPI_X. */
#pragma once

#include "collective.h"
#include "large.h"
#include <stdbool.h>

extern const char *const collective_names[COLLECTIVES];

enum { SITES = 24 };

struct call {
    enum collective collective;
    bool large;       /* the _c form of the collective */
    const void *send; /* a broadcast has no send buffer */
    void *receive;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    int site; /* below SITES; call_mpi() makes the call in the function site_N of this number, which rules may name */
};

extern _Thread_local int last_site; /* the site of the last call_mpi() */
int call_mpi(const struct call *c);
int call_pmpi(const struct call *c);
