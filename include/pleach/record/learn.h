/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file that PLEACH_LEARN names: what this run has learned, as rules. Rank 0 of MPI_COMM_WORLD alone writes it.
 *
 * The file is replaced in one step at each lesson: there are few, and however the program ends, it has them all. What an
 * earlier run has left there stays, but for the kinds of calls that are learned anew. A file that Pleach has not written, or
 * that somebody has changed since, is never replaced. What fails costs one line on standard error and nothing else. No
 * function here changes errno.
 */
#ifndef PLEACH_LEARN_H
#define PLEACH_LEARN_H

#include "lessons.h"

/* Says once in the life of the process where lessons go; `file` as in settings: "" and "off" are no file. */
void learn_open(const char *file);

/* Keeps a lesson. Does nothing without a file, or in a child that fork() made. */
void learn_add(const struct lesson *lesson);

#endif
