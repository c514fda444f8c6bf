/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stores as on a processor with weak memory order, for a source file that is included after this header: each thread delays
 * its atomic stores at random. A store with release order comes after all earlier ones of its thread; a relaxed store may
 * overtake them, but none to its own place. A thread sees its own stores at once. Stores to other memory are not delayed:
 * ThreadSanitizer (make check-threads) finds those that nothing orders.
 */
#pragma once

#include "hash.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DELAYED_MOST = 64 };

struct delayed_store {
    volatile void *at;
    uint64_t value;
    int bytes;
};

/* Of this thread. A thread that plays several processors keeps one of these for each. */
static _Thread_local struct delays {
    bool on;
    uint64_t drawn; /* the random numbers so far */
    int count;
    struct delayed_store store[DELAYED_MOST]; /* the oldest first */
} delayed;

static inline bool delayed_chance(unsigned one_in)
{
    return (mix64(++delayed.drawn) >> 32) % one_in == 0;
}

static inline void delayed_apply(const struct delayed_store *s)
{
    if (s->bytes == 4)
        __atomic_store_n((volatile uint32_t *)s->at, (uint32_t)s->value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((volatile uint64_t *)s->at, s->value, __ATOMIC_RELEASE);
}

/* Other threads see all stores of this thread from now on. */
static inline void delayed_flush(void)
{
    for (int i = 0; i < delayed.count; i++)
        delayed_apply(&delayed.store[i]);
    delayed.count = 0;
}

/* From now on this thread delays its stores. The seed gives the delays. */
static inline void delayed_begin(uint64_t seed)
{
    delayed.on = true;
    delayed.drawn = seed << 32;
}

/* The latest store of this thread to this place that others do not see yet; or NULL. */
static inline const struct delayed_store *delayed_at(const volatile void *at)
{
    for (int i = delayed.count - 1; i >= 0; i--)
        if (delayed.store[i].at == at)
            return &delayed.store[i];
    return NULL;
}

static inline void delayed_put(volatile void *at, int bytes, uint64_t value, memory_order order)
{
    const struct delayed_store s = {at, value, bytes};
    const bool releases = order != memory_order_relaxed, now = !delayed.on || delayed_chance(2);
    if (delayed.count == DELAYED_MOST || (now && releases))
        delayed_flush();
    if (now && (releases || !delayed_at(at)))
        delayed_apply(&s);
    else
        delayed.store[delayed.count++] = s;
}

/* A thread that waits loads again and again, so its stores do not stay behind for ever. */
static inline uint64_t delayed_get(const volatile void *at, int bytes, memory_order order)
{
    const struct delayed_store *own = delayed_at(at);
    (void)order;
    if (own)
        return own->value;
    if (delayed.on && delayed_chance(16))
        delayed_flush();
    return bytes == 4 ? __atomic_load_n((const volatile uint32_t *)at, __ATOMIC_ACQUIRE)
                      : __atomic_load_n((const volatile uint64_t *)at, __ATOMIC_ACQUIRE);
}

#undef atomic_store_explicit
#undef atomic_load_explicit
#define atomic_store_explicit(at, value, order) delayed_put(at, (int)sizeof *(at), (uint64_t)(value), order)
#define atomic_load_explicit(at, order) ((int64_t)delayed_get(at, (int)sizeof *(at), order))
