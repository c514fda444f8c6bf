/* SPDX-License-Identifier: BSD-2-Clause */
/* For libraries to preload: the code of the part that serves the process (part.h). */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uintptr_t begin, end; /* of the code; 0 until the part is loaded */

static int find(struct dl_phdr_info *object, size_t size, void *unused)
{
    static const char *const parts[] = {"/libpleach-mpich.so", "/libpleach-openmpi.so", "/libpleach-abi.so"};
    bool is_part = false;
    (void)size;
    (void)unused;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        is_part |= strstr(object->dlpi_name, parts[i]) != NULL;
    for (int i = 0; is_part && i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && object->dlpi_phdr[i].p_flags & PF_X) {
            begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            end = begin + object->dlpi_phdr[i].p_memsz;
        }
    return is_part;
}

static bool is_own(const void *address)
{
    if (!end)
        dl_iterate_phdr(find, NULL);
    return (uintptr_t)address >= begin && (uintptr_t)address < end;
}
