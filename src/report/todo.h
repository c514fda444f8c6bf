/* SPDX-License-Identifier: BSD-2-Clause */
/* What the user of a report should do now: one sentence, which stands at its top. */
#ifndef PLEACH_TODO_H
#define PLEACH_TODO_H

#include "job.h"

enum { TODO = 512 };

/* Returns the sentence, which may be in text. */
const char *todo(const struct job *j, char text[TODO]);

#endif
