/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Space-time tables of schedules: a row for each rank, a column for each step. An entry `in/out` has the block received and
 * the block sent ('-': none). `pleach schedule` prints them, and engines quote them in their header comments.
 */
#pragma once

#include "engine.h"

#include <stdio.h>

/*
 * Writes the rows of ranks `first` to `last`. The engine must fit the shape. Other ranks change neither the width of the
 * table nor the time to write it. A table has at most 1000 ranks, and 4096 characters in a line; lines behind it say what is
 * left out. It begins with step 0 or, if that comes long before the ranks' first step, with this step.
 */
void schedule_table(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);
