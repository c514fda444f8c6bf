/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The binary interface of MPI for which a part is built: MPICH's, Open MPI's, or that of the MPI 5 standard. The
 * sources are compiled once for each interface, with its mpi.h. This file hides the differences between the mpi.h files.
 * handles.c and pmpi.c hide the differences between the MPI libraries.
 */
#pragma once

#include <mpi.h>
#include <stdint.h>

/* New releases deprecate functions whose successors old ones lack. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#if !defined OPEN_MPI && !defined MPI_ABI_VERSION
#define ABI_MPICH 1
#endif

/*
 * Open MPI's constants are addresses of objects in its library, which pmpi_find() finds. So Pleach initialises no static
 * variable with a handle, and uses no handle before pmpi_find().
 */
#if defined OPEN_MPI
/* clang-format off */
#define ABI_OBJECTS(X) \
    X(ompi_mpi_comm_world) X(ompi_mpi_comm_self) X(ompi_mpi_comm_null) X(ompi_mpi_group_null) X(ompi_mpi_group_empty) \
    X(ompi_mpi_info_null) X(ompi_mpi_errors_return) X(ompi_mpi_errhandler_null) X(ompi_request_null) \
    X(ompi_mpi_datatype_null) X(ompi_mpi_op_null) X(ompi_mpi_op_sum) X(ompi_mpi_op_prod) X(ompi_mpi_op_max) \
    X(ompi_mpi_op_min) X(ompi_mpi_op_land) X(ompi_mpi_op_band) X(ompi_mpi_op_lor) X(ompi_mpi_op_bor) X(ompi_mpi_op_lxor) \
    X(ompi_mpi_op_bxor) X(ompi_mpi_op_minloc) X(ompi_mpi_op_maxloc) X(ompi_mpi_char) X(ompi_mpi_signed_char) \
    X(ompi_mpi_unsigned_char) X(ompi_mpi_byte) X(ompi_mpi_short) X(ompi_mpi_unsigned_short) X(ompi_mpi_int) \
    X(ompi_mpi_unsigned) X(ompi_mpi_long) X(ompi_mpi_unsigned_long) X(ompi_mpi_long_long_int) \
    X(ompi_mpi_unsigned_long_long) X(ompi_mpi_int8_t) X(ompi_mpi_int16_t) X(ompi_mpi_int32_t) X(ompi_mpi_int64_t) \
    X(ompi_mpi_uint8_t) X(ompi_mpi_uint16_t) X(ompi_mpi_uint32_t) X(ompi_mpi_uint64_t) X(ompi_mpi_aint) X(ompi_mpi_offset) \
    X(ompi_mpi_count) X(ompi_mpi_c_bool) X(ompi_mpi_integer) X(ompi_mpi_integer1) X(ompi_mpi_integer2) \
    X(ompi_mpi_integer4) X(ompi_mpi_integer8) X(ompi_mpi_float) X(ompi_mpi_double) X(ompi_mpi_long_double) \
    X(ompi_mpi_real) X(ompi_mpi_real4) X(ompi_mpi_real8) X(ompi_mpi_dblprec) X(ompi_mpi_2int) X(ompi_mpi_long_int) \
    X(ompi_mpi_short_int) X(ompi_mpi_2integer) X(ompi_mpi_2real) X(ompi_mpi_2dblprec) X(ompi_mpi_float_int) \
    X(ompi_mpi_double_int) X(ompi_mpi_longdbl_int) X(ompi_mpi_wchar) X(ompi_mpi_logical) X(ompi_mpi_c_float_complex) \
    X(ompi_mpi_c_double_complex) X(ompi_mpi_c_long_double_complex) X(ompi_mpi_cplex) X(ompi_mpi_dblcplex) \
    X(ompi_mpi_complex8) X(ompi_mpi_complex16) X(ompi_mpi_cxx_bool) X(ompi_mpi_cxx_cplex) X(ompi_mpi_cxx_dblcplex) \
    X(ompi_mpi_cxx_ldblcplex) X(OMPI_C_MPI_COMM_NULL_COPY_FN) X(OMPI_C_MPI_TYPE_NULL_COPY_FN)
