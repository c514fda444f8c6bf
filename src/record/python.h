/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames of Python scripts, instead of the interpreter's functions.
 *
 * Bindings release the interpreter's lock around MPI calls. python_capture() takes it for a moment, only if Python knows no
 * other thread: programs with several have no frames of scripts. For Python 3.9 and later.
 */
#pragma once

#include <stdbool.h>

void python_open(void);

/* Is the code at this address the interpreter's? Fast. */
bool python_runs(const void *address);

/* Takes this thread's frames, innermost first, valid for the process's life. Returns their number. */
int python_capture(void *frame[], int most);

/* A frame's name: "solve (script.py:12)"; NULL for a return address. */
const char *python_name(const void *frame);
