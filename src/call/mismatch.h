/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports a mismatch: ranks of one communicator made different calls at the same time. */
#pragma once

#include "comm.h"

/*
 * Call it after an operation on comm has failed. If the cause is a mismatch, prints a line that names this rank's call and,
 * if it is known, the other call. Then waits for a moment, so that the line is out before the job may be aborted. Not
 * collective.
 */
void mismatch_tell(struct comm *comm);
