/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/*
 * Runs a function of no arguments when exit() has done all else: handlers, and destructors of all libraries, in which a
 * program may make calls and end MPI. Call it in a destructor.
 */
void run_last(void (*function)(void));
