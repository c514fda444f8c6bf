/* SPDX-License-Identifier: BSD-2-Clause */
/* Ordinary memory; see ordinary.h. */
#include "ordinary.h"

#include "hot.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, STACK = 64 << 20 }; /* bytes; the kernel reserves more than 64 MiB below the first stack's end */

/* These addresses are 0 until they are known. ordinary_find() alone writes them. */
static _Atomic uintptr_t data_begin, data_end; /* the program's variables */
static _Atomic uintptr_t heap_begin;           /* the heap ends at the break */
static _Atomic uintptr_t stack_end;            /* of the first thread; the stack begins at the current frame */

/*
 * The C library's variable for the break. sbrk(0) would be slow if another library replaces it. The address is NULL if the C
 * library has no such variable.
 */
extern void *__curbrk __attribute__((weak));

static uintptr_t get(const _Atomic uintptr_t *place)
{
    return atomic_load_explicit(place, memory_order_relaxed);
}

/* The first object is the program, which has no name. Only the segment with its variables is writable. */
static int note_program(struct dl_phdr_info *program, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < program->dlpi_phnum && !*program->dlpi_name; i++) {
        const __typeof__(*program->dlpi_phdr) *h = &program->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && h->p_flags & PF_W) {
            data_end = program->dlpi_addr + h->p_vaddr + h->p_memsz;
            data_begin = program->dlpi_addr + h->p_vaddr;
        }
    }
    return 1;
}

/* Field 28 of /proc/self/stat is the end of the first stack, field 47 the beginning of the heap. */
static void note_heap_and_stack(void)
{
    char line[1024];
    FILE *f = fopen("/proc/self/stat", "re");
    const char *field = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL; /* field 2 may have blanks in it */
    for (int i = 3; i <= 47 && field; i++) {
        field = strchr(field + 1, ' ');
        if (field && i == 28)
            stack_end = strtoull(field, NULL, 10);
        if (field && i == 47)
            heap_begin = strtoull(field, NULL, 10);
    }
    if (f)
        fclose(f);
}

void ordinary_find(void)
{
    const int before = errno;
    dl_iterate_phdr(note_program, NULL);
    note_heap_and_stack();
    errno = before;
}

HOT bool ordinary_memory(const void *address)
{
    const uintptr_t a = (uintptr_t)address, frame = (uintptr_t)__builtin_frame_address(0);
    const uintptr_t stack = get(&stack_end), heap = get(&heap_begin), data = get(&data_begin);
    return a < PAGE || (a >= frame && a < stack && stack - frame < STACK) || (data && a >= data && a < get(&data_end)) ||
           (heap && &__curbrk && a >= heap && a < (uintptr_t)__curbrk);
}
