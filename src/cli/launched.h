/* SPDX-License-Identifier: BSD-2-Clause */
/* The job that this process belongs to, as its launcher tells by the variables that it sets. */
#ifndef PLEACH_LAUNCHED_H
#define PLEACH_LAUNCHED_H

#include "program.h"

struct launched {
    const char *launcher; /* in words */
    enum mpi mpi;         /* whose; MPI_NONE: it starts programs of any */
    /* Variables with numbers of ranks: of the job, and on this node ("4(x2),3": on the first node). */
    const char *ranks, *here;
};

/* The launcher that has started this process; NULL: none that is known. Not freed. */
const struct launched *launched_by(void);

/* Do ranks that it starts find each other in a program for this MPI? */
bool launched_fits(const struct launched *by, enum mpi program);

/*
 * The launcher of this job of several ranks, each of which is alone in a program for this MPI; NULL: none, as far as is
 * known.
 */
const struct launched *launched_apart(enum mpi program);

#endif
