/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies of memory that several cores use in turn, one of them as the writer. A core that writes a line of the cache which
 * others have read has to make these drop it first. On some machines that takes far longer than to fetch a line that another
 * core has changed. There one of these functions is faster than memcpy(), by up to six times on a virtual machine with two
 * cores; src/agreement/segment_figures.c measures which.
 */
#ifndef PLEACH_COPIES_H
#define PLEACH_COPIES_H

#include <stddef.h>

/*
 * For a writer: copies as memcpy() does, but past this core's caches (non-temporal stores). A later store with release order
 * publishes the bytes. It is memcpy() where this file knows no such stores of the processor.
 */
void copy_past_cache(void *to, const void *from, size_t bytes);

/*
 * For a reader: writes a byte of each line anew, with the value that it has. So the line is changed, and this core has it.
 * Nobody else uses these lines meanwhile.
 */
void take_lines(void *at, size_t bytes);

/* Copies as memcpy() does, and takes the lines of `from`. */
void copy_and_take(void *to, void *from, size_t bytes);

#endif
