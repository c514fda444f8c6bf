/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory in mappings of its own; see own_memory.h. A piece of memory has a size of 2^k bytes. Small pieces are cut from
 * chunks, and stay in lists when they are free. A large piece is a mapping; some of these stay, too.
 */
#include "own_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The piece number k has 2^k bytes. Chunks are larger than any small piece; pages that nobody has touched cost nothing. */
enum { LEAST = 6, SMALL = 15, MOST = 62, CHUNK = 1 << 18, STAY = 4 };

/* In front of the caller's memory. */
struct own_piece {
    _Alignas(16) struct own_piece *next; /* in the list of free pieces */
    int log;                             /* its number */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_piece *vacant[MOST + 1]; /* free pieces by number; large ones are all zeros behind their beginning */
static int large;                          /* free large pieces */
static char *chunk;
static size_t left; /* bytes of the chunk */

static char *map(size_t bytes)
{
    const int saved = errno; /* of the application */
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = saved;
    return memory == MAP_FAILED ? NULL : memory;
}

/* Makes a piece of zeros; NULL if memory is short. */
static struct own_piece *new_piece(int log)
{
    const size_t bytes = (size_t)1 << log;
    if (log > SMALL)
        return (struct own_piece *)(void *)map(bytes);
    if (left < bytes) {
        char *more = map(CHUNK);
        if (!more)
            return NULL;
        chunk = more;
        left = CHUNK;
    }
    left -= bytes;
    return (struct own_piece *)(void *)(chunk + left);
}

/* In builds with asserts, memory is also short where the heap is, as tests can make it. */
static int heap_gives(size_t bytes)
{
#ifndef NDEBUG
    void *some = malloc(bytes + 1);
    free(some);
    return some != NULL;
#else
    (void)bytes;
    return 1;
#endif
}

void *own_memory(size_t bytes)
{
    int log = LEAST;
    while (log <= MOST && (size_t)1 << log < bytes + sizeof(struct own_piece))
        log++;
    if (log > MOST || bytes > SIZE_MAX / 4 || !heap_gives(bytes))
        return NULL;
    pthread_mutex_lock(&lock);
    struct own_piece *p = vacant[log];
    const int again = p != NULL;
    if (p) {
        vacant[log] = p->next;
        large -= log > SMALL;
    } else
        p = new_piece(log);
    pthread_mutex_unlock(&lock);
    if (!p)
        return NULL;
    p->log = log;
    return again && log <= SMALL ? memset(p + 1, 0, bytes) : p + 1;
}

/* `zeros`: the memory is all zeros. */
static void give_back(void *memory, int zeros)
{
    if (!memory)
        return;
    struct own_piece *p = (struct own_piece *)memory - 1;
    const int log = p->log;
    const size_t bytes = (size_t)1 << log;
    const int saved = errno; /* of the application */
    zeros = log > SMALL && (zeros || madvise(p, bytes, MADV_DONTNEED) == 0);
    pthread_mutex_lock(&lock);
    const int stays = log <= SMALL || (zeros && large < STAY);
    if (stays) {
        large += log > SMALL;
        p->next = vacant[log];
        vacant[log] = p;
    }
    pthread_mutex_unlock(&lock);
    if (!stays)
        munmap(p, bytes);
    errno = saved;
}

void own_memory_free(void *memory)
{
    give_back(memory, 0);
}

void own_memory_free_zeros(void *memory)
{
    give_back(memory, 1);
}
