/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A host copy is host memory in the place of a buffer in device memory, which the processor must not touch (device.h). The
 * MPI library copies the data: it can read device memory, as the program passes such buffers to it. Only MPI_Reduce_local
 * does not accept such buffers.
 *
 * Each rank decides alone which of its buffers need a host copy: its messages are the same with and without host copies.
 */
#pragma once

#include "call.h"

struct host_copy {
    void *buffer; /* the program's */
    void *data;   /* the buffer to use: the program's, or memory of ours with the same layout */
    char *memory; /* ours, or NULL */
};

/* Makes a copy of a buffer with the layout of the view's data. Returns false if memory is short. */
bool host_copy_make(struct host_copy *s, const void *buffer, const struct view *v);

/* Makes a host copy if the buffer is in device memory. Returns false if memory is short. */
bool host_copy_open(struct host_copy *s, const void *buffer, const struct view *v);

/* Copies the view's message into the host copy, if there is one. Returns an MPI error code. */
int host_copy_fill(const struct host_copy *s, const struct view *v);

/* Copies the view's message back into the buffer. Returns an MPI error code. */
int host_copy_empty(const struct host_copy *s, const struct view *v);

void host_copy_close(struct host_copy *s);

/*
 * Runs the operation as operation_run() does, with host copies for the buffers whose device memory the executor would touch.
 * The copies take as much memory as the buffers. If memory is short, this rank fails as if it lacked memory for a datatype.
 */
int host_copy_run(const struct operation *o, const struct view *v, struct comm *comm);
