/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the numbers in a datatype; see verify.h. */
#include "verify.h"

#include "datatype.h"

/* The numbers in the bytes of a basic type. */
enum division {
    WHOLE,   /* one number */
    COMPLEX, /* two halves of a complex number */
    HALVES,  /* a pair of numbers of the same type */
    INDEXED  /* a pair whose second number is an int */
};

struct basic {
    MPI_Datatype type;
    enum number_kind kind;
    enum division division;
};

/* Fortran programs can ask for types by the number of their digits. Such types have handles of their own. */
static struct basic of_digits(MPI_Datatype type)
{
    int ints, addresses, types, combiner;
    pmpi.Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    enum number_kind kind = combiner == MPI_COMBINER_F90_INTEGER                                        ? KIND_SIGNED
                            : combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ? KIND_FLOAT
                                                                                                        : KIND_OPAQUE;
    return (struct basic){type, kind, combiner == MPI_COMBINER_F90_COMPLEX ? COMPLEX : WHOLE};
}

static struct basic basic_named(MPI_Datatype type)
{
    /* clang-format off */
    const struct basic table[] = {
        {MPI_CHAR, KIND_SIGNED, WHOLE}, {MPI_SIGNED_CHAR, KIND_SIGNED, WHOLE}, {MPI_WCHAR, KIND_SIGNED, WHOLE},
        {MPI_SHORT, KIND_SIGNED, WHOLE}, {MPI_INT, KIND_SIGNED, WHOLE}, {MPI_LONG, KIND_SIGNED, WHOLE},
        {MPI_LONG_LONG, KIND_SIGNED, WHOLE}, {MPI_INT8_T, KIND_SIGNED, WHOLE}, {MPI_INT16_T, KIND_SIGNED, WHOLE},
        {MPI_INT32_T, KIND_SIGNED, WHOLE}, {MPI_INT64_T, KIND_SIGNED, WHOLE}, {MPI_AINT, KIND_SIGNED, WHOLE},
        {MPI_OFFSET, KIND_SIGNED, WHOLE}, {MPI_COUNT, KIND_SIGNED, WHOLE}, {MPI_INTEGER, KIND_SIGNED, WHOLE},
        {MPI_INTEGER1, KIND_SIGNED, WHOLE}, {MPI_INTEGER2, KIND_SIGNED, WHOLE}, {MPI_INTEGER4, KIND_SIGNED, WHOLE},
        {MPI_INTEGER8, KIND_SIGNED, WHOLE}, {MPI_LOGICAL, KIND_SIGNED, WHOLE},
        {MPI_UNSIGNED_CHAR, KIND_UNSIGNED, WHOLE}, {MPI_UNSIGNED_SHORT, KIND_UNSIGNED, WHOLE},
        {MPI_UNSIGNED, KIND_UNSIGNED, WHOLE}, {MPI_UNSIGNED_LONG, KIND_UNSIGNED, WHOLE},
        {MPI_UNSIGNED_LONG_LONG, KIND_UNSIGNED, WHOLE}, {MPI_UINT8_T, KIND_UNSIGNED, WHOLE},
        {MPI_UINT16_T, KIND_UNSIGNED, WHOLE}, {MPI_UINT32_T, KIND_UNSIGNED, WHOLE}, {MPI_UINT64_T, KIND_UNSIGNED, WHOLE},
        {MPI_C_BOOL, KIND_UNSIGNED, WHOLE}, {MPI_CXX_BOOL, KIND_UNSIGNED, WHOLE},
        {MPI_FLOAT, KIND_FLOAT, WHOLE}, {MPI_DOUBLE, KIND_FLOAT, WHOLE}, {MPI_LONG_DOUBLE, KIND_FLOAT, WHOLE},
        {MPI_REAL, KIND_FLOAT, WHOLE}, {MPI_DOUBLE_PRECISION, KIND_FLOAT, WHOLE}, {MPI_REAL4, KIND_FLOAT, WHOLE},
        {MPI_REAL8, KIND_FLOAT, WHOLE},
        {MPI_C_FLOAT_COMPLEX, KIND_FLOAT, COMPLEX}, {MPI_C_DOUBLE_COMPLEX, KIND_FLOAT, COMPLEX},
        {MPI_C_LONG_DOUBLE_COMPLEX, KIND_FLOAT, COMPLEX}, {MPI_CXX_FLOAT_COMPLEX, KIND_FLOAT, COMPLEX},
        {MPI_CXX_DOUBLE_COMPLEX, KIND_FLOAT, COMPLEX}, {MPI_CXX_LONG_DOUBLE_COMPLEX, KIND_FLOAT, COMPLEX},
        {MPI_COMPLEX, KIND_FLOAT, COMPLEX}, {MPI_DOUBLE_COMPLEX, KIND_FLOAT, COMPLEX}, {MPI_COMPLEX8, KIND_FLOAT, COMPLEX},
        {MPI_COMPLEX16, KIND_FLOAT, COMPLEX},
        {MPI_2INT, KIND_SIGNED, HALVES}, {MPI_2INTEGER, KIND_SIGNED, HALVES}, {MPI_2REAL, KIND_FLOAT, HALVES},
        {MPI_2DOUBLE_PRECISION, KIND_FLOAT, HALVES}, {MPI_SHORT_INT, KIND_SIGNED, INDEXED},
        {MPI_LONG_INT, KIND_SIGNED, INDEXED}, {MPI_FLOAT_INT, KIND_FLOAT, INDEXED}, {MPI_DOUBLE_INT, KIND_FLOAT, INDEXED},
        {MPI_LONG_DOUBLE_INT, KIND_FLOAT, INDEXED},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type)
            return table[i];
    return of_digits(type);
}

struct pattern pattern_of(MPI_Datatype type)
{
    const struct pattern opaque = {1, false, {{KIND_OPAQUE, 1}}};
    MPI_Datatype basic = basic_of(type);
    MPI_Count bytes = 0;
    if (basic == MPI_DATATYPE_NULL)
        return opaque;
    struct basic b = basic_named(basic);
    if (b.kind == KIND_OPAQUE)
        return opaque;

    pmpi.Type_size_x(basic, &bytes);
    int size = (int)bytes, second = b.division == WHOLE ? 0 : b.division == INDEXED ? (int)sizeof(int) : size / 2;
    struct pattern p = {second ? 2 : 1, b.division == COMPLEX, {{b.kind, size - second}}};
    p.component[1] = (struct component){b.division == INDEXED ? KIND_SIGNED : b.kind, second};
    return p;
}
