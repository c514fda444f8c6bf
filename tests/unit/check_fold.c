/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels give the results of plain C, and a trial accepts a kernel only if the MPI library gives the same bits. The
 * library is made up here: its MPI_Reduce_local calls a kernel, or a sum with a planted error.
 */
#include "fold.h"
#include "handles.h"
#include "hash.h"
#include "suite.h"

#include <fenv.h>
#include <math.h>

/* ---- Kernels --------------------------------------------------------------------------------------------------------- */

/* The integer with these bytes, the lowest first. If `sign` is true, the highest bit is its sign. */
static int64_t integer_at(const char *at, int size, bool sign)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits |= (uint64_t)(unsigned char)at[i] << 8 * i;
    const uint64_t top = UINT64_C(1) << (8 * size - 1);
    return (int64_t)(sign ? (bits ^ top) - top : bits);
}

static uint64_t combined(enum kernel_op op, int64_t a, int64_t b, bool sign)
{
    const bool less = sign ? a < b : (uint64_t)a < (uint64_t)b;
    switch (op) {
    case KERNEL_SUM:
        return (uint64_t)a + (uint64_t)b;
    case KERNEL_PROD:
        return (uint64_t)a * (uint64_t)b;
    case KERNEL_MIN:
        return (uint64_t)(less ? a : b);
    case KERNEL_MAX:
        return (uint64_t)(less ? b : a);
    case KERNEL_BAND:
        return (uint64_t)(a & b);
    case KERNEL_BOR:
        return (uint64_t)(a | b);
    case KERNEL_BXOR:
        return (uint64_t)(a ^ b);
    case KERNEL_LAND:
        return a && b;
    case KERNEL_LOR:
        return a || b;
    default:
        return !a != !b;
    }
}

static bool right_integer(const char *got, const char *a, const char *b, enum kernel_op op, enum kernel_type type, int form)
{
    const int size = kernel_traits[type].size;
    const bool sign = (type >= KERNEL_I8) != (form == 1);
    const uint64_t want = combined(op, integer_at(a, size, sign), integer_at(b, size, sign), sign);
    return integer_at(got, size, false) == integer_at((const char *)&want, size, false);
}

/* Some forms leave open which of two NaNs is the result. It may then be any NaN. */
#define RIGHT_REAL(type)                                                                                                    \
    static bool right_##type(const char *got, const char *a, const char *b, enum kernel_op op, int form)                    \
    {                                                                                                                       \
        volatile type x, y;                                                                                                 \
        memcpy((void *)&x, form % 2 ? b : a, sizeof x);                                                                     \
        memcpy((void *)&y, form % 2 ? a : b, sizeof y);                                                                     \
        const type second = form >= 2 && isnan(x) ? x : y;                                                                  \
        const type extreme = op == KERNEL_MIN ? (x < y ? x : y) : (x > y ? x : y);                                          \
        const type want = op == KERNEL_SUM ? x + second : op == KERNEL_PROD ? x * second : extreme;                         \
        type is;                                                                                                            \
        memcpy(&is, got, sizeof is);                                                                                        \
        return memcmp(&is, &want, sizeof is) == 0 || (op <= KERNEL_PROD && form < 2 && isnan(x) && isnan(y) && isnan(is));  \
    }
RIGHT_REAL(float)
RIGHT_REAL(double)

/* The form of number i of `count`. Forms 4 and 5 stand for one form in whole vectors of 16 bytes, another in the rest. */
static int form_at(int form, enum kernel_op op, int size, int i, int count)
{
    const bool whole = i < count / (16 / size) * (16 / size);
    return form < 4 ? form : whole ? form - 4 : op <= KERNEL_PROD ? 7 - form : 1;
}

static bool right(const char *got, const char *a, const char *b, enum kernel_op op, enum kernel_type type, int form)
{
    if (!kernel_traits[type].mantissa)
        return right_integer(got, a, b, op, type, form);
    return kernel_traits[type].size == 4 ? right_float(got, a, b, op, form) : right_double(got, a, b, op, form);
}

/*
 * Draws random bytes. About a quarter of the numbers are 0, 1, a NaN, or the infinity of floats or doubles, with either
 * sign.
 */
static void draw(char *at, int count, int size, uint64_t seed)
{
    static const uint64_t special[] = {
        0, 1, UINT64_C(0x7f800000), UINT64_C(0x7ff) << 52, UINT64_C(0x7fc00005), UINT64_C(0x7ff8000000000005)};
    for (int i = 0; i < count; i++) {
        const uint64_t r = mix64(seed + (uint64_t)i), bits = r % 4 ? r : special[r / 4 % COUNT(special)];
        memcpy(at + i * size, &bits, (size_t)size);
        at[i * size + size - 1] = (char)(at[i * size + size - 1] ^ (r >> 63 << 7));
    }
}

