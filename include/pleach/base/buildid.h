/* SPDX-License-Identifier: BSD-2-Clause */
/* The build-id of an ELF file. It differs between programs that were built from different sources, or in different ways. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { BUILDID_TEXT = 2 * 64 + 1 }; /* bytes: the hexadecimal digits, of which linkers make 40, and a NUL */

/* Writes the build-id among the notes of an ELF segment to `id`. Returns false and leaves `id` alone if there is none. */
bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT]);

/* Writes the `count` >= 1 bytes of a build-id as hexadecimal digits. Leaves out the bytes for which `id` has no room. */
void buildid_print(const void *bytes, size_t count, char id[BUILDID_TEXT]);
