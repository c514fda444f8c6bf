/* SPDX-License-Identifier: BSD-2-Clause */
/* The libraries and programs of this command. */
#pragma once

#include "mpis.h"

#include <stdbool.h>

/* libpleach.so, its part for each interface of MPI, libpleach-others.so, pleach-mpi */
enum part { PART_LIBRARY, PART_MPICH, PART_OPEN_MPI, PART_STANDARD, PART_OTHERS, PART_HELPER };

/* The part for programs of this MPI, which is not MPI_OTHER. */
enum part parts_for(enum mpi mpi);

const char *parts_name(enum part part);

/* Is it a library to preload, of any Pleach from release 0.1 on? */
bool parts_is_library(const char *path);

/* Writes the path, of at most PATH_MAX characters. Returns false if the part is not installed. */
bool parts_find(enum part part, char *path);

/* The same; ends the command with `status` if the part is not installed or cannot be preloaded. */
void parts_library(enum part part, int status, char *path);
