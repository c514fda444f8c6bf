/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The function that a call would reach without Pleach: in the libraries after ours in the loader's order or, if a plugin has
 * loaded MPI, in the object of `caller`, an address in its code, and its libraries.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The MPI library that a plugin has loaded for itself, as by dlopen(), hidden from the rest; or NULL. Needed after tail
 * calls, for which `caller` is the plugin's caller.
 */
void *caller_library(void);

/* Finds a symbol after ours, else in the caller's object or caller_library(); or NULL. */
void *caller_next(const char *name, void *caller);

/*
 * Finds the MPI library for calls from here. Returns false if there is none yet. MPI then stays loaded, even without its
 * plugin. Not thread-safe.
 */
bool caller_find_mpi(void *caller);

/* Finds a symbol there, after caller_find_mpi(). */
void *caller_mpi(const char *name);

/*
 * A stand-in replaces MPI in a serial program, or behind a plugin without MPI; a second MPI library is one, too. It has
 * functions such as MPI_Bcast, which we hide, but no PMPI_ ones. `name`: the PMPI_ name, at the same address in each call,
 * for ever. Returns the stand-in's function, or NULL for a call to MPI.
 */
void *caller_stand_in(const char *name, void *caller);

/* Has the process a second MPI library, from which a call has come? */
bool caller_second_mpi(void);

/* Recent callers of MPI, each in its place; a displaced one is looked up again. */
enum { CALLERS = 64 };
extern void *_Atomic callers_known[CALLERS];

static inline void *_Atomic *caller_place(void *caller)
{
    return &callers_known[((uintptr_t)caller >> 2) % CALLERS];
}

/* Are its calls known to be for MPI, not for a stand-in? Cheap. */
static inline bool caller_known(void *caller)
{
    return atomic_load_explicit(caller_place(caller), memory_order_relaxed) == caller;
}
