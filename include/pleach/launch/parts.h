/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the libraries and programs that belong to this command. */
#pragma once

#include "mpis.h"

#include <stdbool.h>

/* libpleach.so, what it opens for each interface of MPI, libpleach-others.so, pleach-mpi */
enum part { PART_LIBRARY, PART_MPICH, PART_OPEN_MPI, PART_STANDARD, PART_OTHERS, PART_HELPER };

/* The part of libpleach.so for programs of this MPI, which is not MPI_OTHER. */
enum part parts_for(enum mpi mpi);

/* The name of a part's file. */
const char *parts_name(enum part part);

/* Has this file the name of a library to preload, of this or another Pleach, which may be release 0.1? */
bool parts_is_library(const char *path);

/* Writes the path of a part, of at most PATH_MAX characters; false if the part is not installed. */
bool parts_find(enum part part, char *path);

/*
 * Writes the path of a library; ends the command with `status` if it is not installed, or if its path cannot be preloaded.
 */
void parts_library(enum part part, int status, char *path);
