/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rank 0 of MPI_COMM_WORLD writes the file that PLEACH_LEARN names: the lessons of this run (lessons.h), as rules.
 *
 * Each new lesson replaces the file in one step, so the file is complete however the program ends. This costs little, as
 * lessons are few. The lessons of an earlier run stay, unless this run learns the same kind again. Pleach never replaces a
 * file that it has not written, or that was edited since. A line on standard error reports the first failure, and the
 * program runs on. No function here changes errno.
 */
#pragma once

#include "lessons.h"

/* Sets the file; only the first file in a process counts. */
void learn_open(const char *file);

/* Adds a lesson to the file. Does nothing without a file, or in a child that fork() made. */
void learn_add(const struct lesson *lesson);
