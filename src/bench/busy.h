/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds other work on the machines of the job. Such work spoils times. */
#pragma once

#include <stdbool.h>

/*
 * Collective: all ranks sleep for a quarter of a second. Rank 0 names a machine that other work keeps busy meanwhile. Both
 * functions return true on all ranks if there is such a machine.
 */
bool busy_pause(void);

/* Collective: rank 0 names a machine that other work has kept busy since busy_pause(). */
bool busy_since(void);
