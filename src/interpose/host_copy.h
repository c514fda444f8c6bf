/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host copies: host memory in the place of a buffer in device memory, which the processor must not touch (device.h). The MPI
 * library does the copying: it must know device memory, as the program gives it such buffers. Only its MPI_Reduce_local does
 * not take them.
 *
 * Whether a buffer needs a host copy is this rank's own affair: the other ranks see the same messages.
 */
#ifndef PLEACH_HOST_COPY_H
#define PLEACH_HOST_COPY_H

#include "call.h"

struct host_copy {
    void *buffer; /* the program's */
    void *data;   /* the buffer to use: the program's, or memory of ours with the same layout */
    char *memory; /* ours, or NULL */
};

/* Is there device memory in a buffer for a message of the view? Its first byte of data tells. */
bool host_copy_needed(const void *buffer, const struct view *v);

/* Opens a host copy for such a buffer, where one is needed. False: no memory. */
bool host_copy_open(struct host_copy *s, const void *buffer, const struct view *v);

/*
 * Copies the view's message into the host copy, or back into the buffer. Nothing where there is no host copy. An MPI error.
 */
int host_copy_fill(const struct host_copy *s, const struct view *v);
int host_copy_empty(const struct host_copy *s, const struct view *v);

void host_copy_close(struct host_copy *s);

/*
 * Runs the operation as operation_run() does, with host copies for the buffers whose device memory the executor would touch.
 * The copies take as much memory as the buffers. If it is short, this rank fails like one without memory for a datatype.
 */
int host_copy_run(const struct operation *o, const struct view *v, struct comm *comm);

#endif
