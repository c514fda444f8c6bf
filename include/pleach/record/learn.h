/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file that PLEACH_LEARN names: the lessons of this run, as rules. Rank 0 of MPI_COMM_WORLD alone writes it.
 *
 * Each lesson replaces the file in one step: lessons are few, and the file has them all, however the program ends. Lessons
 * of an earlier run stay, but for the kinds that are learned again. A file that Pleach has not written, or that was edited
 * since, is never replaced. A failure costs one line on standard error and nothing else. No function here changes errno.
 */
#ifndef PLEACH_LEARN_H
#define PLEACH_LEARN_H

#include "lessons.h"

/* Sets the file, once in the life of the process. As in settings, "" and "off" mean no file. */
void learn_open(const char *file);

/* Keeps a lesson. Does nothing without a file, or in a child that fork() made. */
void learn_add(const struct lesson *lesson);

#endif
