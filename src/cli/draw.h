/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawings of a schedule, for Graphviz and gnuplot. */
#ifndef PLEACH_DRAW_H
#define PLEACH_DRAW_H

#include <pleach/engine.h>
#include <stdio.h>

/* Who sends to whom, as a Graphviz digraph; two trees side by side. The ranks `first` to `last` alone send in it. */
void draw_graph(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/* Ranks against steps, as a gnuplot script: an arrow for each message that ranks `first` to `last` send. */
void draw_time(FILE *f, const struct engine *e, const struct shape *shape, int first, int last);

/* Runs a drawing through its program and copies the SVG to standard output; ends the command if that is not to be had. */
void draw_svg(void (*draw)(FILE *, const struct engine *, const struct shape *, int, int), const struct engine *e,
              const struct shape *shape, int first, int last);

#endif
