/* SPDX-License-Identifier: BSD-2-Clause */
/* See buildid.h. */
#include "buildid.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

void buildid_print(const void *bytes, size_t count, char id[BUILDID_TEXT])
{
    for (size_t i = 0; i < count && i < BUILDID_TEXT / 2; i++)
        snprintf(id + 2 * i, 3, "%02x", ((const unsigned char *)bytes)[i]);
}

bool buildid_find(const void *notes, size_t size, char id[BUILDID_TEXT])
{
    const char *at = notes;
    ElfW(Nhdr) note;
    while (size >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const size_t name = padded(note.n_namesz), bytes = note.n_descsz, all = sizeof note + name + padded(bytes);
        if (all > size)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0 && bytes > 0 &&
            bytes <= BUILDID_TEXT / 2) {
            buildid_print(at + sizeof note + name, bytes, id);
            return true;
        }
        at += all;
        size -= all;
    }
    return false;
}
