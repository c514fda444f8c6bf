/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of the machine, except places. */
#pragma once

#include "comm.h"
#include "limit.h"

/* Bytes of a buffer: enough for the largest native call that is measured, which is larger than a block. */
#define FIGURES_ROOM NATIVE_LARGEST

/*
 * Collective over c, which has a private communicator. The results may differ between ranks by rounding. Messages between
 * nodes go along `order`, which has all ranks, those of a node together. Measurements that the limit leaves out count as
 * disturbed. `buffers` has 2 * FIGURES_ROOM bytes.
 */
struct measured figures_measure(const struct comm *c, const int *order, char *buffers, struct limit *limit);
