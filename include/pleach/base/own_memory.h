/* SPDX-License-Identifier: BSD-2-Clause */
/* What Pleach keeps for long lies in mappings of its own, so that the program's heap is as without Pleach. Thread-safe. */
#pragma once

#include <stddef.h>

/* Returns zeros, aligned to 16 bytes; NULL if memory is short. */
void *own_memory(size_t bytes);

/* `memory` may be NULL. */
void own_memory_free(void *memory);

/* The caller has set the memory to zeros again: faster if little was in use. */
void own_memory_free_zeros(void *memory);
