/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress of an operation, for the thread that watches. By relaxed stores: a reader may mix steps. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct progress {
    _Atomic int64_t step; /* latest exchange, or -1 */
    _Atomic int to, from; /* ranks of the communicator awaited; negative: none */
};

/* `p`: NULL if no thread watches. */
static inline void progress_wait(struct progress *p, int64_t step, int to, int from)
{
    if (!p)
        return;
    atomic_store_explicit(&p->step, step, memory_order_relaxed);
    atomic_store_explicit(&p->to, to, memory_order_relaxed);
    atomic_store_explicit(&p->from, from, memory_order_relaxed);
}

/* It folds or copies. */
static inline void progress_work(struct progress *p)
{
    if (!p)
        return;
    atomic_store_explicit(&p->to, -1, memory_order_relaxed);
    atomic_store_explicit(&p->from, -1, memory_order_relaxed);
}
