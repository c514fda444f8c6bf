/* SPDX-License-Identifier: BSD-2-Clause */
/* Other work on the machines of the job, which spoils times. */
#ifndef PLEACH_BUSY_H
#define PLEACH_BUSY_H

/* Collective: all ranks pause for a moment, and rank 0 says which machine is busy nevertheless. */
void busy_pause(void);

/* Collective: the same about all the time since then. */
void busy_since(void);

#endif
