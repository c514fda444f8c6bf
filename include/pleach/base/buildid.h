/* SPDX-License-Identifier: BSD-2-Clause */
/* The build-id of an ELF file: programs that were built from other sources, or in another way, have others. */
#ifndef PLEACH_BUILDID_H
#define PLEACH_BUILDID_H

#include <stdbool.h>
#include <stddef.h>

enum { BUILDID_TEXT = 2 * 64 + 1 }; /* hexadecimal digits; linkers make 40 of them */

/* Writes the build-id that is among the notes of a segment; false, with `id` as it was, if there is none. */
bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT]);

/* The build-id of a file, or "-" if it has none. False: it cannot be read, or is no ELF file of this machine. */
bool buildid_file(const char *path, char id[BUILDID_TEXT]);

#endif
