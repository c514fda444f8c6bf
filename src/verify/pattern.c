/* SPDX-License-Identifier: BSD-2-Clause */
/* See verify.h. */
#include "verify.h"

#include "datatype.h"

enum division {
    WHOLE,
    COMPLEX, /* two halves of one */
    HALVES,  /* two numbers of one type */
    INDEXED  /* the second one is an int */
};

struct basic {
    MPI_Datatype type;
    enum number_type number;
    enum division division;
};

/* Fortran's types by number of digits, which have own handles. */
static struct basic of_digits(MPI_Datatype type)
{
    int ints, addresses, types, combiner;
    pmpi.Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    enum number_type number = combiner == MPI_COMBINER_F90_INTEGER                                        ? NUMBER_SIGNED
                              : combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ? NUMBER_FLOAT
                                                                                                          : NUMBER_OPAQUE;
    return (struct basic){type, number, combiner == MPI_COMBINER_F90_COMPLEX ? COMPLEX : WHOLE};
}

static struct basic basic_named(MPI_Datatype type)
{
    /* clang-format off */
    const struct basic table[] = {
        {MPI_CHAR, NUMBER_SIGNED, WHOLE}, {MPI_SIGNED_CHAR, NUMBER_SIGNED, WHOLE}, {MPI_WCHAR, NUMBER_SIGNED, WHOLE},
        {MPI_SHORT, NUMBER_SIGNED, WHOLE}, {MPI_INT, NUMBER_SIGNED, WHOLE}, {MPI_LONG, NUMBER_SIGNED, WHOLE},
        {MPI_LONG_LONG, NUMBER_SIGNED, WHOLE}, {MPI_INT8_T, NUMBER_SIGNED, WHOLE}, {MPI_INT16_T, NUMBER_SIGNED, WHOLE},
        {MPI_INT32_T, NUMBER_SIGNED, WHOLE}, {MPI_INT64_T, NUMBER_SIGNED, WHOLE}, {MPI_AINT, NUMBER_SIGNED, WHOLE},
        {MPI_OFFSET, NUMBER_SIGNED, WHOLE}, {MPI_COUNT, NUMBER_SIGNED, WHOLE}, {MPI_INTEGER, NUMBER_SIGNED, WHOLE},
        {MPI_INTEGER1, NUMBER_SIGNED, WHOLE}, {MPI_INTEGER2, NUMBER_SIGNED, WHOLE}, {MPI_INTEGER4, NUMBER_SIGNED, WHOLE},
        {MPI_INTEGER8, NUMBER_SIGNED, WHOLE}, {MPI_LOGICAL, NUMBER_SIGNED, WHOLE},
        {MPI_UNSIGNED_CHAR, NUMBER_UNSIGNED, WHOLE}, {MPI_UNSIGNED_SHORT, NUMBER_UNSIGNED, WHOLE},
        {MPI_UNSIGNED, NUMBER_UNSIGNED, WHOLE}, {MPI_UNSIGNED_LONG, NUMBER_UNSIGNED, WHOLE},
        {MPI_UNSIGNED_LONG_LONG, NUMBER_UNSIGNED, WHOLE}, {MPI_UINT8_T, NUMBER_UNSIGNED, WHOLE},
        {MPI_UINT16_T, NUMBER_UNSIGNED, WHOLE}, {MPI_UINT32_T, NUMBER_UNSIGNED, WHOLE},
        {MPI_UINT64_T, NUMBER_UNSIGNED, WHOLE},
        {MPI_C_BOOL, NUMBER_UNSIGNED, WHOLE}, {MPI_CXX_BOOL, NUMBER_UNSIGNED, WHOLE},
        {MPI_FLOAT, NUMBER_FLOAT, WHOLE}, {MPI_DOUBLE, NUMBER_FLOAT, WHOLE}, {MPI_LONG_DOUBLE, NUMBER_FLOAT, WHOLE},
        {MPI_REAL, NUMBER_FLOAT, WHOLE}, {MPI_DOUBLE_PRECISION, NUMBER_FLOAT, WHOLE}, {MPI_REAL4, NUMBER_FLOAT, WHOLE},
        {MPI_REAL8, NUMBER_FLOAT, WHOLE},
        {MPI_C_FLOAT_COMPLEX, NUMBER_FLOAT, COMPLEX}, {MPI_C_DOUBLE_COMPLEX, NUMBER_FLOAT, COMPLEX},
        {MPI_C_LONG_DOUBLE_COMPLEX, NUMBER_FLOAT, COMPLEX}, {MPI_CXX_FLOAT_COMPLEX, NUMBER_FLOAT, COMPLEX},
        {MPI_CXX_DOUBLE_COMPLEX, NUMBER_FLOAT, COMPLEX}, {MPI_CXX_LONG_DOUBLE_COMPLEX, NUMBER_FLOAT, COMPLEX},
        {MPI_COMPLEX, NUMBER_FLOAT, COMPLEX}, {MPI_DOUBLE_COMPLEX, NUMBER_FLOAT, COMPLEX},
        {MPI_COMPLEX8, NUMBER_FLOAT, COMPLEX},
        {MPI_COMPLEX16, NUMBER_FLOAT, COMPLEX},
        {MPI_2INT, NUMBER_SIGNED, HALVES}, {MPI_2INTEGER, NUMBER_SIGNED, HALVES}, {MPI_2REAL, NUMBER_FLOAT, HALVES},
        {MPI_2DOUBLE_PRECISION, NUMBER_FLOAT, HALVES}, {MPI_SHORT_INT, NUMBER_SIGNED, INDEXED},
        {MPI_LONG_INT, NUMBER_SIGNED, INDEXED}, {MPI_FLOAT_INT, NUMBER_FLOAT, INDEXED},
        {MPI_DOUBLE_INT, NUMBER_FLOAT, INDEXED},
        {MPI_LONG_DOUBLE_INT, NUMBER_FLOAT, INDEXED},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].type == type)
            return table[i];
    return of_digits(type);
}

struct pattern pattern_of(MPI_Datatype type)
{
    const struct pattern opaque = {1, false, {{NUMBER_OPAQUE, 1}}};
    MPI_Datatype basic = basic_of(type);
    MPI_Count bytes = 0;
    if (basic == MPI_DATATYPE_NULL)
        return opaque;
    struct basic b = basic_named(basic);
    if (b.number == NUMBER_OPAQUE)
        return opaque;

    pmpi.Type_size_x(basic, &bytes);
    int size = (int)bytes, second = b.division == WHOLE ? 0 : b.division == INDEXED ? (int)sizeof(int) : size / 2;
    struct pattern p = {second ? 2 : 1, b.division == COMPLEX, {{b.number, size - second}}};
    p.component[1] = (struct component){b.division == INDEXED ? NUMBER_SIGNED : b.number, second};
    return p;
}
