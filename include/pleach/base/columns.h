/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people, all in one style. */
#ifndef PLEACH_COLUMNS_H
#define PLEACH_COLUMNS_H

#include <stdio.h>

/*
 * Writes a table. `cell` has the rows one after the other, and the first row has the headings. Two spaces separate the
 * columns, and "-" stands for an empty or missing cell. Numbers, with or without units, are aligned at the right, and all
 * other columns at the left. If `width` > 0, a longer line is cut: it has `width` characters then and ends with "..".
 */
void columns_put(FILE *f, int rows, int columns, const char *const *cell, int width);

/* The width of the terminal behind f, in characters. It is 0 for a file or pipe, which takes lines of any length. */
int columns_width(FILE *f);

#endif
