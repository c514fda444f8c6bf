/* SPDX-License-Identifier: BSD-2-Clause */
/* Mismatches: different calls on one communicator at the same time. */
#pragma once

#include "comm.h"

/*
 * After a failed operation: in a mismatch, prints this rank's call and the other, if known. Waits a moment for the line, as
 * the job may be aborted. Not collective.
 */
void mismatch_tell(struct comm *comm);