/* clang-format on */
struct abi_objects {
#define FIELD(name) void *name;
    ABI_OBJECTS(FIELD)
#undef FIELD
};
extern struct abi_objects abi_objects;

#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, object) ((type)abi_objects.object)
#undef MPI_COMM_NULL_COPY_FN
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)abi_objects.OMPI_C_MPI_COMM_NULL_COPY_FN)
#undef MPI_TYPE_NULL_COPY_FN
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)abi_objects.OMPI_C_MPI_TYPE_NULL_COPY_FN)

#endif

/* Functions of MPI 4, which an older mpi.h does not declare. The library may have them all the same. */
#if MPI_VERSION < 4
int PMPI_Bcast_c(void *, MPI_Count, MPI_Datatype, int, MPI_Comm);
int PMPI_Comm_create_from_group(MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *);
int PMPI_Type_get_contents_c(MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int *, MPI_Aint *, MPI_Count *,
                             MPI_Datatype *);
int PMPI_Type_get_envelope_c(MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *, int *);
#endif

/* Does a part serve calls from Fortran? MPICH's Fortran functions call the C functions, so Pleach intercepts those. */
#ifdef OPEN_MPI
enum { ABI_SERVES_FORTRAN = 1 };
#else
enum { ABI_SERVES_FORTRAN = 0 };
#endif

/* Does a native call find all errors that validate() finds? Except in MPICH, one rank may accept an error of another. */
#ifdef ABI_MPICH
enum { ABI_REPORTS_ALL = 1 };
#else
enum { ABI_REPORTS_ALL = 0 };
#endif

/*
 * These combiners belong to functions that MPI 3 removed. Only MPICH has datatypes with them. In the mpi.h of Open MPI they
 * are macros or, with its functions of MPI 1, enumerators.
 */
#ifndef ABI_MPICH
#undef MPI_COMBINER_HVECTOR_INTEGER
#undef MPI_COMBINER_HINDEXED_INTEGER
#undef MPI_COMBINER_STRUCT_INTEGER
#define MPI_COMBINER_HVECTOR_INTEGER (-1)
#define MPI_COMBINER_HINDEXED_INTEGER (-2)
#define MPI_COMBINER_STRUCT_INTEGER (-3)
#endif

/* MPI_COMBINER_VALUE_INDEX, which an mpi.h before MPI 4.1 lacks. Open MPI has no datatypes with it. */
#if defined ABI_MPICH
enum { ABI_VALUE_INDEX = 20 };
#elif defined OPEN_MPI
enum { ABI_VALUE_INDEX = -4 };
#else
enum { ABI_VALUE_INDEX = MPI_COMBINER_VALUE_INDEX };
#endif

/* For MPI_MAX of MPI_UINT64_T: MPICH 4.0.2 takes numbers above this one for negative ones. */
#define ABI_LARGEST_COMPARED INT64_MAX

/* Bytes that suffice for the version text of any library. The constant in an mpi.h holds for one library alone. */
enum { ABI_VERSION_TEXT = 8192 };

/*
 * HANDLE_BITS is a handle as a number. MPICH's handles are ints. In the other interfaces, handles are addresses, or small
 * numbers for the constants of the standard ABI. HANDLE_KEY is the same number as a uint64_t. It fits into 48 bits, as any
 * address of a process does.
 */
#ifdef ABI_MPICH
#define HANDLE_BITS(handle) ((uintptr_t)(unsigned)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(unsigned)(handle))
#else
#define HANDLE_BITS(handle) ((uintptr_t)(handle))
#define HANDLE_KEY(handle) ((uint64_t)(uintptr_t)(handle))
#endif

/*
 * A hash of a handle. Only its upper bits are well mixed. The usual factor, near the golden section, would not separate the
 * addresses of objects that lie in a row.
 */
#define HANDLE_HASH(handle) (HANDLE_KEY(handle) * UINT64_C(0xd6e8feb86659fd93))
