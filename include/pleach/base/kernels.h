/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels fold arrays of arithmetic types as MPI's own operations do, with the vector instructions of the processor.
 *
 * Some results are defined neither by C nor by MPI: the sign and payload of a NaN that results from two NaNs, the minimum of
 * 0 and -0, sums that saturate. There a kernel may differ from the MPI library. So Pleach compares a kernel with the library
 * before it uses the kernel; see fold.h.
 */
#pragma once

#include <stddef.h>

/*
 * Sets out = a (+) b, element by element. `out` may be the same as a or b; arrays do not overlap in any other way. Elements
 * need no alignment. Sums and products of signed integers wrap.
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
    KERNEL_LAND, /* in LAND, LOR and LXOR, 0 is false, and the result is 0 or 1 */
    KERNEL_LOR,
    KERNEL_LXOR,
    KERNEL_OPS
};

/*
 * Types of numbers: unsigned (U), signed (I), real (F) and complex (C). A name ends with the bits of a number, or of each
 * part of a complex number.
 */
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
 * The forms of an operation. Their results differ where C or MPI libraries leave a choice:
 *
 *     form    sums and products of real numbers            minima and maxima of real numbers
 *     0       as the compiler orders the operands          if neither is smaller, the second operand
 *     1       as form 0, with the operands exchanged       if neither is smaller, the first operand
 *     2       of two NaNs, the first                       as form 0, with the bits of an operand
 *     3       of two NaNs, the second                      as form 1, with the bits of an operand
 *     4       in whole vectors as form 0, else as form 3   in whole vectors as form 0, else as form 1
 *     5       in whole vectors as form 1, else as form 2   -
 *
 * Where subnormal numbers count as zeros, forms 2 and 3 of a minimum still give the bits of an operand; the other forms give
 * zero.
 *
 * Vectors have 16 bytes. The first vector begins with the first number. The last numbers may be too few to fill a vector.
 *
 * Minima and maxima of integers have two forms. Form 0 compares the numbers as their type says. Form 1 takes signed numbers
 * for unsigned ones and vice versa, as some libraries do.
 */
enum { KERNEL_FORMS = 6 };

/* The number of levels that this processor can run; a higher level has wider vectors. All processors run level 0. */
int kernel_levels(void);

/* Returns the kernel, or NULL if there is none for this operation, type and form. */
fold_kernel *kernel_at(int level, enum kernel_op op, enum kernel_type type, int form);

/*
 * A type consists of `parts` numbers of `size` bytes each. `mantissa` is the number of bits behind the point in a real
 * number, and 0 for an integer.
 */
struct kernel_traits {
    const char *name;
    int size, parts, mantissa;
};
extern const struct kernel_traits kernel_traits[KERNEL_TYPES];

const char *kernel_op_name(enum kernel_op op);
