/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators; see private_comm.c. comm.h declares what others call. */
#pragma once

#include "comm.h"

/* One on each node; set on all ranks or none. */
struct shared {
    bool tried;
    struct segment *segment; /* of this rank's node, or NULL */
};

/* Of c's private communicator, which must exist. */
struct shared *private_comm_shared(const struct comm *c);

/*
 * The one that this rank offers c, of an earlier communicator of these ranks in their order, or NULL. All compare *state,
 * and answer whether it is the same; then c has joined it, if there is one.
 */
struct private_comm *private_comm_offer(const struct comm *c, uint64_t *state);
void private_comm_answer(struct comm *c, struct private_comm *offered, bool same);

/* The one idle longest. False: none is idle. */
bool private_comms_make_room(void);

/* Frees the memory of idle ones. Their communicators are left to MPI_Finalize, as freeing them is collective. */
void private_comms_end_idle(void);

/* It may wait, with its segment, for another communicator. */
void private_comm_leave(struct comm *c);

/* MPI has ended, or is about to: none is joined or freed by MPI any more. */
void private_comms_forget(void);
