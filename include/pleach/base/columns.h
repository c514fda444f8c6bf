/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people, all in one style. */
#ifndef PLEACH_COLUMNS_H
#define PLEACH_COLUMNS_H

#include <stdio.h>

/*
 * Writes cells, row by row, the first row the headings, as columns two spaces apart; "-" for an empty or missing cell.
 * A column of numbers, with or without units, is aligned at the right, any other one at the left. A line of more than
 * `width` characters is cut there and ends with ".."; 0: no line is cut.
 */
void columns_put(FILE *f, int rows, int columns, const char *const *cell, int width);

/* The width of the terminal behind f; 0: f is a file or pipe, which takes lines of any length. */
int columns_width(FILE *f);

#endif
