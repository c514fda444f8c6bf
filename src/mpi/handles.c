/* SPDX-License-Identifier: BSD-2-Clause */
/* What handles mean. Made when the library is found, as some handles are no constants. */
#include "handles.h"

#include "hot.h"

#include <stddef.h>

/* ---- Datatypes ------------------------------------------------------------------------------------------------------- */

/*
 * Kinds of datatypes:
 *
 *     EXACT        integers and truth values: sums and products have the same bits in any order
 *     REAL         floating-point numbers that are not complex
 *     EXACT_PAIR   pairs of an exact value and its place, for MPI_MINLOC and MPI_MAXLOC
 *     ANY          all others
 *
 * Sums of short integers that overflow are not exact in Open MPI (avx; its issue 8045). But native ones depend on count and
 * ranks, too: nothing to preserve.
 */
enum exactness { ANY, EXACT, REAL, EXACT_PAIR };

static struct known_handle {
    uint64_t key; /* HANDLE_KEY; 0: free */
    enum exactness exactness;
    enum kernel_type kernel; /* first of `kernels`; the handle means that of its size */
    int kernels;
} known[HANDLE_ROWS]; /* less than a quarter is taken */

static struct known_handle *slot_of(MPI_Datatype type)
{
    unsigned i = (unsigned)(HANDLE_HASH(type) >> 56);
    while (known[i % HANDLE_ROWS].key && known[i % HANDLE_ROWS].key != HANDLE_KEY(type))
        i++;
    return &known[i % HANDLE_ROWS];
}

bool handle_is_of_mpi(MPI_Datatype type)
{
    return handle_is_simple(type) || slot_of(type)->key;
}

static void know(const MPI_Datatype *types, size_t n, enum exactness exactness, enum kernel_type kernel, int kernels)
{
    for (size_t i = 0; i < n; i++)
        if (types[i] != MPI_DATATYPE_NULL && HANDLE_KEY(types[i]))
            *slot_of(types[i]) = (struct known_handle){HANDLE_KEY(types[i]), exactness, kernel, kernels};
}

static void know_types(void)
{
    const MPI_Datatype text[] = {MPI_CHAR};
    const MPI_Datatype with_sign[] = {MPI_SIGNED_CHAR, MPI_SHORT,    MPI_INT,      MPI_LONG,     MPI_LONG_LONG, MPI_INT8_T,
                                      MPI_INT16_T,     MPI_INT32_T,  MPI_INT64_T,  MPI_AINT,     MPI_OFFSET,    MPI_COUNT,
                                      MPI_INTEGER,     MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8};
    const MPI_Datatype without_sign[] = {MPI_UNSIGNED_CHAR, MPI_BYTE,    MPI_UNSIGNED_SHORT, MPI_UNSIGNED,
                                         MPI_UNSIGNED_LONG, MPI_UINT8_T, MPI_UINT16_T,       MPI_UINT32_T,
                                         MPI_UINT64_T,      MPI_C_BOOL,  MPI_CXX_BOOL,       MPI_UNSIGNED_LONG_LONG};
    const MPI_Datatype real[] = {MPI_FLOAT, MPI_DOUBLE,           MPI_LONG_DOUBLE, MPI_REAL,
                                 MPI_REAL4, MPI_DOUBLE_PRECISION, MPI_REAL8};
    const MPI_Datatype complex[] = {MPI_C_FLOAT_COMPLEX,  MPI_CXX_FLOAT_COMPLEX,  MPI_COMPLEX,        MPI_COMPLEX8,
                                    MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16};
    const MPI_Datatype pair[] = {MPI_2INT, MPI_LONG_INT, MPI_SHORT_INT, MPI_2INTEGER};
#define KNOW(types, ...) know(types, sizeof types / sizeof types[0], __VA_ARGS__)
    KNOW(text, EXACT, KERNEL_TYPES, 0);
    KNOW(with_sign, EXACT, KERNEL_I8, 4);
    KNOW(without_sign, EXACT, KERNEL_U8, 4);
    KNOW(real, REAL, KERNEL_F32, 2);
    KNOW(complex, ANY, KERNEL_C32, 2);
    KNOW(pair, EXACT_PAIR, KERNEL_TYPES, 0);
#undef KNOW
}

