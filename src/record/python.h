/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of Python scripts, for call sites: the interpreter's own C functions would say nothing about the script.
 *
 * Bindings release the interpreter's lock around MPI calls, so python_capture() takes the lock for a moment. It does so
 * only if
 * Python knows no other thread: then no thread holds the lock or waits for it. Programs with several Python threads have no
 * frames of scripts. Pleach calls functions that Python's public C interface has from release 3.9 on; python_open() finds
 * them at run time.
 */
#pragma once

#include <stdbool.h>

/* Finds the interpreter in this process, if there is one. */
void python_open(void);

/* Does the code at this address belong to the interpreter? Fast enough for every frame of a call. */
bool python_runs(const void *address);

/*
 * Fills in the frames of this thread's script, innermost first, and returns their number; 0 if it cannot get them. A frame
 * stands among return addresses, but points to a line of the script that calls a function. It stays valid for the life of
 * the process.
 */
int python_capture(void *frame[], int most);

/* The name of a frame that python_capture() gave, "solve (script.py:12)"; NULL for a return address. */
const char *python_name(const void *frame);
