/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels fold arrays as MPI's own operations do, with vector instructions. Where neither C nor MPI defines the result (sign
 * and payload of a NaN of two NaNs, the minimum of 0 and -0, sums that saturate), MPI libraries differ; see fold.h.
 */
#pragma once

#include <stddef.h>

/*
 * out = a (+) b, at any alignment. `out` may be a or b; arrays overlap in no other way. Sums and products of signed integers
 * wrap.
 */
typedef void fold_kernel(void *out, const void *a, const void *b, size_t count);

/* X(name, word). In LAND, LOR and LXOR, 0 is false, and the result is 0 or 1. */
/* clang-format off */
#define KERNELS_BY_OP(X) \
    X(SUM, "sum") X(PROD, "prod") X(MIN, "min") X(MAX, "max") X(BAND, "band") X(BOR, "bor") X(BXOR, "bxor") \
    X(LAND, "land") X(LOR, "lor") X(LXOR, "lxor")

/* X(name, then as in struct kernel_traits): unsigned, signed, real, complex; or the bits of a number or of each part. */
#define KERNELS_BY_TYPE(X) \
    X(U8, "uint8", 1, 1, 0) X(U16, "uint16", 2, 1, 0) X(U32, "uint32", 4, 1, 0) X(U64, "uint64", 8, 1, 0) \
    X(I8, "int8", 1, 1, 0) X(I16, "int16", 2, 1, 0) X(I32, "int32", 4, 1, 0) X(I64, "int64", 8, 1, 0) \
    X(F32, "float", 4, 1, 23) X(F64, "double", 8, 1, 52) \
    X(C32, "complex float", 4, 2, 23) X(C64, "complex double", 8, 2, 52)
/* clang-format on */

#define KERNEL_NUMBER(name, ...) KERNEL_##name,
enum kernel_op { KERNELS_BY_OP(KERNEL_NUMBER) KERNEL_OPS };
enum kernel_type { KERNELS_BY_TYPE(KERNEL_NUMBER) KERNEL_TYPES };
#undef KERNEL_NUMBER

/*
 * Forms differ where C or MPI libraries leave a choice:
 *
 *     form    sums and products of real numbers            minima and maxima of real numbers
 *     0       as the compiler orders the operands          if neither is smaller, the second operand
 *     1       as form 0, with the operands exchanged       if neither is smaller, the first operand
 *     2       of two NaNs, the first                       as form 0, with the bits of an operand
 *     3       of two NaNs, the second                      as form 1, with the bits of an operand
 *     4       in whole vectors as form 0, else as form 3   in whole vectors as form 0, else as form 1
 *     5       in whole vectors as form 1, else as form 2   -
 *
 * Where subnormal numbers count as zeros, only forms 2 and 3 of a minimum keep an operand's bits. Vectors have 16 bytes,
 * from the first number on. Minima and maxima of integers: form 1 takes signed numbers for unsigned ones and vice versa, as
 * some libraries do.
 */
enum { KERNEL_FORMS = 6 };

/* The number of levels that this processor runs, from 0 on; higher ones have wider vectors. */
int kernel_levels(void);

/* Returns NULL if there is none. */
fold_kernel *kernel_at(int level, enum kernel_op op, enum kernel_type type, int form);

/* `parts` numbers of `size` bytes; `mantissa`: bits behind the point, 0 for an integer. */
struct kernel_traits {
    const char *name;
    int size, parts, mantissa;
};
extern const struct kernel_traits kernel_traits[KERNEL_TYPES];

const char *kernel_op_name(enum kernel_op op);
