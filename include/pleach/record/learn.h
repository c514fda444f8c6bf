/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file that PLEACH_LEARN names: the lessons of this run, as rules. Rank 0 of MPI_COMM_WORLD alone writes it.
 *
 * Each lesson replaces the file in one step: lessons are few, and the file has them all, however the program ends. The
 * lessons of an earlier run stay, unless this run learns the same kind again. Pleach never replaces a file that it has not
 * written, or that was edited since. After a failure, a line on standard error says so, and the program runs on. No function
 * here changes errno.
 */
#ifndef PLEACH_LEARN_H
#define PLEACH_LEARN_H

#include "lessons.h"

/* Sets the file; only the first call in a process counts. "" and "off" mean no file, as in settings. */
void learn_open(const char *file);

/* Keeps a lesson. Does nothing without a file, or in a child that fork() made. */
void learn_add(const struct lesson *lesson);

#endif
