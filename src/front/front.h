/* SPDX-License-Identifier: BSD-2-Clause */
/* This process's part; see part.h. */
#pragma once

#include "part.h"

#include <stdatomic.h>

extern const struct part *_Atomic front_part; /* NULL: none yet; only front.c sets it */

/*
 * Opens the part for the process's MPI library, once. If there is no part for it (a line says so), or no MPI yet, returns
 * one that passes calls through.
 */
const struct part *front_open(void *caller);

/* The part. Cheap, as every call asks. */
static inline const struct part *front(void *caller)
{
    const struct part *p = atomic_load_explicit(&front_part, memory_order_acquire);
    return p ? p : front_open(caller);
}

/* A part that passes all calls through. */
extern const struct part front_passes;
