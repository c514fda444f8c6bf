/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whom a call would reach if nothing were preloaded. A caller is told by an address of its code. What is asked for is looked
 * for behind us in the search order or, where MPI came in through a plugin, in the object that has this code and in all that
 * it is linked to. Knows no MPI: libpleach-others.so has it, too.
 */
#ifndef PLEACH_CALLER_H
#define PLEACH_CALLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle of the object that has this code, as dlopen() returns it; NULL: not known, or the program itself. */
void *caller_object(void *caller);

/* What has this name behind us or, if nothing has, for the caller's object; NULL: nothing. */
void *caller_next(const char *name, void *caller);

/*
 * A library may stand in for MPI in a serial program, or behind a plugin that is linked to no MPI: it has functions such as
 * MPI_Bcast of its own, which a preload would hide, but no PMPI_ ones. If a call of the name behind the first letter of
 * `name` ("PMPI_Bcast", "pmpi_bcast_") is for such a function, returns that; NULL: it is for MPI.
 */
void *caller_stand_in(const char *name, void *caller);

/*
 * The latest callers that mean MPI: each has one place, which another may take, and then is found again by
 * caller_stand_in().
 */
enum { CALLERS = 64 };
extern void *_Atomic callers_known[CALLERS];

static inline void *_Atomic *caller_place(void *caller)
{
    return &callers_known[((uintptr_t)caller >> 2) % CALLERS];
}

/* Is it known that this caller means MPI? Cheap: it runs on every call. */
static inline bool caller_known(void *caller)
{
    return atomic_load_explicit(caller_place(caller), memory_order_relaxed) == caller;
}

#endif
