/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The line of PLEACH_VERBOSE: versions, ranks, nodes, rules, and why no engine serves. Rank 0 writes it once all ranks of
 * MPI_COMM_WORLD have agreed: then all have loaded the library. If they never do, it writes the line at the end.
 */
#pragma once

#include "comm.h"

/* Call it when the ranks of c have agreed and c->locality.info is set. Sends no message. */
void verbose_agreed(const struct comm *c);

/* Call it at the end of the process. */
void verbose_close(void);
