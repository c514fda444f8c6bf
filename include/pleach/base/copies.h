/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies between cores that use the same memory in turn. On some machines it takes long to write a cache line that other
 * cores have read; then one of these functions beats memcpy(). src/agreement/segment_figures.c measures which.
 */
#pragma once

#include <stddef.h>

/*
 * For the core that writes: copies past its caches (non-temporal stores), where copies.c knows how. A later store with
 * release order publishes the bytes.
 */
void copy_past_cache(void *to, const void *from, size_t bytes);

/*
 * For a core that reads: writes a byte of every 64 anew, so that this core owns its line; all lines if `at` begins one. No
 * other core may use these lines meanwhile.
 */
void claim_lines(void *at, size_t bytes);

/* Does memcpy(), and claim_lines() for `from`. */
void copy_and_claim(void *to, void *from, size_t bytes);
