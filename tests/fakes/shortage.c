/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload, by which a rank runs out of memory at a chosen moment. It counts the requests for memory that Pleach
 * makes itself or through functions of the C library. When the rank ends, it writes "shortage: N of M requests" to standard
 * error: N of M requests failed. If SHORTAGE is not set or 0, it also writes "shortage: try N..", a list of requests that
 * are worth a try: the first and the last one from each call stack inside Pleach's library.
 *
 *     SHORTAGE=N        request N, from 1 on, fails
 *     SHORTAGE=N+       request N and all later ones fail
 *     SHORTAGE_RANK=R   the rank of MPI_COMM_WORLD whose requests count
 */
#include "own_code.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static long first;  /* the request that fails; 0: none */
static bool all;    /* do all later requests fail, too? */
static bool active; /* this rank's requests count */
static _Atomic long requests, refused;

enum { STACKS = 1024, FRAMES = 24 };

static struct stack {
    uint64_t hash; /* of its addresses; 0: unused */
    long first, last;
} stacks[STACKS];
static _Thread_local bool unwinds; /* do not count requests while backtrace() runs */

__attribute__((constructor)) static void prepare(void)
{
    const char *rank = getenv("PMI_RANK"), *short_of = getenv("SHORTAGE_RANK"), *which = getenv("SHORTAGE");
    if (!rank)
        rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank || !short_of || strcmp(rank, short_of) != 0)
        return;
    first = which ? atol(which) : 0;
    all = which && strchr(which, '+');
    if (!first) {
        void *frame[FRAMES];
        backtrace(frame, FRAMES); /* the first call loads a library */
    }
    active = true;
}

/* Notes the call stack of a request. Two threads at once may lose a stack: another run will see it. */
static void note(long number)
{
    void *frame[FRAMES];
    uint64_t hash = 1;
    unwinds = true;
    for (int i = 0, depth = backtrace(frame, FRAMES); i < depth; i++)
        if (is_own(frame[i]))
            hash = (hash ^ (uintptr_t)frame[i]) * 0x9e3779b97f4a7c15u;
    unwinds = false;
    for (int i = 0; i < STACKS; i++) {
        struct stack *s = &stacks[(hash + (unsigned)i) % STACKS];
        if (s->hash && s->hash != hash)
            continue;
        if (!s->hash)
            s->first = number;
        s->hash = hash;
        s->last = number;
        return;
    }
}

__attribute__((destructor)) static void tell(void)
{
    if (!begin)
        return;
    fprintf(stderr, "shortage: %ld of %ld requests\n", (long)refused, (long)requests);
    if (first)
        return;
    char text[16 * 1024];
    int used = snprintf(text, sizeof text, "shortage: try");
    for (int i = 0; i < STACKS; i++)
        for (int last = 0; stacks[i].hash && last <= (stacks[i].first < stacks[i].last); last++)
            used += snprintf(text + used, sizeof text - (size_t)used, " %ld", last ? stacks[i].last : stacks[i].first);
    fprintf(stderr, "%s\n", text);
}

static bool refuse(void *caller)
{
    if (!active || unwinds || !is_own(caller))
        return false;
    const long number = ++requests;
    if (!first)
        note(number);
    if (!first || !(all ? number >= first : number == first))
        return false;
    refused++;
    errno = ENOMEM;
    return true;
}

#define REFUSE refuse(__builtin_return_address(0))

void *malloc(size_t bytes)
{
    return REFUSE ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
    return REFUSE ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return REFUSE ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return REFUSE ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **result, size_t alignment, size_t bytes)
{
    return REFUSE || !(*result = __libc_memalign(alignment, bytes)) ? ENOMEM : 0;
}

#define REAL(name)                                                                                                          \
    static __typeof__(&name) real;                                                                                          \
    if (!real)                                                                                                              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

char *strdup(const char *text)
{
    REAL(strdup);
    return REFUSE ? NULL : real(text);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    return REFUSE ? NULL : real(path, mode);
}

FILE *open_memstream(char **text, size_t *size)
{
    REAL(open_memstream);
    return REFUSE ? NULL : real(text, size);
}

char *getcwd(char *buffer, size_t size)
{
    REAL(getcwd);
    return !buffer && REFUSE ? NULL : real(buffer, size);
}
