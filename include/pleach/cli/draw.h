/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawings, by Graphviz and gnuplot; those of a schedule. */
#ifndef PLEACH_DRAW_H
#define PLEACH_DRAW_H

#include "engine.h"

#include <stdio.h>

/* Who sends to whom, as a Graphviz digraph; two trees side by side. The ranks `first` to `last` alone send in it. */
void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/* Ranks against steps, as a gnuplot script: an arrow for each message that ranks `first` to `last` send. */
void draw_time(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/*
 * A picture: write a script to the file that draw_script() gives. draw_run() has a program read it, copies the SVG to `to`,
 * and closes the script. Both end the command where that fails.
 */
FILE *draw_script(void);
void draw_run(FILE *script, char *const *program, FILE *to);
extern char *const draw_graphviz[], *const draw_gnuplot[];

/* Can the program be run at all? */
bool draw_can(char *const *program);

/* Writes a drawing, runs its program, and copies the SVG to standard output; ends the command where that fails. */
void draw_svg(void (*draw)(FILE *, const struct engine *, const struct shape *, int, int), const struct engine *e,
              const struct shape *shape, int first, int last);

#endif
