/* SPDX-License-Identifier: BSD-2-Clause */
/* The part that serves this process; see part.h. */
#pragma once

#include "part.h"

#include <stdatomic.h>

extern const struct part *_Atomic front_part; /* NULL: none has been opened; only front.c sets it */

/*
 * Opens the part for the MPI library that a call reaches, once. Returns a part that passes all calls through, after a line,
 * if there is no part for this library; and without a line as long as the process has no MPI library.
 */
const struct part *front_open(void *caller);

/* The part. Every call asks, so this is cheap. */
static inline const struct part *front(void *caller)
{
    const struct part *p = atomic_load_explicit(&front_part, memory_order_acquire);
    return p ? p : front_open(caller);
}

/* The part that passes all calls through. */
extern const struct part front_passes;
