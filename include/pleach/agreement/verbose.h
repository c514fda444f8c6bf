/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PLEACH_VERBOSE: rank 0 says in one line what runs where. Once all ranks of MPI_COMM_WORLD have agreed, all have the
 * library, and the line says so. If they never agree, the line comes at the end, with what rank 0 knows.
 */
#ifndef PLEACH_VERBOSE_H
#define PLEACH_VERBOSE_H

#include "comm.h"

/* The ranks of c have agreed; c->locality.info is set. Sends nothing. */
void verbose_agreed(const struct comm *c);

/* At the end of the process. */
void verbose_close(void);

#endif
