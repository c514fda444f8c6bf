/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentence at the top of a report: advice on what the user should do now. */
#pragma once

#include "job.h"

enum { NEXT_STEP = 512 };

/* Returns the sentence, which is a constant or lies in `text`. */
const char *next_step(const struct job *j, char text[NEXT_STEP]);
