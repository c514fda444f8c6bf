/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The progress of an operation: another thread reads it while the thread that runs the operation waits. The loop stores it
 * before and after each exchange, in relaxed order. While the operation moves on, the reader may get fields of different
 * steps.
 */
#ifndef PLEACH_PROGRESS_H
#define PLEACH_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct progress {
    _Atomic int64_t step; /* number of the latest exchange; -1: none yet */
    _Atomic int to, from; /* the ranks of the communicator that it waits for; negative: none */
};

/* p may be NULL: nobody watches. */
static inline void progress_wait(struct progress *p, int64_t step, int to, int from)
{
    if (!p)
        return;
    atomic_store_explicit(&p->step, step, memory_order_relaxed);
    atomic_store_explicit(&p->to, to, memory_order_relaxed);
    atomic_store_explicit(&p->from, from, memory_order_relaxed);
}

/* The operation waits for no rank: it folds, or copies. */
static inline void progress_work(struct progress *p)
{
    if (!p)
        return;
    atomic_store_explicit(&p->to, -1, memory_order_relaxed);
    atomic_store_explicit(&p->from, -1, memory_order_relaxed);
}

#endif
