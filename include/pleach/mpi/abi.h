/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The binary interface of MPI for which a part is built: MPICH's, Open MPI's, or that of the MPI 5 standard. The sources are
 * compiled once for each interface, with an mpi.h of ours: src/mpi/mpich, openmpi, standard. This file hides the differences
 * between the three. handles.c and pmpi.c hide the differences between the MPI libraries.
 */
#pragma once

/* A test may have included the mpi.h of an MPI library. */
#ifndef MPI_VERSION
#include "mpi.h"
#endif
#include "mpis.h"

#include <stdint.h>

#if !defined OPEN_MPI && !defined MPI_ABI_VERSION
#define ABI_MPICH 1
#endif

/* Most MPI libraries with this interface are of this kind. */
#ifdef OPEN_MPI
#define ABI_MPI MPI_OPEN_MPI
#elif defined ABI_MPICH
#define ABI_MPI MPI_MPICH
#else
#define ABI_MPI MPI_STANDARD
#endif

/* Does a part serve calls from Fortran? MPICH's Fortran functions call the C functions, so Pleach intercepts those. */
#ifdef OPEN_MPI
enum { ABI_SERVES_FORTRAN = 1 };
#else
enum { ABI_SERVES_FORTRAN = 0 };
#endif

/* Does a native call find all errors that validate() finds? Except in MPICH, one rank may accept an error of another. */
#ifdef ABI_MPICH
enum { ABI_REPORTS_ALL = 1 };
#else
enum { ABI_REPORTS_ALL = 0 };
#endif

/* These combiners belong to functions that MPI 3 removed. Only MPICH has datatypes with them. */
#ifndef ABI_MPICH
enum { MPI_COMBINER_HVECTOR_INTEGER = -1, MPI_COMBINER_HINDEXED_INTEGER = -2, MPI_COMBINER_STRUCT_INTEGER = -3 };
#endif

/* For MPI_MAX of MPI_UINT64_T: MPICH 4.0.2 takes numbers above this one for negative ones. */
#define ABI_LARGEST_COMPARED INT64_MAX

/*
 * HANDLE_BITS is a handle as a number. MPICH's handles are ints. In the other interfaces, handles are addresses, or small
 * numbers for the constants of the standard ABI. HANDLE_KEY is the same number as a uint64_t. It fits into 48 bits, as any
 * address of a process does.
 */
#ifdef ABI_MPICH
#define HANDLE_BITS(handle) ((uintptr_t)(unsigned)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(unsigned)(handle))
#else
#define HANDLE_BITS(handle) ((uintptr_t)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(uintptr_t)(handle))
#endif

/*
 * A hash of a handle. Only its upper bits are well mixed. The usual factor, near the golden section, would not separate the
 * addresses of objects that lie in a row.
 */
#define HANDLE_HASH(handle) (HANDLE_KEY(handle) * UINT64_C(0xd6e8feb86659fd93))
