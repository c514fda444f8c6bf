/* SPDX-License-Identifier: BSD-2-Clause */
/* Which process of a job speaks for all, where MPI cannot be asked for the rank. */
#ifndef PLEACH_SPEAKER_H
#define PLEACH_SPEAKER_H

#include <stdbool.h>

/* Is this process rank 0 of its job, as launchers tell in the environment? True where none tells. */
bool is_speaker(void);

#endif
