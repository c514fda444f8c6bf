/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds other work on the machines of the job, which spoils times. */
#ifndef PLEACH_BUSY_H
#define PLEACH_BUSY_H

/* Collective: all ranks sleep for a moment. Rank 0 names a machine that other work keeps busy meanwhile. */
void busy_pause(void);

/* Collective: rank 0 names a machine that other work has kept busy since busy_pause(). */
void busy_since(void);

#endif
