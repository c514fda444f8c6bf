/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ordinary memory: the program's variables, the heap that grows by brk(), and the first thread's stack. The kernel keeps
 * these addresses for the process, so no device has memory there. Short messages lie there as a rule; long ones, which
 * malloc() maps, do not.
 */
#pragma once

#include <stdbool.h>

/* Finds where ordinary memory is. Only one thread at a time may call this function. Leaves errno alone. */
void ordinary_find(void);

/*
 * Is the address now in ordinary memory, or in the first page, where nothing is? The result is also false if this is not
 * known: on the stack of another thread, or before ordinary_find(). The function is cheap and takes no lock. Each call looks
 * anew how far the heap and the stack reach.
 */
bool ordinary_memory(const void *address);
