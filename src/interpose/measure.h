/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model's figures, measured on the machine at hand. */
#ifndef PLEACH_MEASURE_H
#define PLEACH_MEASURE_H

#include "comm.h"

/*
 * Collective over c, whose private communicator exists, that is settled, and whose ranks are no more than their cores: makes
 * sure that c->machine.figures and .native are known, and equal on all ranks. They are measured unless a communicator
 * around c has been; that takes some milliseconds, on a network of 100 Mbit/s 50. False, on all ranks, if some rank has no
 * memory: then they stay unknown.
 */
bool measure(struct comm *c);

#endif
