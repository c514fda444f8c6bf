/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people: all that print one look alike. */
#ifndef PLEACH_COLUMNS_H
#define PLEACH_COLUMNS_H

#include <stdio.h>

/*
 * Writes cells, row by row, the first row the headings, as columns two spaces apart; "-" for an empty or missing cell.
 * A column of numbers, with or without units, is aligned at the right, any other one at the left. A line of more than
 * `width` characters is cut there and ends with ".."; 0: none is.
 */
void columns_put(FILE *f, int rows, int columns, const char *const *cell, int width);

/* The width of the terminal that f is, or 0: files and pipes take lines of any length. */
int columns_width(FILE *f);

#endif
