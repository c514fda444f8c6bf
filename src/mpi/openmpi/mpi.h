/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What Pleach uses of Open MPI's binary interface, releases 4 to 6. A test compares. Constants are addresses of objects,
 * which pmpi_find() finds: no handle before it, nor in a static initializer.
 */
#ifndef PLEACH_MPI_H
#define PLEACH_MPI_H

#include <stddef.h>
#include <stdint.h>

#define OPEN_MPI 1

/* ---- Types: handles are pointers to structs that only the library knows ---------------------------------------------- */

typedef intptr_t MPI_Aint;
typedef long long MPI_Count;

typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_group_t *MPI_Group;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_mpit_cvar_handle_t *MPI_T_cvar_handle;
typedef struct mca_base_var_enum_t *MPI_T_enum;

typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal;
    size_t MPI_size;
} MPI_Status;

/* ---- Constants ------------------------------------------------------------------------------------------------------- */

/* clang-format off */
#define ABI_OBJECTS(X) \
    X(ompi_mpi_comm_world) X(ompi_mpi_comm_self) X(ompi_mpi_comm_null) X(ompi_mpi_group_null) X(ompi_mpi_info_null) \
    X(ompi_mpi_errors_return) X(ompi_mpi_errhandler_null) X(ompi_request_null) X(ompi_mpi_datatype_null) \
    X(ompi_mpi_op_null) X(ompi_mpi_op_sum) X(ompi_mpi_op_prod) X(ompi_mpi_op_max) X(ompi_mpi_op_min) X(ompi_mpi_op_land) \
    X(ompi_mpi_op_band) X(ompi_mpi_op_lor) X(ompi_mpi_op_bor) X(ompi_mpi_op_lxor) X(ompi_mpi_op_bxor) \
    X(ompi_mpi_op_minloc) X(ompi_mpi_op_maxloc) X(ompi_mpi_char) X(ompi_mpi_signed_char) X(ompi_mpi_unsigned_char) \
    X(ompi_mpi_byte) X(ompi_mpi_short) X(ompi_mpi_unsigned_short) X(ompi_mpi_int) X(ompi_mpi_unsigned) X(ompi_mpi_long) \
    X(ompi_mpi_unsigned_long) X(ompi_mpi_long_long_int) X(ompi_mpi_unsigned_long_long) X(ompi_mpi_int8_t) \
    X(ompi_mpi_int16_t) X(ompi_mpi_int32_t) X(ompi_mpi_int64_t) X(ompi_mpi_uint8_t) X(ompi_mpi_uint16_t) \
    X(ompi_mpi_uint32_t) X(ompi_mpi_uint64_t) X(ompi_mpi_aint) X(ompi_mpi_offset) X(ompi_mpi_count) X(ompi_mpi_c_bool) \
    X(ompi_mpi_integer) X(ompi_mpi_integer1) X(ompi_mpi_integer2) X(ompi_mpi_integer4) X(ompi_mpi_integer8) \
    X(ompi_mpi_float) X(ompi_mpi_double) X(ompi_mpi_long_double) X(ompi_mpi_real) X(ompi_mpi_real4) X(ompi_mpi_real8) \
    X(ompi_mpi_dblprec) X(ompi_mpi_2int) X(ompi_mpi_long_int) X(ompi_mpi_short_int) X(ompi_mpi_2integer) \
    X(ompi_mpi_2real) X(ompi_mpi_2dblprec) X(ompi_mpi_float_int) X(ompi_mpi_double_int) X(ompi_mpi_longdbl_int) \
    X(ompi_mpi_wchar) X(ompi_mpi_logical) X(ompi_mpi_c_float_complex) X(ompi_mpi_c_double_complex) \
    X(ompi_mpi_c_long_double_complex) X(ompi_mpi_cplex) X(ompi_mpi_dblcplex) X(ompi_mpi_complex8) X(ompi_mpi_complex16) \
    X(OMPI_C_MPI_COMM_NULL_COPY_FN) X(OMPI_C_MPI_TYPE_NULL_COPY_FN)
/* Else null pointers. */
#define ABI_OBJECTS_OPTIONAL(X) \
    X(ompi_mpi_cxx_bool) X(ompi_mpi_cxx_cplex) X(ompi_mpi_cxx_dblcplex) X(ompi_mpi_cxx_ldblcplex)
/* clang-format on */
struct abi_objects {
#define FIELD(name) void *name;
    ABI_OBJECTS(FIELD)
    ABI_OBJECTS_OPTIONAL(FIELD)
#undef FIELD
};
extern struct abi_objects abi_objects;
#define OBJECT(type, name) ((type)abi_objects.name)

