/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of the machine, except places. */
#pragma once

#include "comm.h"
#include "limit.h"

/* Bytes of a buffer: the largest native call. */
#define FIGURES_ROOM NATIVE_LARGEST

/*
 * Collective over c, which has a private communicator. Results may differ by rounding. Messages between nodes go along
 * `order`: all ranks, a node's together. What the limit leaves out counts as disturbed. `buffers`: 2 * FIGURES_ROOM bytes.
 */
struct measured figures_measure(const struct comm *c, const int *order, char *buffers, struct limit *limit);
