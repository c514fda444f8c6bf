/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws schedules and other pictures by Graphviz and gnuplot. */
#ifndef PLEACH_DRAW_H
#define PLEACH_DRAW_H

#include "engine.h"

#include <stdio.h>

/* Writes a Graphviz digraph of the messages that ranks `first` to `last` send. Two trees stand side by side. */
void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/* Writes a gnuplot script for ranks against steps: an arrow for each message that ranks `first` to `last` send. */
void draw_time(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/*
 * To draw a picture, write a script to the file that draw_script() opens. Then draw_run() runs a program on the script,
 * copies the program's SVG to standard output, and closes the script. Both functions end the command on failure.
 */
FILE *draw_script(void);
void draw_run(FILE *script, char *const *program);
extern char *const draw_graphviz[], *const draw_gnuplot[];

/* Writes a script by draw_graph or draw_time, and draws it to standard output; ends the command on failure. */
void draw_svg(void (*draw)(FILE *, const struct engine *, const struct shape *, int, int), const struct engine *e,
              const struct shape *shape, int first, int last);

#endif
