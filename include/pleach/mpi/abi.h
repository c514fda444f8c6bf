/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * This file hides the differences between MPI's binary interfaces: MPICH, Open MPI, the MPI 5 standard, each with an mpi.h
 * of ours (src/mpi/mpich, openmpi, standard); these share abi_constants.h and functions.h. handles.c and pmpi.c hide the
 * differences between libraries.
 */
#pragma once

/* A test may have included a library's mpi.h. */
#ifndef MPI_VERSION
#include "mpi.h"
#endif
#include "mpis.h"

#include <stdint.h>

#if !defined OPEN_MPI && !defined MPI_ABI_VERSION
#define ABI_MPICH 1
#endif

/* Most libraries with this interface. */
#ifdef OPEN_MPI
#define ABI_MPI MPI_OPEN_MPI
#elif defined ABI_MPICH
#define ABI_MPI MPI_MPICH
#else
#define ABI_MPI MPI_STANDARD
#endif

/* MPICH's Fortran functions call the C functions, which we intercept. */
#ifdef OPEN_MPI
enum { ABI_SERVES_FORTRAN = 1 };
#else
enum { ABI_SERVES_FORTRAN = 0 };
#endif

/* Does a native call find all that validate() finds? Elsewhere a rank may accept what another refuses. */
#ifdef ABI_MPICH
enum { ABI_REPORTS_ALL = 1 };
#else
enum { ABI_REPORTS_ALL = 0 };
#endif

/* Of functions that MPI 3 removed; only MPICH has them. */
#ifndef ABI_MPICH
enum { MPI_COMBINER_HVECTOR_INTEGER = -1, MPI_COMBINER_HINDEXED_INTEGER = -2, MPI_COMBINER_STRUCT_INTEGER = -3 };
#endif

/* MPICH 4.0.2's MPI_MAX takes larger MPI_UINT64_Ts for negative. */
#define ABI_LARGEST_COMPARED INT64_MAX

/* A handle as a number (MPICH's are ints, others addresses or small numbers), and as a key, which fits into 48 bits. */
#ifdef ABI_MPICH
#define HANDLE_BITS(handle) ((uintptr_t)(unsigned)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(unsigned)(handle))
#else
#define HANDLE_BITS(handle) ((uintptr_t)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(uintptr_t)(handle))
#endif

/*
 * A hash of a handle. Only its upper bits are well mixed. The factor separates addresses in a row, which the golden section
 * would not.
 */
#define HANDLE_HASH(handle) (HANDLE_KEY(handle) * UINT64_C(0xd6e8feb86659fd93))
