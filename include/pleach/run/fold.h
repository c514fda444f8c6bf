/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folds by kernels of ours, where they have the bits of MPI_Reduce_local.
 *
 * At the first use of an operation with a datatype, a trial compares the kernel with this process's MPI_Reduce_local: on all
 * pairs of special numbers and on random bits, for all short lengths and many alignments; on x86 also with subnormals as
 * zeros. If a single bit differs, MPI_Reduce_local goes on folding.
 *
 * Ranks need not agree: with or without a kernel, a rank folds with the bits of its own MPI_Reduce_local, and no step
 * depends on it. If processors give those different bits, results differ as in native calls.
 */
#pragma once

#include "kernels.h"
#include "wire.h"

#include <stdbool.h>

/*
 * Returns the kernel for a predefined operation on a predefined datatype that MPI allows for it; NULL if none has the same
 * bits: then call MPI_Reduce_local. kernel(b, a, b, count) is b = a (+) b. The first call for a pair runs the trial, in a
 * fraction of a millisecond.
 */
fold_kernel *fold_find(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype);

/*
 * Does the kernel give the bits of MPI_Reduce_local? False, too, if memory is short. `type`: the kernels' name of the
 * datatype. Leaves floating-point flags and traps alone.
 */
bool fold_same(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype, enum kernel_type type, fold_kernel *kernel);
