/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The progress of an operation, for the thread that watches. Stores are relaxed: a reader may get fields of different steps.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct progress {
    _Atomic int64_t step; /* number of the latest exchange; -1: none yet */
    _Atomic int to, from; /* ranks of the communicator awaited; negative: none */
};

/* The operation begins to wait. `p`: NULL if no thread watches. */
static inline void progress_wait(struct progress *p, int64_t step, int to, int from)
{
    if (!p)
        return;
    atomic_store_explicit(&p->step, step, memory_order_relaxed);
    atomic_store_explicit(&p->to, to, memory_order_relaxed);
    atomic_store_explicit(&p->from, from, memory_order_relaxed);
}

/* The operation folds or copies, and waits for no rank. */
static inline void progress_work(struct progress *p)
{
    if (!p)
        return;
    atomic_store_explicit(&p->to, -1, memory_order_relaxed);
    atomic_store_explicit(&p->from, -1, memory_order_relaxed);
}
