/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators with scratch memory; see private_comm.c. comm.h declares the functions for all other files. */
#pragma once

#include "comm.h"

/* The segments of a private communicator's ranks, one on each node. The fields are set on all of its ranks or on none. */
struct shared {
    bool tried;              /* have they tried to make segments? */
    struct segment *segment; /* of this rank's node, or NULL */
};

/* Returns the segments of c's private communicator, which must exist. */
struct shared *private_comm_shared(const struct comm *c);

/*
 * Ranks may take over a private communicator with its segment from an earlier communicator of the same ranks in the same
 * order. private_comm_offer() returns the one that this rank offers for c, or NULL, and sets *state to a number. All ranks
 * compare these numbers, and say in private_comm_answer() whether they are the same. Then c has joined it, if there is one.
 */
struct private_comm *private_comm_offer(const struct comm *c, uint64_t *state);
void private_comm_answer(struct comm *c, struct private_comm *offered, bool same);

/* Frees the private communicator that has waited longest for another communicator. Returns false if none waits. */
bool private_comms_make_room(void);

/* Frees the memory of all that wait. Leaves their communicators to MPI_Finalize, as to free one is a collective call. */
void private_comms_end_idle(void);

/* Makes c leave its private communicator, which then may wait, with its segment, for another communicator. */
void private_comm_leave(struct comm *c);

/* MPI has ended, or is about to: from now on no private communicator is joined, or freed by MPI. */
void private_comms_forget(void);
