/* SPDX-License-Identifier: BSD-2-Clause */
/* Space-time tables of schedules, ranks by steps: the block received / the block sent, or '-'. */
#pragma once

#include "engine.h"

#include <stdio.h>

/*
 * Writes the rows of ranks `first` to `last`; the engine fits the shape. Begins with step 0, unless the ranks' first step
 * comes long after.
 */
void schedule_table(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);
