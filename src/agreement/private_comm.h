/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators with scratch memory; see private_comm.c. The functions for all of the library are in comm.h. */
#ifndef PLEACH_PRIVATE_COMM_H
#define PLEACH_PRIVATE_COMM_H

#include "comm.h"

/* What the ranks of a private communicator share; the same on all of them. */
struct shared {
    bool tried;              /* have they tried to make a segment? */
    struct segment *segment; /* or NULL */
};

/* That of c's private communicator, which exists. */
struct shared *private_comm_shared(const struct comm *c);

/* c leaves its private communicator, which is freed, with its segment, if no other communicator has it. */
void private_comm_leave(struct comm *c);

#endif
