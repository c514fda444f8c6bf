/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies between cores: several cores use the same memory in turn, and one of them writes it. Before a core can write a
 * cache line that other cores have read, those cores must drop the line. On some machines this takes far longer than to
 * fetch a line that another core has changed. One of these functions is then faster than memcpy(), by up to six times on a
 * virtual machine with two cores. src/agreement/segment_figures.c measures which function is the fastest.
 */
#pragma once

#include <stddef.h>

/*
 * For the core that writes: copies as memcpy() does, but past this core's caches (non-temporal stores). A later store with
 * release order publishes the bytes. For processors whose non-temporal stores copies.c does not know, this is memcpy().
 */
void copy_past_cache(void *to, const void *from, size_t bytes);

/*
 * For a core that reads: writes one byte of every 64 anew, with the value that it has. This counts as a change, so this core
 * then owns the byte's line. If `at` begins a line of 64 bytes, the core owns all lines. No other core may use these lines
 * meanwhile.
 */
void claim_lines(void *at, size_t bytes);

/* Copies as memcpy() does, and calls claim_lines() for the memory at `from`. */
void copy_and_claim(void *to, void *from, size_t bytes);