enum { LENGTH = 300, GUARD = 64 };

/* Folds `count` numbers of a and b into other memory (`into` 0), into b (1) or into a (2). Alignments vary. */
static void try_kernel(fold_kernel *kernel, int level, enum kernel_op op, enum kernel_type type, int form, int count,
                       int into)
{
    const struct kernel_traits *t = &kernel_traits[type];
    const size_t bytes = (size_t)(count * t->parts * t->size), at = (size_t)(count * 7 + into) % 32;
    char memory[3][LENGTH * 16 + 2 * GUARD], before[3][sizeof memory[0]];
    char *a = memory[0] + GUARD + at, *b = memory[1] + GUARD + at / 2, *out = memory[2] + GUARD + at / 3;
    memset(memory, 0x5a, sizeof memory);
    draw(a, count * t->parts, t->size, (uint64_t)count);
    draw(b, count * t->parts, t->size, (uint64_t)count << 32);
    memcpy(before, memory, sizeof memory);
    char *const to = into == 0 ? out : into == 1 ? b : a;
    kernel(to, a, b, (size_t)count);
    const char *was[] = {before[0] + (a - memory[0]), before[1] + (b - memory[1])};
    for (int i = 0; i < count * t->parts; i++)
        REQUIRE(right(to + i * t->size, was[0] + i * t->size, was[1] + i * t->size, op, type,
                      form_at(form, op, t->size, i, count)),
                "level %d, %s of %s, form %d, into %d: number %d of %d", level, kernel_op_name(op), t->name, form, into, i,
                count);
    memcpy(before[into == 0 ? 2 : into == 1 ? 1 : 0] + (to - memory[into == 0 ? 2 : into == 1 ? 1 : 0]), to, bytes);
    REQUIRE(memcmp(before, memory, sizeof memory) == 0, "level %d, %s of %s, form %d: other memory is written", level,
            kernel_op_name(op), t->name, form);
}

/* Calls `use` with every kernel that this processor can run. */
static void each_kernel(void (*use)(fold_kernel *, int level, enum kernel_op, enum kernel_type, int form))
{
    int kernels = 0;
    for (int level = 0; level < kernel_levels(); level++)
        for (int op = 0; op < KERNEL_OPS; op++)
            for (int type = 0; type < KERNEL_TYPES; type++)
                for (int form = 0; form < KERNEL_FORMS; form++) {
                    fold_kernel *kernel = kernel_at(level, (enum kernel_op)op, (enum kernel_type)type, form);
                    kernels += kernel != NULL;
                    if (kernel)
                        use(kernel, level, (enum kernel_op)op, (enum kernel_type)type, form);
                }
    ck_assert_int_eq(kernels, kernel_levels() * (8 * 10 + 8 * 2 + 2 * (6 + 6 + 5 + 5) + 2 * 4));
}

static void try_lengths(fold_kernel *kernel, int level, enum kernel_op op, enum kernel_type type, int form)
{
    for (int into = 0; into < 3; into++)
        for (int count = 0; count <= LENGTH; count += count < 140 ? 1 : 53)
            try_kernel(kernel, level, op, type, form, count, into);
}

START_TEST(kernels_do_what_plain_loops_do)
{
    each_kernel(try_lengths);
}

/* ---- Trials ---------------------------------------------------------------------------------------------------------- */

static fold_kernel *library; /* what the library's MPI_Reduce_local calls */
static int calls;

static int reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
    (void)type, (void)op;
    calls++;
    if (!library)
        return MPI_ERR_OTHER;
    library(inout, in, inout, (size_t)count);
    return MPI_SUCCESS;
}

static const struct wire wire = {.Reduce_local = reduce_local};

static bool same(fold_kernel *ours, fold_kernel *theirs, enum kernel_type type)
{
    library = theirs;
    return fold_same(&wire, MPI_SUM, MPI_DATATYPE_NULL, type, ours);
}

