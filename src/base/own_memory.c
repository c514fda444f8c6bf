/* SPDX-License-Identifier: BSD-2-Clause */
/* Pieces have 2^k bytes. Small ones are cut from chunks, and stay in lists. Large ones are mappings, of which some stay. */
#include "own_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Piece k has 2^k bytes. Untouched pages of a chunk cost nothing. */
enum { LEAST = 6, SMALL = 15, MOST = 62, CHUNK = 1 << 18, STAY = 4 };

struct own_piece {
    _Alignas(16) struct own_piece *next;
    int log;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct own_piece *vacant[MOST + 1]; /* by number; large ones are zeros behind this head */
static int large;
static char *chunk;
static size_t left;

static char *map(size_t bytes)
{
    const int saved = errno;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = saved;
    return memory == MAP_FAILED ? NULL : memory;
}

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

/* With asserts, memory is short where the heap is: for tests. */
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

static void give_back(void *memory, int zeros)
{
    if (!memory)
        return;
    struct own_piece *p = (struct own_piece *)memory - 1;
    const int log = p->log;
    const size_t bytes = (size_t)1 << log;
    const int saved = errno;
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
