/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folds: kernels of our own in the place of MPI_Reduce_local, where they give the same bits.
 *
 * The MPI library decides what the bits are. So at the first use of an operation with a datatype, a trial compares the
 * kernel with MPI_Reduce_local of this process. The operands are all pairs of special numbers (infinities, NaNs of both
 * signs and several payloads, zeros of both signs, subnormals, the largest and the smallest), and random bits. They stand in
 * arrays of all short lengths and of many alignments. On x86 real numbers pass a second trial, in which subnormal numbers
 * count as zeros, as in programs compiled with -ffast-math. If a single bit differs, Pleach goes on calling
 * MPI_Reduce_local.
 *
 * Each rank runs the trial for itself; the ranks need not agree on its outcome. Either way the folds of a rank have the bits
 * of its own MPI_Reduce_local. No step, no message and no choice depends on whether a kernel or MPI_Reduce_local folds. If
 * ranks have different processors, MPI_Reduce_local itself may give them different bits, for example where only some vector
 * instructions saturate. Then results differ between ranks just as they do in native calls, and an agreement would not help.
 */
#pragma once

#include "kernels.h"
#include "wire.h"

#include <stdbool.h>

/*
 * Returns the kernel for a predefined operation on a predefined datatype for which MPI allows it. kernel(b, a, b, count)
 * computes b = a (+) b, as MPI_Reduce_local(a, b, ..) does. Returns NULL if no kernel has the same bits: then the caller
 * uses MPI_Reduce_local. The first call for an operation and a datatype runs the trial, in a fraction of a millisecond;
 * later calls only look up its outcome.
 */
fold_kernel *fold_find(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype);

/*
 * Returns true if the kernel gives the bits of MPI_Reduce_local; false if it does not, or if memory is short. `type` is the
 * kernels' name for the datatype. The function leaves the flags and traps of floating-point exceptions as they are.
 */
bool fold_same(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype, enum kernel_type type, fold_kernel *kernel);
