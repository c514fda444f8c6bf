/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With PLEACH_VERBOSE, rank 0 writes one line: Pleach's version, the MPI library, how many ranks and nodes there are, the
 * file of rules, and the reason if engines cannot serve. Rank 0 does so when all ranks of MPI_COMM_WORLD have agreed: then
 * all have loaded the library. If they never agree, rank 0 writes the line at the end, with what it knows.
 */
#pragma once

#include "comm.h"

/* Call it when the ranks of c have agreed and c->locality.info is set. It sends no message. */
void verbose_agreed(const struct comm *c);

/* Call it at the end of the process. */
void verbose_close(void);
