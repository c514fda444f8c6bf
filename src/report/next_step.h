/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user of a report should do now: one sentence, which stands at its top. */
#ifndef PLEACH_NEXT_STEP_H
#define PLEACH_NEXT_STEP_H

#include "job.h"

enum { NEXT_STEP = 512 };

/* Returns the sentence, which may be in text. */
const char *next_step(const struct job *j, char text[NEXT_STEP]);

#endif
