/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutexes held for the rest of a block. */
#pragma once

#include <pthread.h>

static inline void hold_end(pthread_mutex_t *const *held)
{
    pthread_mutex_unlock(*held);
}

#define HOLD(mutex)                                                                                                         \
    __attribute__((cleanup(hold_end))) pthread_mutex_t *const held_mutex = &(mutex);                                        \
    pthread_mutex_lock(held_mutex)
