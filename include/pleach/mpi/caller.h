/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the function that a call would reach without our preload. An address in its code stands for a caller. The search
 * goes through the libraries after ours in the loader's order or, if a plugin loaded MPI, through the caller's object and
 * its libraries. These functions do not need mpi.h, so libpleach-others.so has them, too.
 */
#ifndef PLEACH_CALLER_H
#define PLEACH_CALLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The caller's object, as dlopen() returns it; NULL: not known, or the program itself. */
void *caller_object(void *caller);

/* Finds a symbol in the libraries after ours, else in the caller's object and its libraries. NULL: there is none. */
void *caller_next(const char *name, void *caller);

/*
 * A library may stand in for MPI in a serial program, or behind a plugin that is linked to no MPI. It has its own functions
 * such as MPI_Bcast, which a preload would hide, but no PMPI_ ones. `name` is the PMPI_ name of what was called
 * ("PMPI_Bcast", "pmpi_bcast_"). Returns the function of such a library if the call is for it; NULL: the call is for MPI.
 */
void *caller_stand_in(const char *name, void *caller);

/*
 * The latest callers that mean MPI. Each has one place; if another caller takes that, caller_stand_in() finds the first one
 * again.
 */
enum { CALLERS = 64 };
extern void *_Atomic callers_known[CALLERS];

static inline void *_Atomic *caller_place(void *caller)
{
    return &callers_known[((uintptr_t)caller >> 2) % CALLERS];
}

/* Is this caller known to mean MPI? Cheap: it runs on every call. */
static inline bool caller_known(void *caller)
{
    return atomic_load_explicit(caller_place(caller), memory_order_relaxed) == caller;
}

#endif
