/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of source for call sites, found in debug information when the program has long ended (codefile.h). Logs and parts
 * tell where the frames of their sites come from, see origin.h of the record room.
 */
#ifndef PLEACH_LINES_H
#define PLEACH_LINES_H

#include <stdbool.h>
#include <stdio.h>

/* Takes where a frame comes from; a text that is not understood is no error. */
void lines_tell(const char *origin);

/* The same of all remarks "# frame ..." in a text; returns whether there is one. */
bool lines_tell_all(const char *text);

/*
 * Finds the lines of all frames. If something stands in the way, the frames stay as they are in the log or report, and a
 * line says why, once for each kind of reason.
 */
void lines_find(void);

/*
 * The text of a site with lines where they are known: "f (a.c:3) < main+0x1c" for "f+0x9 < main+0x1c". Memory that stays.
 */
const char *lines_site(const char *site);

/* Writes a text, each frame in it with its line where that is known, and without the remarks "# frame". */
void lines_put(const char *text, bool html, FILE *f);

#endif
