/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators with scratch memory; see private_comm.c. comm.h declares the functions for all other files. */
#ifndef PLEACH_PRIVATE_COMM_H
#define PLEACH_PRIVATE_COMM_H

#include "comm.h"

/* The segments of a private communicator's ranks, one on each node. The fields are set on all of its ranks or on none. */
struct shared {
    bool tried;              /* have they tried to make segments? */
    struct segment *segment; /* of this rank's node, or NULL */
};

/* Returns the segments of c's private communicator, which must exist. */
struct shared *private_comm_shared(const struct comm *c);

/* Makes c leave its private communicator, which is freed with its segment if no other communicator uses it. */
void private_comm_leave(struct comm *c);

/* MPI has ended, or is about to: from now on no private communicator is joined, or freed by MPI. */
void private_comms_forget(void);

#endif
