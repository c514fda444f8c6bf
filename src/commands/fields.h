/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines with fields between tabs, as logs and reports have them. */
#pragma once

enum { FIELDS = 64 }; /* far more than a line has */

/* Removes the end of a line: LF, CR LF, or the CR that a reader of lines has left. */
void line_trim(char *line);

/* Cuts a line at its tabs; returns the number of fields, of which no more than FIELDS are stored. */
int fields_cut(char *line, char *field[FIELDS]);

/* The number of the field with this text, or -1. */
int fields_find(int fields, char *const field[FIELDS], const char *text);
