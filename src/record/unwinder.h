/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The unwinder of the stack: libunwind, which is opened at run time. A build without libunwind has no_unwinder.c, with which
 * no stack is unwound.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the unwinder, for good. If that fails, a line on standard error says so. */
bool unwinder_open(void);

/* Fills in return addresses, innermost first, and returns their number. NULL: there is no unwinder. */
extern int (*unwinder_frames)(void **frames, int size);

/* Writes the name of the function that contains ip, and how far behind its start ip lies. False if it is not known. */
bool unwinder_name(uintptr_t ip, char *name, size_t size, uintptr_t *offset);

/*
 * Calls each(to, ip, stack) for at most `most` frames outwards, until it returns false: a return address, and the stack
 * pointer after the return. One caller at a time.
 */
void unwinder_walk(int most, bool (*each)(void *to, void *ip, void *const *stack), void *to);
