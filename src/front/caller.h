/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the function that a call would reach if Pleach were not preloaded. `caller` is an address in the code of the caller.
 * The search covers the libraries after ours in the loader's order. If a plugin has loaded MPI, the search covers the
 * caller's object and its libraries.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The MPI library that a plugin has loaded for itself, as dlopen() returns it; NULL if there is none. The rest of the
 * program does not see its symbols. The caller's object does not lead there if the plugin's call is a tail call: the caller
 * is then whoever called the plugin.
 */
void *caller_library(void);

/* Finds a symbol in the libraries after ours, or else in the caller's object or caller_library(). NULL: there is none. */
void *caller_next(const char *name, void *caller);

/*
 * Finds the MPI library that calls from here reach. Returns false if there is none yet. MPI stays loaded from then on, but a
 * plugin that brought it need not. Not thread-safe.
 */
bool caller_find_mpi(void *caller);

/* Finds a symbol in the MPI library that caller_find_mpi() has found. */
void *caller_mpi(const char *name);

/*
 * A stand-in is a library that replaces MPI in a serial program, or behind a plugin that is not linked to MPI. It has
 * functions of its own such as MPI_Bcast, which a preloaded library would hide, but no PMPI_ functions. A second MPI library
 * in the process is a stand-in, too. `name` is the PMPI_ name of the function that is called ("PMPI_Bcast", "pmpi_bcast_");
 * it has the same address in each call, and lives for ever. Returns the stand-in's function if the caller uses a stand-in,
 * and NULL if the call is for the MPI library.
 */
void *caller_stand_in(const char *name, void *caller);

/* Has the process a second MPI library, from which a call has come? */
bool caller_second_mpi(void);

/*
 * The latest callers whose calls are for MPI, not for a stand-in. Each caller has one place. If another caller takes that
 * place, caller_stand_in() looks the first caller up again.
 */
enum { CALLERS = 64 };
extern void *_Atomic callers_known[CALLERS];

static inline void *_Atomic *caller_place(void *caller)
{
    return &callers_known[((uintptr_t)caller >> 2) % CALLERS];
}

/* Are this caller's calls known to be for MPI, not for a stand-in? The function is cheap, because it runs on every call. */
static inline bool caller_known(void *caller)
{
    return atomic_load_explicit(caller_place(caller), memory_order_relaxed) == caller;
}
