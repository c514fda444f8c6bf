/* SPDX-License-Identifier: BSD-2-Clause */
/* ELF files, as far as preloading goes. They are read, never run. Contradictory parts of a file are left out. */
#ifndef PLEACH_ELFFILE_H
#define PLEACH_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>

enum elf_kind {
    ELF_NOT,     /* no ELF file */
    ELF_FOREIGN, /* of another kind of processor, or of programs of another word size */
    ELF_LIBRARY, /* a shared library, or an object file */
    ELF_STATIC,  /* a program that no loader sees: nothing can be preloaded */
    ELF_DYNAMIC  /* a program that its interpreter loads */
};

struct elf {
    enum elf_kind kind;
    const unsigned char *bytes; /* the file, which stays until elf_close() */
    size_t size;
};

/* What lies in memory already; not to be closed. */
void elf_of(struct elf *e, const void *bytes, size_t size);

/* False, and errno, if the file cannot be read. */
bool elf_open(struct elf *e, const char *path);
void elf_close(struct elf *e);

/* The loader of an ELF_DYNAMIC program. */
const char *elf_interpreter(const struct elf *e);

/*
 * Calls each(to, name, defined) for all symbols of a table: the one for the loader, or the one for debuggers, which strip(1)
 * removes. False if there is no such table.
 */
typedef void elf_symbol(void *to, const char *name, bool defined);
bool elf_dynamic_symbols(const struct elf *e, elf_symbol *each, void *to);
bool elf_debug_symbols(const struct elf *e, elf_symbol *each, void *to);

#endif
