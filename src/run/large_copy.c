/* SPDX-License-Identifier: BSD-2-Clause */
/* See large_copy.h. */
#include "large_copy.h"

#include "copies.h"
#include "seconds.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Of memcpy()'s time: then the other way wins. */
static const double PAYS = 0.9;

/* Several times the caches of a core. */
static const int64_t LEAST = 16 << 20;

/* As far as the C library knows. */
static int64_t last_cache(void)
{
    static _Atomic int64_t known = -1;
    int64_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes >= 0)
        return bytes;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    bytes = bytes > 0 ? bytes : 0;
    atomic_store_explicit(&known, bytes, memory_order_relaxed);
    return bytes;
}

int64_t large_from(int ranks)
{
    const int64_t share = last_cache() / ranks;
    return share > LEAST ? share : LEAST;
}

void large_time(struct large *l, bool past, double seconds, size_t bytes)
{
    l->rate[past] += seconds / (double)bytes;
    if (l->blocks % LARGE_PAIR != LARGE_PAIR - 1)
        return;
    l->won += l->rate[true] <= PAYS * l->rate[false];
    l->rate[true] = l->rate[false] = 0;
    if (l->blocks == LARGE_TIMED - 1) {
        l->past = 2 * l->won > LARGE_PAIRS;
        l->won = 0;
    }
}

void large_copy(struct large *l, void *to, const void *from, size_t bytes)
{
    const bool timed = l->blocks < LARGE_TIMED, past = timed ? l->blocks / LARGE_RUN % 2 : l->past;
    const double start = timed ? seconds_now() : 0;
    if (past)
        copy_past_cache(to, from, bytes);
    else
        memcpy(to, from, bytes);
    if (timed)
        large_time(l, past, seconds_now() - start, bytes);
    l->blocks = (l->blocks + 1) % LARGE_AGAIN;
}
