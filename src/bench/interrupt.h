/* SPDX-License-Identifier: BSD-2-Clause */
/* SIGINT and SIGTERM end the job at the next start that ranks agree on; what was done is kept. */
#ifndef PLEACH_INTERRUPT_H
#define PLEACH_INTERRUPT_H

/* From now on, the first of these signals is only noted. A second one, some time later, has its usual effect. */
void interrupt_watch(void);

/* The signal that this rank got, or 0. Ranks agree on it: job.interrupted. */
int interrupt_signal(void);

#endif
