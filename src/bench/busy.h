/* SPDX-License-Identifier: BSD-2-Clause */
/* Other work on the job's machines, which spoils times. */
#pragma once

#include <stdbool.h>

/* Collective: sleeps a quarter of a second. True on all ranks: other work kept a machine busy, which rank 0 names. */
bool busy_pause(void);

/* Collective: the same, since busy_pause(). */
bool busy_since(void);
