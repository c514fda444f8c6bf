/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A host copy: host memory in place of a buffer in device memory, which the processor must not touch (device.h). MPI copies
 * the data. A rank decides alone: messages are the same.
 */
#pragma once

#include "call.h"

struct host_copy {
    void *buffer; /* the program's */
    void *data;   /* to be used: the program's, or ours with the same layout */
    char *memory; /* ours, or NULL */
};

/* Makes a copy with the layout of the view's data. Returns false if memory is short. */
bool host_copy_make(struct host_copy *s, const void *buffer, const struct view *v);

/* The same, only if the buffer is in device memory. */
bool host_copy_open(struct host_copy *s, const void *buffer, const struct view *v);

/* Copies the message in, if there is a copy. Returns an MPI error code. */
int host_copy_fill(const struct host_copy *s, const struct view *v);

/* Copies it back. Returns an MPI error code. */
int host_copy_empty(const struct host_copy *s, const struct view *v);

void host_copy_close(struct host_copy *s);

/*
 * operation_run() with host copies, as large as the buffers, where the executor would touch device memory. Without memory,
 * this rank fails as without memory for a datatype.
 */
int host_copy_run(const struct operation *o, const struct view *v, struct comm *comm);
