/* SPDX-License-Identifier: BSD-2-Clause */
/* See ordinary.h. */
#include "ordinary.h"

#include "hot.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, STACK = 64 << 20 }; /* the kernel reserves more below the first stack's end */

/* 0 until ordinary_find(). */
static _Atomic uintptr_t data_begin, data_end;
static _Atomic uintptr_t heap_begin;
static _Atomic uintptr_t stack_end;

/* The C library's, or NULL. sbrk(0) may be another library's, and slow. */
extern void *__curbrk __attribute__((weak));

static uintptr_t get(const _Atomic uintptr_t *place)
{
    return atomic_load_explicit(place, memory_order_relaxed);
}

/* The first object, without a name; only its variables are writable. */
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

/* /proc/self/stat: field 28 ends the first stack, 47 begins the heap. */
static void note_heap_and_stack(void)
{
    char line[1024];
    FILE *f = fopen("/proc/self/stat", "re");
    const char *field = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
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
