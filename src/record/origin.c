/* SPDX-License-Identifier: BSD-2-Clause */
/* See origin.h. */
#include "origin.h"

#include "buildid.h"
#include "utf8.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct origin_search {
    uintptr_t address;
    uintptr_t offset; /* address in memory less that in the file */
    const char *name; /* "": the program; NULL: not found */
    char id[BUILDID_TEXT];
};

static bool loaded(const struct dl_phdr_info *module, uintptr_t address, size_t size)
{
    bool here = false;
    for (int i = 0; i < module->dlpi_phnum && !here; i++) {
        const ElfW(Phdr) *p = &module->dlpi_phdr[i];
        uintptr_t into = address - module->dlpi_addr - p->p_vaddr;
        here = p->p_type == PT_LOAD && into < p->p_memsz && size <= p->p_memsz - into;
    }
    return here;
}

static int find_module(struct dl_phdr_info *module, size_t size, void *search)
{
    struct origin_search *s = search;
    (void)size;
    if (!loaded(module, s->address, 1))
        return 0;
    s->offset = module->dlpi_addr;
    s->name = module->dlpi_name;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &module->dlpi_phdr[i];
        if (p->p_type == PT_NOTE && loaded(module, module->dlpi_addr + p->p_vaddr, p->p_memsz))
            buildid_find((const char *)module->dlpi_addr + p->p_vaddr, p->p_memsz, s->id);
    }
    return 1;
}

int origin_text(const void *address, const char *name, char *text, int size)
{
    struct origin_search s = {.address = (uintptr_t)address, .id = "-"};
    int saved = errno;
    char *path = dl_iterate_phdr(find_module, &s) ? realpath(*s.name ? s.name : "/proc/self/exe", NULL) : NULL;
    errno = saved;
    if (!path)
        return 0;
    const int head = snprintf(text, (size_t)size, "0x%lx %s %s ", (unsigned long)(s.address - s.offset), s.id, name);
    const bool whole = head < size && utf8_escape(path, text + head, (size_t)(size - head));
    free(path);
    for (char *c = text; *c; c++)
        *c = *c == '\n' || *c == '\t' ? '?' : *c;
    return whole ? (int)strlen(text) : 0;
}
