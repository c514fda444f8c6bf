/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of Python scripts, for call sites: the interpreter's own C functions tell nothing.
 *
 * Bindings release the interpreter's lock around MPI calls, so python_take() takes it for a moment. It does so only if
 * Python knows no other thread: then no thread holds the lock or waits for it. So programs with several threads of Python
 * have no such frames. All functions used are in Python's public C interface since 3.9, and found at run time.
 */
#ifndef PLEACH_PYTHON_H
#define PLEACH_PYTHON_H

#include <stdbool.h>

/* Finds the interpreter that is in this process, if there is one. */
void python_open(void);

/* Does the code at this address belong to the interpreter? Cheap. */
bool python_runs(const void *address);

/*
 * Fills in the frames of this thread's script, innermost first, and returns their number; 0: there is no way to get them.
 * They stand among return addresses, but are none: each line that calls a function is a frame of its own, for the life of
 * the process.
 */
int python_take(void *frame[], int most);

/* "solve (script.py:12)"; NULL: it is no such frame. */
const char *python_name(const void *frame);

#endif