static void try_itself(fold_kernel *kernel, int level, enum kernel_op op, enum kernel_type type, int form)
{
    REQUIRE(same(kernel, kernel, type), "level %d, %s of %s, form %d: differs from itself", level, kernel_op_name(op),
            kernel_traits[type].name, form);
    for (int other = 0; other < KERNEL_OPS; other++)
        for (int k = 0; k < KERNEL_FORMS; k++) {
            fold_kernel *planted = kernel_at(level, (enum kernel_op)other, type, k);
            const bool open =
                op <= KERNEL_PROD && kernel_traits[type].mantissa && form != k && (form < 2 || k < 2 || form + k == 7);
            if (planted && planted != kernel && !(other == (int)op && open)) /* these forms may choose the same NaN */
                REQUIRE(!same(kernel, planted, type), "level %d, %s of %s: form %d passes for %s, form %d", level,
                        kernel_op_name(op), kernel_traits[type].name, form, kernel_op_name((enum kernel_op)other), k);
        }
}

START_TEST(each_kernel_passes_for_itself_and_for_no_other)
{
    each_kernel(try_itself);
}

/* The errors that a sum of doubles may have. */
enum planted {
    NO_ERROR,
    LAST,
    OF_70,
    NAN_PAYLOAD,
    NAN_OF_70,
    QUIET,
    ZERO,
    SUBNORMAL,
    INFINITE,
    UNALIGNED,
    OVERLAP_A,
    OVERLAP_B,
    PLANTED
};
static enum planted planted;

static void sum(void *out, const void *a, const void *b, size_t count)
{
    const double *x = a, *y = b;
    double *o = out;
    for (size_t i = 0; i < count; i++) {
        volatile double sum = isnan(x[i]) ? x[i] + x[i] : x[i] + y[i];
        uint64_t bits;
        memcpy(&bits, (const void *)&sum, sizeof bits);
        switch (planted) {
        case LAST: /* the last number, if the count is odd */
            bits ^= i + 1 == count && count % 2;
            break;
        case OF_70:
            bits ^= i == 69 && count == 70;
            break;
        case NAN_PAYLOAD: /* the second of two NaNs counts, in the last elements, or in one of 70 */
        case NAN_OF_70:
            if (isnan(x[i]) && isnan(y[i]) && (planted == NAN_PAYLOAD ? i >= count / 4 * 4 : i == 69 && count == 70)) {
                sum = y[i] + y[i];
                memcpy(&bits, (const void *)&sum, sizeof bits);
            }
            break;
        case QUIET:
            if (isnan(x[i]))
                memcpy(&bits, &x[i], sizeof bits);
            break;
        case ZERO:
            if (sum == 0)
                bits = 0;
            break;
        case SUBNORMAL:
            if (fpclassify(sum) == FP_SUBNORMAL)
                bits &= UINT64_C(1) << 63;
            break;
        case INFINITE: /* the largest number in place of infinity */
            bits -= isinf(sum) && isfinite(x[i]) && isfinite(y[i]);
            break;
        case UNALIGNED:
            bits ^= (uintptr_t)&x[i] % 64 == 56 && i == 0;
            break;
        default:
            break;
        }
        memcpy(&o[i], &bits, sizeof bits);
    }
    if (((planted == OVERLAP_A && out == a) || (planted == OVERLAP_B && out == b)) && count > 0)
        memset(out, 0, sizeof *o);
}

START_TEST(a_trial_finds_planted_errors)
{
    fold_kernel *first = kernel_at(kernel_levels() - 1, KERNEL_SUM, KERNEL_F64, 2);
    for (planted = NO_ERROR; planted < PLANTED; planted++) {
        REQUIRE(same(sum, first, KERNEL_F64) == !planted, "ours has error %d", planted);
        REQUIRE(planted == OVERLAP_A || same(first, sum, KERNEL_F64) == !planted, "the library has error %d", planted);
    }
    ck_assert(!same(first, NULL, KERNEL_F64)); /* the library's MPI_Reduce_local returns an error */
}

/* Adds with saturation, except in the last elements, which do not fill a vector. */
static void saturating(void *out, const void *a, const void *b, size_t count)
{
    const int8_t *x = a, *y = b;
    int8_t *o = out;
    for (size_t i = 0; i < count; i++) {
        const int sum = x[i] + y[i];
        o[i] = (int8_t)(i >= count / 32 * 32 ? sum : sum > 127 ? 127 : sum < -128 ? -128 : sum);
    }
}

/* The minimum by a comparison and a copy, as a processor does it that has no instruction for minima. */
static void smaller(void *out, const void *a, const void *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t x, y;
        memcpy(&x, (const char *)a + i * sizeof x, sizeof x);
        memcpy(&y, (const char *)b + i * sizeof y, sizeof y);
        volatile double p, q;
        memcpy((void *)&p, &x, sizeof x);
        memcpy((void *)&q, &y, sizeof y);
        const uint64_t least = p < q ? x : y;
        memcpy((char *)out + i * sizeof least, &least, sizeof least);
    }
}

