/* SPDX-License-Identifier: BSD-2-Clause */
/* Telling that ranks made different calls at once. */
#ifndef PLEACH_MISMATCH_H
#define PLEACH_MISMATCH_H

#include "comm.h"

/*
 * After an operation that has failed on comm: if it met another call there, prints a line that names both calls, and waits
 * until the line has had time to get out. Not collective.
 */
void mismatch_tell(struct comm *comm);

#endif
