/* SPDX-License-Identifier: BSD-2-Clause */
/* Build-ids; see buildid.h. */
#include "buildid.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

enum { NOTES = 1 << 16 }; /* bytes of notes that are looked at */

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
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
            for (size_t i = 0; i < bytes; i++)
                snprintf(id + 2 * i, 3, "%02x", (unsigned char)at[sizeof note + name + i]);
            return true;
        }
        at += all;
        size -= all;
    }
    return false;
}

/* Reads from a place of a file. */
static bool read_at(FILE *f, ElfW(Off) where, void *data, size_t size)
{
    return where < INT64_MAX && fseeko(f, (off_t)where, SEEK_SET) == 0 && fread(data, size, 1, f) == 1;
}

bool buildid_file(const char *path, char id[BUILDID_TEXT])
{
    static const unsigned char kind = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    char notes[NOTES];
    ElfW(Ehdr) head;
    ElfW(Phdr) segment;
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    bool elf = read_at(f, 0, &head, sizeof head) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
               head.e_ident[EI_CLASS] == kind && head.e_phentsize == sizeof segment;
    bool found = false;
    strcpy(id, "-");
    for (int i = 0; elf && i < head.e_phnum && !found; i++) {
        elf = read_at(f, head.e_phoff + (size_t)i * sizeof segment, &segment, sizeof segment);
        found = elf && segment.p_type == PT_NOTE && segment.p_filesz > 0 && segment.p_filesz <= NOTES &&
                read_at(f, segment.p_offset, notes, segment.p_filesz) && buildid_find(notes, segment.p_filesz, id);
    }
    fclose(f);
    return elf;
}
