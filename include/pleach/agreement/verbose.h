/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The line of PLEACH_VERBOSE: versions, ranks, nodes, rules, why no engine serves. Rank 0 writes it once all of
 * MPI_COMM_WORLD have agreed, and so have the library; else at the end.
 */
#pragma once

#include "comm.h"

/* Needs c->locality.info. Sends nothing. */
void verbose_agreed(const struct comm *c);

/* At the end of the process. */
void verbose_close(void);
