/* SPDX-License-Identifier: BSD-2-Clause */
/* Trunks: private communicators with scratch memory; see trunk.c. What all of the library calls is in comm.h. */
#ifndef PLEACH_TRUNK_H
#define PLEACH_TRUNK_H

#include "comm.h"

/* c goes, and with it its trunk if no other communicator has that. */
void trunk_leave(struct comm *c);

#endif
