/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for what Pleach keeps for long. It lies in mappings of its own, so that the program's heap grows and shrinks as it
 * does without Pleach. For several threads.
 */
#pragma once

#include <stddef.h>

/* Returns so many bytes of zeros, aligned to 16 bytes; NULL if memory is short. */
void *own_memory(size_t bytes);

/* Gives back what own_memory() has returned. `memory` may be NULL. */
void own_memory_free(void *memory);

/* Does the same, but the caller has set the memory to zeros again. That is faster if little of it was in use. */
void own_memory_free_zeros(void *memory);