#define MPI_OP_NULL OBJECT(MPI_Op, ompi_mpi_op_null)
#define MPI_SUM OBJECT(MPI_Op, ompi_mpi_op_sum)
#define MPI_MIN OBJECT(MPI_Op, ompi_mpi_op_min)
#define MPI_MAX OBJECT(MPI_Op, ompi_mpi_op_max)
#define MPI_PROD OBJECT(MPI_Op, ompi_mpi_op_prod)
#define MPI_BAND OBJECT(MPI_Op, ompi_mpi_op_band)
#define MPI_BOR OBJECT(MPI_Op, ompi_mpi_op_bor)
#define MPI_BXOR OBJECT(MPI_Op, ompi_mpi_op_bxor)
#define MPI_LAND OBJECT(MPI_Op, ompi_mpi_op_land)
#define MPI_LOR OBJECT(MPI_Op, ompi_mpi_op_lor)
#define MPI_LXOR OBJECT(MPI_Op, ompi_mpi_op_lxor)
#define MPI_MINLOC OBJECT(MPI_Op, ompi_mpi_op_minloc)
#define MPI_MAXLOC OBJECT(MPI_Op, ompi_mpi_op_maxloc)

#define MPI_COMM_NULL OBJECT(MPI_Comm, ompi_mpi_comm_null)
#define MPI_COMM_WORLD OBJECT(MPI_Comm, ompi_mpi_comm_world)
#define MPI_COMM_SELF OBJECT(MPI_Comm, ompi_mpi_comm_self)
#define MPI_GROUP_NULL OBJECT(MPI_Group, ompi_mpi_group_null)
#define MPI_INFO_NULL OBJECT(MPI_Info, ompi_mpi_info_null)
#define MPI_ERRHANDLER_NULL OBJECT(MPI_Errhandler, ompi_mpi_errhandler_null)
#define MPI_ERRORS_RETURN OBJECT(MPI_Errhandler, ompi_mpi_errors_return)
#define MPI_REQUEST_NULL OBJECT(MPI_Request, ompi_request_null)

#define MPI_DATATYPE_NULL OBJECT(MPI_Datatype, ompi_mpi_datatype_null)
#define MPI_AINT OBJECT(MPI_Datatype, ompi_mpi_aint)
#define MPI_COUNT OBJECT(MPI_Datatype, ompi_mpi_count)
#define MPI_OFFSET OBJECT(MPI_Datatype, ompi_mpi_offset)
#define MPI_SHORT OBJECT(MPI_Datatype, ompi_mpi_short)
#define MPI_INT OBJECT(MPI_Datatype, ompi_mpi_int)
#define MPI_LONG OBJECT(MPI_Datatype, ompi_mpi_long)
#define MPI_LONG_LONG OBJECT(MPI_Datatype, ompi_mpi_long_long_int)
#define MPI_UNSIGNED_SHORT OBJECT(MPI_Datatype, ompi_mpi_unsigned_short)
#define MPI_UNSIGNED OBJECT(MPI_Datatype, ompi_mpi_unsigned)
#define MPI_UNSIGNED_LONG OBJECT(MPI_Datatype, ompi_mpi_unsigned_long)
#define MPI_UNSIGNED_LONG_LONG OBJECT(MPI_Datatype, ompi_mpi_unsigned_long_long)
#define MPI_FLOAT OBJECT(MPI_Datatype, ompi_mpi_float)
#define MPI_C_FLOAT_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_c_float_complex)
#define MPI_CXX_FLOAT_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_cxx_cplex)
#define MPI_DOUBLE OBJECT(MPI_Datatype, ompi_mpi_double)
#define MPI_C_DOUBLE_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_c_double_complex)
#define MPI_CXX_DOUBLE_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_cxx_dblcplex)
#define MPI_LOGICAL OBJECT(MPI_Datatype, ompi_mpi_logical)
#define MPI_INTEGER OBJECT(MPI_Datatype, ompi_mpi_integer)
#define MPI_REAL OBJECT(MPI_Datatype, ompi_mpi_real)
#define MPI_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_cplex)
#define MPI_DOUBLE_PRECISION OBJECT(MPI_Datatype, ompi_mpi_dblprec)
#define MPI_DOUBLE_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_dblcplex)
#define MPI_LONG_DOUBLE OBJECT(MPI_Datatype, ompi_mpi_long_double)
#define MPI_C_LONG_DOUBLE_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_c_long_double_complex)
#define MPI_CXX_LONG_DOUBLE_COMPLEX OBJECT(MPI_Datatype, ompi_mpi_cxx_ldblcplex)
#define MPI_FLOAT_INT OBJECT(MPI_Datatype, ompi_mpi_float_int)
#define MPI_DOUBLE_INT OBJECT(MPI_Datatype, ompi_mpi_double_int)
#define MPI_LONG_INT OBJECT(MPI_Datatype, ompi_mpi_long_int)
#define MPI_2INT OBJECT(MPI_Datatype, ompi_mpi_2int)
#define MPI_SHORT_INT OBJECT(MPI_Datatype, ompi_mpi_short_int)
#define MPI_LONG_DOUBLE_INT OBJECT(MPI_Datatype, ompi_mpi_longdbl_int)
#define MPI_2REAL OBJECT(MPI_Datatype, ompi_mpi_2real)
#define MPI_2DOUBLE_PRECISION OBJECT(MPI_Datatype, ompi_mpi_2dblprec)
#define MPI_2INTEGER OBJECT(MPI_Datatype, ompi_mpi_2integer)
#define MPI_C_BOOL OBJECT(MPI_Datatype, ompi_mpi_c_bool)
#define MPI_CXX_BOOL OBJECT(MPI_Datatype, ompi_mpi_cxx_bool)
#define MPI_WCHAR OBJECT(MPI_Datatype, ompi_mpi_wchar)
#define MPI_INT8_T OBJECT(MPI_Datatype, ompi_mpi_int8_t)
#define MPI_UINT8_T OBJECT(MPI_Datatype, ompi_mpi_uint8_t)
#define MPI_CHAR OBJECT(MPI_Datatype, ompi_mpi_char)
#define MPI_SIGNED_CHAR OBJECT(MPI_Datatype, ompi_mpi_signed_char)
#define MPI_UNSIGNED_CHAR OBJECT(MPI_Datatype, ompi_mpi_unsigned_char)
#define MPI_BYTE OBJECT(MPI_Datatype, ompi_mpi_byte)
#define MPI_INT16_T OBJECT(MPI_Datatype, ompi_mpi_int16_t)
#define MPI_UINT16_T OBJECT(MPI_Datatype, ompi_mpi_uint16_t)
#define MPI_INT32_T OBJECT(MPI_Datatype, ompi_mpi_int32_t)
#define MPI_UINT32_T OBJECT(MPI_Datatype, ompi_mpi_uint32_t)
#define MPI_INT64_T OBJECT(MPI_Datatype, ompi_mpi_int64_t)
#define MPI_UINT64_T OBJECT(MPI_Datatype, ompi_mpi_uint64_t)
#define MPI_INTEGER1 OBJECT(MPI_Datatype, ompi_mpi_integer1)
#define MPI_INTEGER2 OBJECT(MPI_Datatype, ompi_mpi_integer2)
#define MPI_INTEGER4 OBJECT(MPI_Datatype, ompi_mpi_integer4)
#define MPI_REAL4 OBJECT(MPI_Datatype, ompi_mpi_real4)
#define MPI_INTEGER8 OBJECT(MPI_Datatype, ompi_mpi_integer8)
#define MPI_REAL8 OBJECT(MPI_Datatype, ompi_mpi_real8)
#define MPI_COMPLEX8 OBJECT(MPI_Datatype, ompi_mpi_complex8)
#define MPI_COMPLEX16 OBJECT(MPI_Datatype, ompi_mpi_complex16)
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

