/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the parts of ELF files on which preloading depends. Runs no file, and ignores contradictory parts. */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum elf_type {
    ELF_NOT,     /* no ELF file */
    ELF_FOREIGN, /* for another kind of processor, or of another word size */
    ELF_LIBRARY, /* a shared library, or an object file */
    ELF_STATIC,  /* a program without a loader: nothing can be preloaded */
    ELF_DYNAMIC  /* a program with a loader */
};

struct elf {
    enum elf_type type;
    const unsigned char *bytes; /* the whole file; valid until elf_close() */
    size_t size;
};

/* Takes a file that is in memory; needs no elf_close(). */
void elf_of(struct elf *e, const void *bytes, size_t size);

/* Maps a file; false, with errno, if it cannot be read. */
bool elf_open(struct elf *e, const char *path);
void elf_close(struct elf *e);

/* The path of the loader that a program names; NULL if it names none. */
const char *elf_interpreter(const struct elf *e);

/*
 * Calls each(to, name, defined) for all named symbols of the table of this type: SHT_DYNSYM, the loader's table, or
 * SHT_SYMTAB, the one for debuggers, which strip(1) removes. False if the file has no such table.
 */
typedef void elf_symbol(void *to, const char *name, bool defined);
bool elf_symbols(const struct elf *e, uint32_t type, elf_symbol *each, void *to);
