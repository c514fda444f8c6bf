/* SPDX-License-Identifier: BSD-2-Clause */
/* The build-id of an ELF file. It differs between programs that were built from different sources, or in different ways. */
#ifndef PLEACH_BUILDID_H
#define PLEACH_BUILDID_H

#include <stdbool.h>
#include <stddef.h>

enum { BUILDID_TEXT = 2 * 64 + 1 }; /* hexadecimal digits; linkers make 40 of them */

/* Writes the build-id in the notes of a segment. False, with `id` unchanged, if there is none. */
bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT]);

/* Writes the build-id of a file, or "-" if it has none. False: it cannot be read, or is no ELF file of this machine. */
bool buildid_file(const char *path, char id[BUILDID_TEXT]);

#endif
