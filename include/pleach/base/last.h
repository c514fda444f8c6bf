/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/* Runs a function after exit() has done all else, destructors of all libraries included. Call it in a destructor. */
void run_last(void (*function)(void));