enum {
    MPI_SUCCESS = 0,
    MPI_ERR_COUNT = 2,
    MPI_ERR_COMM = 5,
    MPI_ERR_TRUNCATE = 15,
    MPI_ERR_OTHER = 16,
    MPI_ERR_INTERN = 17,
    MPI_ERR_NO_MEM = 39,
    MPI_ANY_SOURCE = -1,
    MPI_ANY_TAG = -1,
    MPI_PROC_NULL = -2,
    MPI_ROOT = -4,
    MPI_UNDEFINED = -32766,
    MPI_KEYVAL_INVALID = -1,
    MPI_ORDER_C = 0,
    MPI_ORDER_FORTRAN = 1,
    MPI_DISTRIBUTE_NONE = 2,
    MPI_DISTRIBUTE_BLOCK = 0,
    MPI_DISTRIBUTE_DFLT_DARG = -1,
    MPI_COMBINER_NAMED = 0,
    MPI_COMBINER_DUP = 1,
    MPI_COMBINER_CONTIGUOUS = 2,
    MPI_COMBINER_VECTOR = 3,
    MPI_COMBINER_HVECTOR = 5,
    MPI_COMBINER_INDEXED = 6,
    MPI_COMBINER_HINDEXED = 8,
    MPI_COMBINER_INDEXED_BLOCK = 9,
    MPI_COMBINER_HINDEXED_BLOCK = 18,
    MPI_COMBINER_STRUCT = 11,
    MPI_COMBINER_SUBARRAY = 12,
    MPI_COMBINER_DARRAY = 13,
    MPI_COMBINER_F90_REAL = 14,
    MPI_COMBINER_F90_COMPLEX = 15,
    MPI_COMBINER_F90_INTEGER = 16,
    MPI_COMBINER_RESIZED = 17,
    MPI_COMBINER_VALUE_INDEX = 19,
    MPI_CONGRUENT = 1,
    MPI_UNEQUAL = 3,
    MPI_COMM_TYPE_SHARED = 0,
    MPI_THREAD_MULTIPLE = 3
};

#define MPI_MAX_OBJECT_NAME 64
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_COMM_NULL_COPY_FN OBJECT(MPI_Comm_copy_attr_function *, OMPI_C_MPI_COMM_NULL_COPY_FN)
#define MPI_TYPE_NULL_COPY_FN OBJECT(MPI_Type_copy_attr_function *, OMPI_C_MPI_TYPE_NULL_COPY_FN)

#include "functions.h"

#endif
