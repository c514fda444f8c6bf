/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Handles of MPICH's kin; see handles.h. The two upper bits say where the object lives (0: nowhere), the next four what it
 * is. In those of simple predefined datatypes (no pairs) the first byte says that they are, the third their size, the last
 * numbers them.
 */
#include "handles.h"

#include <stddef.h>

#define IS_SIMPLE(type) ((unsigned)(type) >> 24 == 0x4c)
#define SIMPLE_SIZE(type) ((unsigned)(type) >> 8 & 0xff)

bool handles_tell_sizes;

/* Integer types: sums and products of them have the same bits in any order. */
static const MPI_Datatype integers[] = {
    MPI_CHAR,     MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE,          MPI_SHORT,     MPI_UNSIGNED_SHORT,
    MPI_INT,      MPI_UNSIGNED,    MPI_LONG,          MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG,
    MPI_INT8_T,   MPI_INT16_T,     MPI_INT32_T,       MPI_INT64_T,       MPI_UINT8_T,   MPI_UINT16_T,
    MPI_UINT32_T, MPI_UINT64_T,    MPI_AINT,          MPI_OFFSET,        MPI_COUNT,     MPI_C_BOOL,
    MPI_INTEGER,  MPI_INTEGER1,    MPI_INTEGER2,      MPI_INTEGER4,      MPI_INTEGER8};
enum { INTEGERS = sizeof integers / sizeof integers[0] };
static MPI_Datatype integer_numbered[256]; /* the integer type with this last byte; the others are looked for */

void handles_open(void)
{
    static const MPI_Datatype types[] = {MPI_CHAR,  MPI_BYTE,        MPI_SHORT,  MPI_INT,    MPI_LONG,      MPI_LONG_LONG,
                                         MPI_FLOAT, MPI_LONG_DOUBLE, MPI_DOUBLE, MPI_PACKED, MPI_C_COMPLEX, MPI_C_BOOL};
    bool all = true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        MPI_Count size = 0;
        pmpi.Type_size_x(types[i], &size);
        all = all && IS_SIMPLE(types[i]) && SIMPLE_SIZE(types[i]) == (unsigned)size;
    }
    handles_tell_sizes = all;
    for (int i = 0; i < INTEGERS; i++)
        if (IS_SIMPLE(integers[i]))
            integer_numbered[(unsigned)integers[i] & 0xff] = integers[i];
}

bool handle_is_comm(MPI_Comm comm)
{
    const unsigned where = 3u << 30, what = 15u << 26, bits = (unsigned)comm;
    return bits & where && (bits & what) == ((unsigned)MPI_COMM_WORLD & what);
}

static bool is_integer(MPI_Datatype type)
{
    if (IS_SIMPLE(type))
        return integer_numbered[(unsigned)type & 0xff] == type;
    for (int i = 0; i < INTEGERS; i++)
        if (type == integers[i])
            return true;
    return false;
}

/* The pair types of MINLOC and MAXLOC whose values are integers. */
static bool is_integer_pair(MPI_Datatype type)
{
    return type == MPI_2INT || type == MPI_LONG_INT || type == MPI_SHORT_INT || type == MPI_2INTEGER;
}

/* Minima and maxima of floating-point numbers depend on the order, too: 0 equals -0, and NaN is not ordered. */
enum op_class op_class_of(MPI_Op op, MPI_Datatype type)
{
    switch (op) {
    case MPI_SUM:
    case MPI_PROD:
    case MPI_MAX:
    case MPI_MIN:
        return is_integer(type) ? OP_EXACT : OP_ROUNDS;
    case MPI_MINLOC:
    case MPI_MAXLOC:
        return is_integer_pair(type) ? OP_EXACT : OP_ROUNDS;
    case MPI_LAND:
    case MPI_BAND:
    case MPI_LOR:
    case MPI_BOR:
    case MPI_LXOR:
    case MPI_BXOR:
        return OP_EXACT;
    default: /* the user's, whatever its commute flag says */
        return OP_ORDERED;
    }
}

int op_own(MPI_Op op)
{
    return op_class_of(op, MPI_INT) == OP_ORDERED ? 0 : (int)op;
}

bool op_symmetric(MPI_Op op, MPI_Datatype type)
{
    static const MPI_Datatype real[] = {MPI_FLOAT, MPI_DOUBLE,           MPI_LONG_DOUBLE, MPI_REAL,
                                        MPI_REAL4, MPI_DOUBLE_PRECISION, MPI_REAL8};
    bool found = op == MPI_SUM;
    for (size_t i = 0; op == MPI_PROD && i < sizeof real / sizeof real[0]; i++)
        found |= type == real[i];
    return found;
}

const char *op_name(MPI_Op op)
{
    static const struct {
        MPI_Op op;
        const char *name;
    } names[] = {{MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"}, {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
                 {MPI_LAND, "MPI_LAND"}, {MPI_BAND, "MPI_BAND"}, {MPI_LOR, "MPI_LOR"},       {MPI_BOR, "MPI_BOR"},
                 {MPI_LXOR, "MPI_LXOR"}, {MPI_BXOR, "MPI_BXOR"}, {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].op == op)
            return names[i].name;
    return "user";
}
