/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling along a row of positions, for the engines binomial and mesh. */
#pragma once

#include "engine.h"

/* The `count` positions first, first + stride, .. Blocks take `steps` steps along this line and its parallels. */
struct binomial_line {
    int first, stride, count, steps;
};

enum { BINOMIAL_LINES = 2 };

/* Sets the lines of a broadcast, one after the other, as position v sees them. Returns their number. */
typedef int binomial_lines(int p, int v, struct binomial_line line[BINOMIAL_LINES]);

/* Makes the schedule of a broadcast or reduction. An interior root takes a single line, of all ranks. */
void binomial_generate(struct schedule *s, binomial_lines *lines_of);

/* For struct service, over one line of all ranks. */
void binomial_tree(struct schedule *s);
struct round_bound binomial_round_bound(const struct shape *s);
