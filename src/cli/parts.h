/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the other parts of this installation are. */
#ifndef PLEACH_PARTS_H
#define PLEACH_PARTS_H

#include "mpis.h"

#include <stdbool.h>

/* libpleach.so, and those for other interfaces of MPI; libpleach-others.so; pleach-mpi, and that for Open MPI. */
enum part { PART_LIBRARY, PART_OPEN_MPI, PART_STANDARD, PART_OTHERS, PART_HELPER, PART_OPEN_MPI_HELPER };

/* The library for a program of this MPI; PART_LIBRARY where none is known. */
enum part parts_for(enum mpi mpi);

/* The name of its file. */
const char *parts_name(enum part part);

/* Writes the path of a part, which has PATH_MAX characters at most; false if it is nowhere. */
bool parts_find(enum part part, char *path);

/* The same for a library that can be preloaded; ends the command with `status` where there is none. */
void parts_library(enum part part, int status, char *path);

#endif
