/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PLEACH_LAST_H
#define PLEACH_LAST_H

/*
 * Runs a function of no arguments when exit() has done all else: handlers, and destructors of all libraries, in which a
 * program may make calls and end MPI. Call it in a destructor.
 */
void run_last(void (*function)(void));

#endif
