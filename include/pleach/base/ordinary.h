/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordinary memory: the program's variables, the heap by brk(), the first thread's stack. No device has memory there. Short
 * messages mostly lie there; long ones, which malloc() maps, do not.
 */
#pragma once

#include <stdbool.h>

/* Finds where it is. One thread at a time. Leaves errno alone. */
void ordinary_find(void);

/*
 * Is it in ordinary memory, or in the empty first page? False if unknown: another thread's stack, or before ordinary_find().
 * Cheap, without lock.
 */
bool ordinary_memory(const void *address);
