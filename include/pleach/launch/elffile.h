/* SPDX-License-Identifier: BSD-2-Clause */
/* What preloading needs of ELF files. Runs none; ignores contradictory parts. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum elf_type {
    ELF_NOT,     /* no ELF file */
    ELF_FOREIGN, /* for another processor or word size */
    ELF_LIBRARY, /* or an object file */
    ELF_STATIC,  /* without a loader: nothing can be preloaded */
    ELF_DYNAMIC  /* with a loader */
};

struct elf {
    enum elf_type type;
    const unsigned char *bytes; /* the whole file, until elf_close() */
    size_t size;
};

/* Takes a file in memory; needs no elf_close(). */
void elf_of(struct elf *e, const void *bytes, size_t size);

/* Maps a file. False, with errno: it cannot be read. */
bool elf_open(struct elf *e, const char *path);
void elf_close(struct elf *e);

/* The path of the program's loader; NULL if it names none. */
const char *elf_interpreter(const struct elf *e);

/*
 * Calls each(to, name, defined) for all named symbols of SHT_DYNSYM, the loader's table, or SHT_SYMTAB, the debuggers',
 * which strip(1) removes. Returns false if there is no such table.
 */
typedef void elf_symbol(void *to, const char *name, bool defined);
bool elf_symbols(const struct elf *e, uint32_t type, elf_symbol *each, void *to);
