/* SPDX-License-Identifier: BSD-2-Clause */
/* This build of libpleach.so. Ranks of different builds cannot serve calls together. */
#pragma once

#include <stdint.h>

enum { VERSION_TEXT = 9 }; /* bytes, with its NUL */

/* A hash of what must be equal on ranks that exchange messages: wire protocol, release, engines, settings. */
uint64_t release_build(void);

/*
 * The version's first eight characters as a number; of two versions with equally many digits, the later has the larger
 * number.
 */
uint64_t release_version(void);

/* Turns this number into text again. Returns `text`. */
const char *version_text(uint64_t version, char text[VERSION_TEXT]);
