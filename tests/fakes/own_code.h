/* SPDX-License-Identifier: BSD-2-Clause */
/* For libraries to preload: where the code of Pleach's library lies. */
#pragma once

#include <link.h>
#include <stdint.h>
#include <string.h>

static uintptr_t begin, end; /* of the library's code; 0 before dl_iterate_phdr(find, NULL) */

static int find(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (!strstr(object->dlpi_name, "/libpleach")) /* or libpleach-ompi.so, libpleach-abi.so */
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && object->dlpi_phdr[i].p_flags & PF_X) {
            begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            end = begin + object->dlpi_phdr[i].p_memsz;
        }
    return 1;
}
