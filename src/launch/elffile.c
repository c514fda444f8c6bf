/* SPDX-License-Identifier: BSD-2-Clause */
/* See elffile.h and elf(5). Reads copies of headers, which may be unaligned. */
#include "elffile.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) header;
typedef ElfW(Phdr) segment;
typedef ElfW(Shdr) section;
typedef ElfW(Dyn) entry;
typedef ElfW(Sym) symbol;

extern const header __ehdr_start __attribute__((visibility("hidden")));

static bool copy(const struct elf *e, uint64_t offset, void *to, size_t size)
{
    if (offset > e->size || size > e->size - offset)
        return false;
    memcpy(to, e->bytes + offset, size);
    return true;
}

/* At `index` in a table of `size` bytes at `offset`. NULL: no end in the table. */
static const char *text_at(const struct elf *e, uint64_t offset, uint64_t size, uint64_t index)
{
    if (offset > e->size || size > e->size - offset || index >= size)
        return NULL;
    const char *text = (const char *)e->bytes + offset + index;
    return memchr(text, 0, size - index) ? text : NULL;
}

static header header_of(const struct elf *e)
{
    header h = {0};
    copy(e, 0, &h, sizeof h);
    return h;
}

static bool segment_find(const struct elf *e, uint32_t type, segment *s)
{
    const header h = header_of(e);
    for (int i = 0; i < h.e_phnum; i++)
        if (copy(e, h.e_phoff + (uint64_t)i * h.e_phentsize, s, sizeof *s) && s->p_type == type)
            return true;
    return false;
}

static bool section_at(const struct elf *e, uint32_t i, section *s)
{
    const header h = header_of(e);
    return i < h.e_shnum && copy(e, h.e_shoff + (uint64_t)i * h.e_shentsize, s, sizeof *s);
}

static bool section_find(const struct elf *e, uint32_t type, section *s)
{
    for (uint32_t i = 0; section_at(e, i, s); i++)
        if (s->sh_type == type)
            return true;
    return false;
}

static bool is_pie(const struct elf *e)
{
    segment dynamic;
    entry d;
    if (!segment_find(e, PT_DYNAMIC, &dynamic))
        return false;
    for (uint64_t at = 0; at < dynamic.p_filesz && copy(e, dynamic.p_offset + at, &d, sizeof d); at += sizeof d)
        if (d.d_tag == DT_FLAGS_1)
            return d.d_un.d_val & DF_1_PIE;
    return false;
}

static enum elf_type kind_of(const struct elf *e)
{
    const header h = header_of(e);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0)
        return ELF_NOT;
    if (h.e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS] || h.e_ident[EI_DATA] != __ehdr_start.e_ident[EI_DATA] ||
        h.e_machine != __ehdr_start.e_machine)
        return ELF_FOREIGN;
    if (elf_interpreter(e))
        return ELF_DYNAMIC;
    return h.e_type == ET_EXEC || (h.e_type == ET_DYN && is_pie(e)) ? ELF_STATIC : ELF_LIBRARY;
}

void elf_of(struct elf *e, const void *bytes, size_t size)
{
    *e = (struct elf){.bytes = bytes, .size = size};
    e->type = kind_of(e);
}

bool elf_open(struct elf *e, const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool good = fd >= 0 && fstat(fd, &status) == 0;
    *e = (struct elf){.bytes = (const unsigned char *)""};
    if (good && !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        good = false;
    }
    if (good && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        good = bytes != MAP_FAILED;
        if (good)
            *e = (struct elf){.bytes = bytes, .size = (size_t)status.st_size};
    }
    int saved = errno;
    if (fd >= 0)
        close(fd);
    errno = saved;
    elf_of(e, e->bytes, e->size);
    return good;
}

void elf_close(struct elf *e)
{
    if (e->size > 0)
        munmap((void *)e->bytes, e->size);
    *e = (struct elf){0};
}

const char *elf_interpreter(const struct elf *e)
{
    segment s;
    return segment_find(e, PT_INTERP, &s) ? text_at(e, s.p_offset, s.p_filesz, 0) : NULL;
}

bool elf_symbols(const struct elf *e, uint32_t type, elf_symbol *each, void *to)
{
    section table, names;
    symbol s;
    if (e->type < ELF_LIBRARY || !section_find(e, type, &table) || !section_at(e, table.sh_link, &names))
        return false;
    for (uint64_t at = sizeof s; at < table.sh_size && copy(e, table.sh_offset + at, &s, sizeof s); at += sizeof s) {
        const char *name = text_at(e, names.sh_offset, names.sh_size, s.st_name);
        if (name && *name)
            each(to, name, s.st_shndx != SHN_UNDEF);
    }
    return true;
}
