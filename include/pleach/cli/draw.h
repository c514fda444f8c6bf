/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawings by Graphviz and gnuplot, such as those of a schedule. */
#ifndef PLEACH_DRAW_H
#define PLEACH_DRAW_H

#include "engine.h"

#include <stdio.h>

/* A Graphviz digraph of senders and receivers; two trees side by side. Shows what ranks `first` to `last` send. */
void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/* A gnuplot script of ranks against steps: an arrow for each message that ranks `first` to `last` send. */
void draw_time(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/*
 * A picture: write a script to the file that draw_script() opens. draw_run() runs a program on the script, copies the SVG to
 * `to`, and closes the script. Both end the command on failure.
 */
FILE *draw_script(void);
void draw_run(FILE *script, char *const *program, FILE *to);
extern char *const draw_graphviz[], *const draw_gnuplot[];

/* Can the program be run at all? */
bool draw_can(char *const *program);

/* Writes a drawing, runs its program, and copies the SVG to standard output; ends the command on failure. */
void draw_svg(void (*draw)(FILE *, const struct engine *, const struct shape *, int, int), const struct engine *e,
              const struct shape *shape, int first, int last);

#endif
