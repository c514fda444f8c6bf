/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables for people, all in one style. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct columns {
    FILE *stream;
    char *text;
    size_t size;
    bool marks; /* rows that begin with '*' are bold, for a terminal */
};

/* Returns the stream for the rows, headings first: a line each, with tabs between cells. Returns NULL if memory is short. */
FILE *columns_begin(struct columns *t);

/*
 * Writes the table to f, unless f is NULL; returns false if memory was short. An empty cell is "-". Columns of numbers, also
 * with units, are aligned at the right. If `width` > 2, longer lines are cut to `width` characters, and end with "..".
 */
bool columns_end(struct columns *t, FILE *f, int width);

/* The width of the terminal behind f; 0 for a file or pipe. */
int columns_width(FILE *f);
