/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the other parts of this installation are. */
#ifndef PLEACH_PARTS_H
#define PLEACH_PARTS_H

#include <stdbool.h>

enum part { PART_LIBRARY, PART_OTHERS, PART_HELPER }; /* libpleach.so, libpleach-others.so, pleach-mpi */

/* Writes the path of a part, which has PATH_MAX characters at most; false if it is nowhere. */
bool parts_find(enum part part, char *path);

/* The same for a library that can be preloaded; ends the command with `status` where there is none. */
void parts_library(enum part part, int status, char *path);

#endif
