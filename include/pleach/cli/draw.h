/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws schedules and trees by Graphviz. */
#pragma once

#include "engine.h"

#include <stdio.h>

/* Writes a Graphviz digraph of the messages that ranks `first` to `last` send. Two trees stand side by side. */
void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/*
 * To draw a picture, write a digraph to the file that draw_script() opens. Then draw_run() runs Graphviz on it, copies the
 * SVG to standard output, and closes the file. Both functions end the command on failure.
 */
FILE *draw_script(void);
void draw_run(FILE *script);
