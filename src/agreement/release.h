/* SPDX-License-Identifier: BSD-2-Clause */
/* Identifies this build of libpleach.so. Ranks with different builds cannot serve calls together. */
#pragma once

#include <stdint.h>

enum { VERSION_TEXT = 9 }; /* bytes of a version as text, with its NUL */

/* A hash of all that must be equal on ranks that exchange messages: wire protocol, release, engines, settings. */
uint64_t release_build(void);

/* The version: its first eight characters as a number, which is larger for a later version with equally many digits. */
uint64_t release_version(void);

/* Converts this number back into text. Returns `text`. */
const char *version_text(uint64_t version, char text[VERSION_TEXT]);
