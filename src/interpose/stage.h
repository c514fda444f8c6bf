/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stages: host memory in the place of a buffer in device memory, which the processor must not touch (device.h). What lies
 * in a buffer is copied by the MPI library, which must know device memory, as the program gives it such buffers.
 *
 * Whether a buffer needs a stage is this rank's own affair: the other ranks see the same messages.
 */
#ifndef PLEACH_STAGE_H
#define PLEACH_STAGE_H

#include "call.h"

struct stage {
    void *buffer; /* the program's */
    void *data;   /* what to use instead: the same, or memory of ours, in which elements lie alike */
    char *memory; /* ours, or NULL */
};

/* Is there device memory in a buffer for a message of the view? Its first byte of data tells. */
bool stage_needed(const void *buffer, const struct view *v);

/* Opens a stage for such a buffer, where one is needed. False: no memory. */
bool stage_open(struct stage *s, const void *buffer, const struct view *v);

/* Copies the view's message into the stage, or back into the buffer. Nothing where there is no stage. An MPI error. */
int stage_fill(const struct stage *s, const struct view *v);
int stage_empty(const struct stage *s, const struct view *v);

void stage_close(struct stage *s);

/*
 * Runs the operation as operation_run() does, with stages for the buffers where the executor would touch device memory. That
 * takes as much memory as they have; where it is short, this rank fails as one that lacks memory for a datatype.
 */
int stage_run(const struct operation *o, const struct view *v, struct comm *comm);

#endif
