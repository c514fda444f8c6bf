/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folds: kernels of our own in the place of MPI_Reduce_local, where they give the same bits.
 *
 * The MPI library decides what the bits are. So at the first use of an operation with a datatype, a trial compares the
 * kernel with MPI_Reduce_local of this process: all pairs of numbers that are special (infinities, NaNs of both signs and
 * several payloads, zeros of both signs, subnormals, the largest and the smallest), random bits, all tails, many alignments.
 * A single bit that differs, and MPI_Reduce_local stays.
 *
 * Ranks do not agree on that, and need not. Whatever a rank decides, its folds have the bits of its own MPI_Reduce_local: a
 * kernel that has passed gives the same, and without a kernel that function itself runs. And no step, no message and no
 * choice depends on who folds. If ranks have different processors, their MPI libraries may fold differently (sums that
 * saturate in one kind of vector alone): then ranks differ as they do natively, no more and no less. An agreement could not
 * mend that, as there it is MPI_Reduce_local that differs.
 */
#ifndef PLEACH_FOLD_H
#define PLEACH_FOLD_H

#include "kernels.h"
#include "wire.h"

#include <stdbool.h>

/*
 * The kernel for MPI's own operation on a type that MPI defines; b = a (+) b is kernel(b, a, b, count), with a and b as
 * MPI_Reduce_local takes them. NULL: none, so MPI_Reduce_local does it. The first use takes a fraction of a millisecond;
 * later ones look it up. MPI takes the operation with this type.
 */
fold_kernel *fold_find(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype);

/*
 * Has the kernel the bits of MPI_Reduce_local? `type`: what the datatype is. False, too, if memory is short. Leaves the
 * flags and traps of floating-point exceptions as they are.
 */
bool fold_same(const struct wire *mpi, MPI_Op op, MPI_Datatype datatype, enum kernel_type type, fold_kernel *kernel);

#endif
