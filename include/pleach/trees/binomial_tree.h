/* SPDX-License-Identifier: BSD-2-Clause */
/* Recursive doubling along a row of positions: what the engines binomial and mesh share; see binomial_tree.c. */
#pragma once

#include "engine.h"

/* The `count` positions first, first + stride, .. A block takes `steps` steps along this line and each parallel line. */
struct binomial_line {
    int first, stride, count, steps;
};

enum { BINOMIAL_LINES = 2 };

/* Sets the lines along which a broadcast goes, one after the other, as position v sees them. Returns their number. */
typedef int binomial_lines(int p, int v, struct binomial_line line[BINOMIAL_LINES]);

/*
 * Makes the schedule of a broadcast, or of a reduction, which reverses a broadcast. With an interior root there must be a
 * single line, of all ranks.
 */
void binomial_generate(struct schedule *s, binomial_lines *lines_of);

/* For struct service: the engine binomial's broadcast and reduction, over one line of all ranks. */
void binomial_tree(struct schedule *s);
struct round_bound binomial_round_bound(const struct shape *s);
