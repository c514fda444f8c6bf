/* SPDX-License-Identifier: BSD-2-Clause */
/* Which libpleach.so this is: ranks with different ones cannot serve calls together. */
#ifndef PLEACH_RELEASE_H
#define PLEACH_RELEASE_H

#include <stdint.h>

enum { VERSION_TEXT = 9 }; /* bytes of a version as text, with its NUL */

/* A hash of all that messages rely on, so that ranks must have it alike: wire protocol, release, engines, settings. */
uint64_t release_build(void);

/* The release's version, its first eight characters as a number: later versions of as many digits are greater. */
uint64_t release_version(void);

/* That number as text again. Returns text. */
const char *version_text(uint64_t version, char text[VERSION_TEXT]);

#endif
