/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels: what MPI's own operations do to arrays of arithmetic types, in the processor's widest vectors.
 *
 * A kernel may differ from the MPI library in what neither C nor MPI defines: the sign and the payload of a NaN that comes
 * of two, a minimum of 0 and -0, sums that saturate. So none is used untried; see fold.h.
 */
#ifndef PLEACH_KERNELS_H
#define PLEACH_KERNELS_H

#include <stddef.h>

/*
 * out = a (+) b, element by element. `out` may be a, b or other memory; nothing overlaps otherwise. Elements may lie at any
 * address. Signed integers wrap.
 */
typedef void fold_kernel(void *out, const void *a, const void *b, size_t count);

enum kernel_op {
    KERNEL_SUM,
    KERNEL_PROD,
    KERNEL_MIN,
    KERNEL_MAX,
    KERNEL_BAND,
    KERNEL_BOR,
    KERNEL_BXOR,
    KERNEL_LAND, /* LAND, LOR, LXOR: 0 is false; the result is 0 or 1 */
    KERNEL_LOR,
    KERNEL_LXOR,
    KERNEL_OPS
};

/* The types by the bits of a number: unsigned, signed, real, and complex in two reals. */
enum kernel_type {
    KERNEL_U8,
    KERNEL_U16,
    KERNEL_U32,
    KERNEL_U64,
    KERNEL_I8,
    KERNEL_I16,
    KERNEL_I32,
    KERNEL_I64,
    KERNEL_F32,
    KERNEL_F64,
    KERNEL_C32,
    KERNEL_C64,
    KERNEL_TYPES
};

/*
 * The forms of an operation, which differ where C or MPI libraries leave it open. Sums and products of real numbers: as the
 * compiler has it; with operands exchanged; of two NaNs the first is the result; the second is. Minima and maxima of real
 * numbers: the second operand is the result if neither is smaller, or the first. Those of integers: with the type's sign,
 * or without regard for it (some libraries compare unsigned numbers as if they were signed).
 */
enum { KERNEL_FORMS = 4 };

/* How many levels of vectors this processor has: kernels of level 0 run on all. */
int kernel_levels(void);

/* NULL: there is none. */
fold_kernel *kernel_at(int level, enum kernel_op op, enum kernel_type type, int form);

/* A type: `parts` numbers of `size` bytes; a real number has so many bits behind the point, an integer 0. */
struct kernel_traits {
    const char *name;
    int size, parts, mantissa;
};
extern const struct kernel_traits kernel_traits[KERNEL_TYPES];

const char *kernel_op_name(enum kernel_op op);

#endif