/* Programs that were compiled with -ffast-math take subnormal numbers as zeros. */
START_TEST(subnormal_numbers_may_count_as_zeros)
{
#ifdef __SSE__
    for (int form = 0; form < KERNEL_FORMS; form++) {
        fold_kernel *kernel = kernel_at(kernel_levels() - 1, KERNEL_MIN, KERNEL_F64, form);
        REQUIRE(!kernel || same(kernel, smaller, KERNEL_F64) == (form == 2), "form %d", form);
    }
#else
    not_tested("subnormal numbers as zeros, as this processor is no x86");
#endif
}

START_TEST(sums_that_saturate_stay_the_librarys_own)
{
    ck_assert(same(saturating, saturating, KERNEL_I8));
    ck_assert(!same(kernel_at(0, KERNEL_SUM, KERNEL_I8, 0), saturating, KERNEL_I8));
}

START_TEST(a_trial_leaves_floating_point_as_it_is)
{
    fold_kernel *kernel = kernel_at(0, KERNEL_SUM, KERNEL_F64, 2);
    feclearexcept(FE_ALL_EXCEPT);
    ck_assert(same(kernel, kernel, KERNEL_F64));
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    if (feenableexcept(FE_INVALID | FE_OVERFLOW) == -1) {
        not_tested("traps of floating-point errors, as this processor has none");
        return;
    }
    ck_assert(same(kernel, kernel, KERNEL_F64));
    ck_assert_int_eq(fegetexcept(), FE_INVALID | FE_OVERFLOW);
}

/* ---- Choice ---------------------------------------------------------------------------------------------------------- */

static int type_size(MPI_Datatype type, MPI_Count *size)
{
    *size = type == MPI_DOUBLE || type == MPI_UINT64_T || type == MPI_INT64_T ? 8 : 1;
    return MPI_SUCCESS;
}

START_TEST(the_library_decides_which_form_is_used)
{
    const int level = kernel_levels() - 1;
    pmpi.Type_size_x = type_size;
    handles_open();
    library = kernel_at(0, KERNEL_SUM, KERNEL_F64, 3);
    fold_kernel *found = fold_find(&wire, MPI_SUM, MPI_DOUBLE);
    ck_assert_ptr_nonnull(found);
    ck_assert(same(found, kernel_at(0, KERNEL_SUM, KERNEL_F64, 3), KERNEL_F64));
    library = kernel_at(0, KERNEL_PROD, KERNEL_F64, 4); /* this library folds whole vectors in another way than the rest */
    ck_assert_ptr_nonnull(fold_find(&wire, MPI_PROD, MPI_DOUBLE));
    library = kernel_at(0, KERNEL_MAX, KERNEL_F64, 4);
    ck_assert(fold_find(&wire, MPI_MAX, MPI_DOUBLE) == kernel_at(level, KERNEL_MAX, KERNEL_F64, 4));
    library = kernel_at(0, KERNEL_MIN, KERNEL_I64, 0); /* this library compares unsigned numbers as if signed */
    ck_assert(fold_find(&wire, MPI_MIN, MPI_UINT64_T) == kernel_at(level, KERNEL_MIN, KERNEL_U64, 1));
    ck_assert(fold_find(&wire, MPI_MIN, MPI_INT64_T) == kernel_at(level, KERNEL_MIN, KERNEL_I64, 0));
    library = saturating;
    ck_assert_ptr_null(fold_find(&wire, MPI_SUM, MPI_INT8_T));
    ck_assert_ptr_null(fold_find(&wire, MPI_SUM, MPI_SIGNED_CHAR)); /* another datatype of the same numbers */
    calls = 0;
    ck_assert_ptr_null(fold_find(&wire, MPI_SUM, MPI_INT8_T));
    ck_assert_ptr_eq(fold_find(&wire, MPI_SUM, MPI_DOUBLE), found);
    ck_assert_ptr_null(fold_find(&wire, MPI_MINLOC, MPI_2INT));
    ck_assert_ptr_null(fold_find(&wire, MPI_SUM, MPI_CHAR));
    ck_assert_ptr_null(fold_find(&wire, MPI_SUM, MPI_DATATYPE_NULL));
    ck_assert_ptr_null(fold_find(&wire, MPI_OP_NULL, MPI_DOUBLE));
    ck_assert_int_eq(calls, 0); /* no pair of operation and datatype is tried twice */
}

SUITE("fold", 60)
