/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload that counts pieces of the program's heap. heap_left() returns how many of those that Pleach's library
 * has asked for itself are not free.
 */
#include "own_code.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void __libc_free(void *memory);
int heap_left(void);

enum { MOST = 1 << 12 };

static void *kept[MOST];

static void *note(void *memory, void *caller)
{
    for (int i = 0; memory && is_own(caller) && i < MOST; i++)
        if (!kept[i]) {
            kept[i] = memory;
            break;
        }
    return memory;
}

static void forget(void *memory)
{
    for (int i = 0; memory && i < MOST; i++)
        if (kept[i] == memory)
            kept[i] = NULL;
}

void *malloc(size_t bytes)
{
    return note(__libc_malloc(bytes), __builtin_return_address(0));
}

void *calloc(size_t n, size_t bytes)
{
    return note(__libc_calloc(n, bytes), __builtin_return_address(0));
}

void *realloc(void *old, size_t bytes)
{
    forget(old);
    return note(__libc_realloc(old, bytes), __builtin_return_address(0));
}

void free(void *memory)
{
    forget(memory);
    __libc_free(memory);
}

int heap_left(void)
{
    int left = 0;
    for (int i = 0; i < MOST; i++)
        left += kept[i] != NULL;
    return left;
}
