/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of source for call sites, found in debug information after the program has ended (codefile.h). Logs and rank reports
 * have the origins of their sites' frames; see origin.h in src/record.
 */
#pragma once

#include "job.h"

/* Takes the origin of a frame. Ignores a text that is no origin. */
void lines_tell(const char *origin);

/*
 * Finds the lines of the frames that came since the last call. A frame whose line is not found stays as it is in the log or
 * report. A message says why, once for each reason. If some lines are found, no message says that other files have no debug
 * information.
 */
void lines_find(void);

/*
 * The text of a site with lines where they are known: "f (a.c:3) < main+0x1c" for "f+0x9 < main+0x1c". It stays as
 * it is for as long as the command runs.
 */
const char *lines_site(const char *site);

/* Takes the origins of a job's frames, finds their lines, and sets `source` of its sites. */
void lines_show(const struct job *j);
