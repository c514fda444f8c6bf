/* SPDX-License-Identifier: BSD-2-Clause */
/* The build-id of an ELF file. It differs between programs that were built from different sources, or in different ways. */
#ifndef PLEACH_BUILDID_H
#define PLEACH_BUILDID_H

#include <stdbool.h>
#include <stddef.h>

enum { BUILDID_TEXT = 2 * 64 + 1 }; /* hexadecimal digits; linkers make 40 of them */

/* Writes the build-id in the notes of a segment. False, with `id` unchanged, if there is none. */
bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT]);

/* Writes `count` bytes of a build-id, of which there is at least one, as digits; those that have no room are left out. */
void buildid_print(const void *bytes, size_t count, char id[BUILDID_TEXT]);

#endif
