/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators with scratch memory; see private_comm.c. What all of the library calls is in comm.h. */
#ifndef PLEACH_PRIVATE_COMM_H
#define PLEACH_PRIVATE_COMM_H

#include "comm.h"

/* c leaves its private communicator, which is freed if no other communicator has it. */
void private_comm_leave(struct comm *c);

#endif