enum kernel_type type_kernel(MPI_Datatype type, int *row)
{
    const struct known_handle *slot = slot_of(type);
    MPI_Count size = 0;
    *row = (int)(slot - known);
    if (slot->kernels)
        pmpi.Type_size_x(type, &size);
    for (int k = (int)slot->kernel; k < (int)slot->kernel + slot->kernels; k++)
        if (kernel_traits[k].size * kernel_traits[k].parts == size)
            return (enum kernel_type)k;
    return KERNEL_TYPES;
}

/* ---- Operations ------------------------------------------------------------------------------------------------------ */

static struct own {
    MPI_Op op;
    enum exactness exact; /* types with the same bits in any order; ANY: all */
    const char *name;
    enum kernel_op kernel;
} own[12];
enum { OWN = sizeof own / sizeof own[0] };

static void know_operations(void)
{
    const struct own all[OWN] = {
        {MPI_SUM, EXACT, "MPI_SUM", KERNEL_SUM},
        {MPI_MAX, EXACT, "MPI_MAX", KERNEL_MAX},
        {MPI_MIN, EXACT, "MPI_MIN", KERNEL_MIN},
        {MPI_PROD, EXACT, "MPI_PROD", KERNEL_PROD},
        {MPI_LAND, ANY, "MPI_LAND", KERNEL_LAND},
        {MPI_BAND, ANY, "MPI_BAND", KERNEL_BAND},
        {MPI_LOR, ANY, "MPI_LOR", KERNEL_LOR},
        {MPI_BOR, ANY, "MPI_BOR", KERNEL_BOR},
        {MPI_LXOR, ANY, "MPI_LXOR", KERNEL_LXOR},
        {MPI_BXOR, ANY, "MPI_BXOR", KERNEL_BXOR},
        {MPI_MINLOC, EXACT_PAIR, "MPI_MINLOC", KERNEL_OPS},
        {MPI_MAXLOC, EXACT_PAIR, "MPI_MAXLOC", KERNEL_OPS},
    };
    for (int i = 0; i < OWN; i++)
        own[i] = all[i];
}

HOT int op_own(MPI_Op op)
{
    for (int i = 0; i < OWN; i++)
        if (own[i].op == op)
            return i + 1;
    return 0;
}

const char *op_own_name(int number)
{
    return number ? own[number - 1].name : "user";
}

enum kernel_op op_kernel(MPI_Op op)
{
    int number = op_own(op);
    return number ? own[number - 1].kernel : KERNEL_OPS;
}

/* Minima and maxima of floating-point numbers depend on the order, too: 0 equals -0, and NaNs. */
HOT enum op_class op_class_of(MPI_Op op, MPI_Datatype type)
{
    int number = op_own(op);
    if (!number)
        return OP_ORDERED; /* the program's, even if it says it commutes */
    enum exactness exact = own[number - 1].exact;
    return exact == ANY || exact == slot_of(type)->exactness ? OP_EXACT : OP_ROUNDS;
}

HOT bool op_symmetric(MPI_Op op, MPI_Datatype type)
{
    return op == MPI_SUM || (op == MPI_PROD && slot_of(type)->exactness == REAL);
}

/* ---- Bits of handles ------------------------------------------------------------------------------------------------- */

#ifdef ABI_MPICH
bool handles_tell_sizes;

/*
 * The two upper bits say how an object is stored (0: invalid), the next four its class. A simple type: 0x4c, .., size,
 * number.
 */
static bool tell_sizes(void)
{
    static const MPI_Datatype types[] = {MPI_CHAR,  MPI_BYTE,        MPI_SHORT,  MPI_INT,    MPI_LONG,      MPI_LONG_LONG,
                                         MPI_FLOAT, MPI_LONG_DOUBLE, MPI_DOUBLE, MPI_PACKED, MPI_C_COMPLEX, MPI_C_BOOL};
    bool all = true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        MPI_Count size = 0;
        pmpi.Type_size_x(types[i], &size);
        all = all && handle_looks_simple(types[i]) && handle_size(types[i]) == size;
    }
    return all;
}

bool handle_is_comm(MPI_Comm comm)
{
    const unsigned where = 3u << 30, what = 15u << 26, bits = (unsigned)comm;
    return bits & where && (bits & what) == ((unsigned)MPI_COMM_WORLD & what);
}
#else
bool handle_is_comm(MPI_Comm comm)
{
    return HANDLE_BITS(comm) != 0 && comm != MPI_COMM_NULL;
}
#endif

void handles_open(void)
{
    know_types();
    know_operations();
#ifdef ABI_MPICH
    handles_tell_sizes = tell_sizes();
#endif
}
