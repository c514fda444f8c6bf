/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of Python scripts, for call sites: what C calls of the interpreter's own functions tells nothing.
 *
 * Bindings release the interpreter's lock around MPI calls, so it is taken for a moment; but only where this thread is the
 * only one that Python knows, as then nobody holds it, and nobody can be kept waiting. So in programs with several threads
 * of Python there are no such frames. What is used of Python is in its public C interface since 3.9, and found at run time.
 */
#ifndef PLEACH_PYTHON_H
#define PLEACH_PYTHON_H

#include <stdbool.h>

/* Finds the interpreter that is in this process, if there is one. */
void python_open(void);

/* Does the code at this address belong to the interpreter? Cheap. */
bool python_runs(const void *address);

/*
 * Fills in the frames of this thread's script, innermost first, and returns how many: 0 if they cannot be had. They stand
 * among return addresses, but are none: each line from which a function is left is a frame of its own, for the life of the
 * process.
 */
int python_take(void *frame[], int most);

/* "solve (script.py:12)"; NULL: it is no such frame. */
const char *python_name(const void *frame);

#endif
