/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading ELF files: this program itself, changed copies of it, and files that contradict themselves. */
#include "suite.h"

#include "elffile.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

/* This program's file, in memory of exactly its size, so that sanitizers see a read beyond its end. */
static unsigned char *bytes;
static size_t size;
static ElfW(Ehdr) header;

static void load(void)
{
    FILE *file = fopen("/proc/self/exe", "r");
    ck_assert(file && fseek(file, 0, SEEK_END) == 0);
    size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size);
    ck_assert(bytes && fread(bytes, 1, size, file) == size);
    fclose(file);
    memcpy(&header, bytes, sizeof header);
}

/* What walk() has seen of the symbols. */
struct seen {
    int symbols;
    bool calls_mmap, has_main;
};

static void look(void *to, const char *name, bool defined)
{
    struct seen *s = to;
    s->symbols++;
    s->calls_mmap |= !defined && strcmp(name, "mmap") == 0;
    s->has_main |= defined && strcmp(name, "main") == 0;
}

/* Reads all that can be read of a file. */
static struct seen walk(const struct elf *e)
{
    struct seen s = {0};
    const char *interpreter = elf_interpreter(e);
    if (interpreter)
        s.symbols += (int)strlen(interpreter);
    elf_symbols(e, SHT_DYNSYM, look, &s);
    elf_symbols(e, SHT_SYMTAB, look, &s);
    return s;
}

static enum elf_type kind(void)
{
    struct elf e;
    elf_of(&e, bytes, size);
    walk(&e);
    return e.type;
}

START_TEST(a_program_has_a_loader_and_symbols)
{
    struct elf e;
    struct seen loader = {0}, debugger = {0};
    ck_assert(elf_open(&e, "/proc/self/exe"));
    ck_assert_int_eq(e.type, ELF_DYNAMIC);
    ck_assert_ptr_nonnull(strstr(elf_interpreter(&e), "/ld"));
    ck_assert(elf_symbols(&e, SHT_DYNSYM, look, &loader));
    ck_assert(loader.calls_mmap && !loader.has_main);
    if (elf_symbols(&e, SHT_SYMTAB, look, &debugger))
        ck_assert(debugger.has_main && debugger.symbols > loader.symbols);
    elf_close(&e);
}

START_TEST(kinds_are_told_apart)
{
    load();
    ck_assert_int_eq(kind(), ELF_DYNAMIC);
    header.e_machine++;
    memcpy(bytes, &header, sizeof header);
    ck_assert_int_eq(kind(), ELF_FOREIGN);
    header.e_machine--;
    header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    memcpy(bytes, &header, sizeof header);
    ck_assert_int_eq(kind(), ELF_FOREIGN);
    header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    memcpy(bytes, &header, sizeof header);
    for (int i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) *segment = (ElfW(Phdr) *)(bytes + header.e_phoff) + i;
        segment->p_type = segment->p_type == PT_INTERP ? PT_NULL : segment->p_type;
    }
    ck_assert_int_eq(kind(), ELF_STATIC);
    header.e_type = ET_REL;
    memcpy(bytes, &header, sizeof header);
    ck_assert_int_eq(kind(), ELF_LIBRARY);
    bytes[0] = '#';
    ck_assert_int_eq(kind(), ELF_NOT);
}

/* A name without a final null byte inside its table does not count. */
START_TEST(names_end)
{
    struct elf e;
    struct seen s = {0};
    load();
    ElfW(Shdr) *sections = (ElfW(Shdr) *)(bytes + header.e_shoff);
    for (int i = 0; i < header.e_shnum; i++) {
        ElfW(Shdr) *names = &sections[sections[i].sh_link];
        if (sections[i].sh_type != SHT_DYNSYM)
            continue;
        const char *text = (const char *)bytes + names->sh_offset;
        for (size_t at = 0; at + 6 <= names->sh_size; at++)
            if (memcmp(text + at, "\0mmap", 6) == 0)
                names->sh_size = at + 5;
    }
    elf_of(&e, bytes, size);
    ck_assert(elf_symbols(&e, SHT_DYNSYM, look, &s));
    ck_assert(!s.calls_mmap);
}

/* The C library defines mmap. A definition does not count as a call. */
START_TEST(a_definition_is_no_call)
{
    Dl_info info;
    struct elf e;
    struct seen s = {0};
    ck_assert(dladdr(dlsym(RTLD_NEXT, "mmap"), &info) && elf_open(&e, info.dli_fname)); /* the C library's file */
    ck_assert(elf_symbols(&e, SHT_DYNSYM, look, &s));
    ck_assert(!s.calls_mmap && s.symbols > 100);
    elf_close(&e);
}

START_TEST(files_of_other_formats)
{
    struct elf e;
    ck_assert(!elf_open(&e, "nosuch") && errno == ENOENT);
    ck_assert(!elf_open(&e, ".") && errno == EISDIR);
    ck_assert(!elf_open(&e, "/dev/null") && errno == EINVAL);
    write_file("empty", "", 0);
    write_file("text", "#!/bin/sh\n", 10);
    for (int i = 0; i < 2; i++) {
        ck_assert(elf_open(&e, i ? "text" : "empty"));
        ck_assert_int_eq(e.type, ELF_NOT);
        ck_assert_uint_eq(e.size, i ? 10 : 0);
        ck_assert_int_eq(walk(&e).symbols, 0);
        elf_close(&e);
    }
}

/* A file may end anywhere: no read goes beyond its end. */
START_TEST(any_part_of_a_file_can_be_read)
{
    struct elf e;
    load();
    for (size_t part = size, step; part > 0; part -= step) {
        step = part < 4096 || size - part < 4096 ? 1 : 1 + part / 64;
        unsigned char *copy = malloc(part);
        memcpy(copy, bytes, part);
        elf_of(&e, copy, part);
        walk(&e);
        free(copy);
    }
}

/* The test changes two numbers of the headers and tables at random. */
START_TEST(any_number_in_a_file_may_be_wrong)
{
    struct elf e;
    load();
    srand(1);
    for (int i = 0; i < 4000; i++) {
        static const size_t widths[] = {1, 2, 4, 8};
        unsigned char saved[2][8];
        size_t at[2], width[2];
        for (int k = 0; k < 2; k++) {
            size_t tables = size - header.e_shoff, from = rand() % 2 ? 0 : header.e_shoff;
            width[k] = widths[rand() % 4];
            at[k] = from + (size_t)rand() % ((from ? tables : 1024) - 8);
            memcpy(saved[k], bytes + at[k], 8);
            for (size_t b = 0; b < width[k]; b++)
                bytes[at[k] + b] = rand() % 3 ? (unsigned char)rand() : 0xff;
        }
        elf_of(&e, bytes, size);
        walk(&e);
        for (int k = 1; k >= 0; k--)
            memcpy(bytes + at[k], saved[k], 8);
    }
    ck_assert_int_eq(kind(), ELF_DYNAMIC);
}

SUITE("elffile", 30)
