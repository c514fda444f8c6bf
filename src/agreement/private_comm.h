/* SPDX-License-Identifier: BSD-2-Clause */
/* Private communicators with scratch memory; see private_comm.c. The functions for all of the library are in comm.h. */
#ifndef PLEACH_PRIVATE_COMM_H
#define PLEACH_PRIVATE_COMM_H

#include "comm.h"

/* c leaves its private communicator, which is freed if no other communicator has it. */
void private_comm_leave(struct comm *c);

#endif
