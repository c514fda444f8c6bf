/* SPDX-License-Identifier: BSD-2-Clause */
/* See release.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "release.h"

#include "engine.h"
#include "hash.h"
#include "settings.h"

#include <string.h>

/*
 * Raise WIRE_PROTOCOL (engine.h) with a change of messages, schedules, cuts, or of what all ranks compute alike, unless the
 * registry or the list of settings shows it. volatile: trust.sh changes the text in the library.
 */
static const char *const volatile release_line = "wire protocol " WIRE_PROTOCOL " of release " PACKAGE_VERSION;

uint64_t release_build(void)
{
    uint64_t hash = hash_add(COLLECTIVES, hash_text(release_line));
    for (int i = 0; engines[i]; i++)
        hash = engine_hash(hash, engines[i]);
    for (int i = 0; i < setting_count; i++) {
        hash = hash_add(hash, hash_text(setting_list[i].name));
        hash = hash_add(hash, (uint64_t)setting_list[i].agreed << 1 | (uint64_t)setting_list[i].per_collective);
    }
    return hash;
}

uint64_t release_version(void)
{
    const char *text = strrchr(release_line, ' ') + 1;
    uint64_t version = 0;
    for (int i = 0; i < VERSION_TEXT - 1; i++)
        version = version << 8 | (unsigned char)(*text ? *text++ : 0);
    return version;
}

const char *version_text(uint64_t version, char text[VERSION_TEXT])
{
    for (int i = VERSION_TEXT - 2; i >= 0; i--, version >>= 8)
        text[i] = (char)(version & 0xff);
    text[VERSION_TEXT - 1] = 0;
    return text;
}
