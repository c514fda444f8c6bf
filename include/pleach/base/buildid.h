/* SPDX-License-Identifier: BSD-2-Clause */
/* The build-id of an ELF file, which differs between builds. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { BUILDID_TEXT = 2 * 64 + 1 }; /* hexadecimal digits, mostly 40, and a NUL */

/* Finds it in the notes of an ELF segment. Returns false, and leaves `id`, if there is none. */
bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT]);

/* Writes `count` >= 1 bytes as hexadecimal digits, as far as there is room. */
void buildid_print(const void *bytes, size_t count, char id[BUILDID_TEXT]);
