/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people, all in one style. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* A table while it is written into memory. */
struct columns {
    FILE *stream;
    char *text;
    size_t size;
    bool marks; /* rows that begin with '*' are bold, for a terminal */
};

/*
 * Begins a table. The caller writes it to the stream that the function returns: a line for each row, with tabs between the
 * cells. The first line has the headings. Returns NULL if memory is short.
 */
FILE *columns_begin(struct columns *t);

/*
 * Ends the table and writes it to f, unless f is NULL. Returns false if memory was short.
 *
 * Two spaces separate the columns, and "-" stands for an empty cell. Columns of numbers, with or without units, are aligned
 * at the right, and all other columns at the left. If `width` > 2, a line with more than `width` characters is cut to this
 * length, and ends with "..".
 */
bool columns_end(struct columns *t, FILE *f, int width);

/* The width of the terminal behind f, in characters. It is 0 for a file or pipe, which takes lines of any length. */
int columns_width(FILE *f);
