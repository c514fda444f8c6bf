/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators; see private_comm.c. comm.h declares what others call. */
#pragma once

#include "comm.h"

/* The segments of a private communicator, one on each node; set on all its ranks or on none. */
struct shared {
    bool tried;              /* the ranks have tried to make segments */
    struct segment *segment; /* of this rank's node, or NULL */
};

/* The segments of c's private communicator, which must exist. */
struct shared *private_comm_shared(const struct comm *c);

/*
 * Ranks may take over a private communicator from an earlier communicator of the same ranks in the same order.
 * private_comm_offer() returns the one that this rank offers for c, or NULL, and sets *state. All ranks compare *state, and
 * say in private_comm_answer() whether it is the same; if so, c has joined it, if there is one.
 */
struct private_comm *private_comm_offer(const struct comm *c, uint64_t *state);
void private_comm_answer(struct comm *c, struct private_comm *offered, bool same);

/* Frees the one that has been idle longest, that is, in use by no communicator. Returns false if none is idle. */
bool private_comms_make_room(void);

/* Frees the memory of idle ones. Their communicators are left to MPI_Finalize, as freeing them is collective. */
void private_comms_end_idle(void);

/* Makes c leave it. It may then wait, with its segment, for another communicator. */
void private_comm_leave(struct comm *c);

/* MPI has ended, or is about to: none is joined or freed by MPI any more. */
void private_comms_forget(void);
