/* SPDX-License-Identifier: BSD-2-Clause */
/* Run: the one executor of all engines and collectives. */
#ifndef PLEACH_RUN_H
#define PLEACH_RUN_H

#include "choose.h"
#include "comm.h"

/* This rank's own side of a call that has been found valid. */
struct view {
    const void *in; /* send buffer; equal to out for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* receive buffer, or the broadcast's buffer; NULL where MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op; /* MPI_OP_NULL for broadcast */
};

/*
 * Bytes of scratch that a planned call needs for its data: the same on all ranks. And what it needs on this rank, which is
 * more if the datatype has gaps; MPI wants it to be the same on all ranks, but nobody checks.
 */
int64_t run_scratch_agreed(const struct plan *plan, const struct facts *f);
int64_t run_scratch(const struct plan *plan, const struct facts *f, const struct view *v);

/*
 * Performs a planned call on comm's private communicator, in comm's scratch, which must have run_scratch() bytes. Returns
 * MPI_SUCCESS, or what the error handler of the application's communicator makes of an error.
 */
int run(const struct plan *plan, const struct facts *f, const struct view *v, struct comm *comm);

#endif
