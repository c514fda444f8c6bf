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

#define ABI_HANDLE(type, mpich, openmpi, standard) OBJECT(MPI_##type, ompi_##openmpi)
#define ABI_NUMBER(mpich, openmpi, standard) openmpi
#include "abi_constants.h"

#define MPI_MAX_OBJECT_NAME 64
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_COMM_NULL_COPY_FN OBJECT(MPI_Comm_copy_attr_function *, OMPI_C_MPI_COMM_NULL_COPY_FN)
#define MPI_TYPE_NULL_COPY_FN OBJECT(MPI_Type_copy_attr_function *, OMPI_C_MPI_TYPE_NULL_COPY_FN)

#include "functions.h"

#endif
