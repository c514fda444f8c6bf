/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far an operation has got, for another thread that looks on while this one waits. The loop writes it down before and
 * behind each exchange, by stores without order: what is read of an operation that moves may be of two steps.
 */
#ifndef PLEACH_PROGRESS_H
#define PLEACH_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

struct progress {
    _Atomic int64_t step; /* number of the latest exchange; -1: none yet */
    _Atomic int to, from; /* for which ranks of the communicator it waits; negative: for none */
};

/* p may be NULL: nobody looks on. */
static inline void progress_wait(struct progress *p, int64_t step, int to, int from)
{
    if (!p)
        return;
    atomic_store_explicit(&p->step, step, memory_order_relaxed);
    atomic_store_explicit(&p->to, to, memory_order_relaxed);
    atomic_store_explicit(&p->from, from, memory_order_relaxed);
}

/* It waits for nobody: it folds, or copies. */
static inline void progress_work(struct progress *p)
{
    if (!p)
        return;
    atomic_store_explicit(&p->to, -1, memory_order_relaxed);
    atomic_store_explicit(&p->from, -1, memory_order_relaxed);
}

#endif
