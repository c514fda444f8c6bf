/* SPDX-License-Identifier: BSD-2-Clause */
/* libunwind, opened at run time. no_unwinder.c is for builds without it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens it, for good. If that fails, a line says so. */
bool unwinder_open(void);

/* Takes return addresses, innermost first, and returns their number. NULL: no unwinder. */
extern int (*unwinder_frames)(void **frames, int size);

/* Names the function with ip, and how far behind its start; false: unknown. */
bool unwinder_name(uintptr_t ip, char *name, size_t size, uintptr_t *offset);

/* Calls each() for return addresses and the stack pointers after, at most `most`, until false. One caller at a time. */
void unwinder_walk(int most, bool (*each)(void *to, void *ip, void *const *stack), void *to);
