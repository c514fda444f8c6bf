/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The constants of MPI that Pleach uses, by binary interface. Each mpi.h of ours first defines ABI_HANDLE(type, MPICH,
 * OPEN_MPI, STANDARD) and ABI_NUMBER(MPICH, OPEN_MPI, STANDARD), which take those of its interface. Open MPI's handles are
 * objects; "ompi_" is left out of their names.
 */
#pragma once

#include "mpi.h"

#define MPI_OP_NULL ABI_HANDLE(Op, 0x18000000, mpi_op_null, 0x020)
#define MPI_SUM ABI_HANDLE(Op, 0x58000003, mpi_op_sum, 0x021)
#define MPI_MIN ABI_HANDLE(Op, 0x58000002, mpi_op_min, 0x022)
#define MPI_MAX ABI_HANDLE(Op, 0x58000001, mpi_op_max, 0x023)
#define MPI_PROD ABI_HANDLE(Op, 0x58000004, mpi_op_prod, 0x024)
#define MPI_BAND ABI_HANDLE(Op, 0x58000006, mpi_op_band, 0x028)
#define MPI_BOR ABI_HANDLE(Op, 0x58000008, mpi_op_bor, 0x029)
#define MPI_BXOR ABI_HANDLE(Op, 0x5800000a, mpi_op_bxor, 0x02a)
#define MPI_LAND ABI_HANDLE(Op, 0x58000005, mpi_op_land, 0x030)
#define MPI_LOR ABI_HANDLE(Op, 0x58000007, mpi_op_lor, 0x031)
#define MPI_LXOR ABI_HANDLE(Op, 0x58000009, mpi_op_lxor, 0x032)
#define MPI_MINLOC ABI_HANDLE(Op, 0x5800000b, mpi_op_minloc, 0x038)
#define MPI_MAXLOC ABI_HANDLE(Op, 0x5800000c, mpi_op_maxloc, 0x039)

#define MPI_COMM_NULL ABI_HANDLE(Comm, 0x04000000, mpi_comm_null, 0x100)
#define MPI_COMM_WORLD ABI_HANDLE(Comm, 0x44000000, mpi_comm_world, 0x101)
#define MPI_COMM_SELF ABI_HANDLE(Comm, 0x44000001, mpi_comm_self, 0x102)
#define MPI_GROUP_NULL ABI_HANDLE(Group, 0x08000000, mpi_group_null, 0x108)
#define MPI_INFO_NULL ABI_HANDLE(Info, 0x1c000000, mpi_info_null, 0x130)
#define MPI_ERRHANDLER_NULL ABI_HANDLE(Errhandler, 0x14000000, mpi_errhandler_null, 0x140)
#define MPI_ERRORS_RETURN ABI_HANDLE(Errhandler, 0x54000001, mpi_errors_return, 0x143)
#define MPI_REQUEST_NULL ABI_HANDLE(Request, 0x2c000000, request_null, 0x180)

#define MPI_DATATYPE_NULL ABI_HANDLE(Datatype, 0x0c000000, mpi_datatype_null, 0x200)
#define MPI_AINT ABI_HANDLE(Datatype, 0x4c000843, mpi_aint, 0x201)
#define MPI_COUNT ABI_HANDLE(Datatype, 0x4c000845, mpi_count, 0x202)
#define MPI_OFFSET ABI_HANDLE(Datatype, 0x4c000844, mpi_offset, 0x203)
#define MPI_PACKED ABI_HANDLE(Datatype, 0x4c00010f, mpi_packed, 0x207)
#define MPI_SHORT ABI_HANDLE(Datatype, 0x4c000203, mpi_short, 0x208)
#define MPI_INT ABI_HANDLE(Datatype, 0x4c000405, mpi_int, 0x209)
#define MPI_LONG ABI_HANDLE(Datatype, 0x4c000807, mpi_long, 0x20a)
#define MPI_LONG_LONG ABI_HANDLE(Datatype, 0x4c000809, mpi_long_long_int, 0x20b)
#define MPI_UNSIGNED_SHORT ABI_HANDLE(Datatype, 0x4c000204, mpi_unsigned_short, 0x20c)
#define MPI_UNSIGNED ABI_HANDLE(Datatype, 0x4c000406, mpi_unsigned, 0x20d)
#define MPI_UNSIGNED_LONG ABI_HANDLE(Datatype, 0x4c000808, mpi_unsigned_long, 0x20e)
#define MPI_UNSIGNED_LONG_LONG ABI_HANDLE(Datatype, 0x4c000819, mpi_unsigned_long_long, 0x20f)
#define MPI_FLOAT ABI_HANDLE(Datatype, 0x4c00040a, mpi_float, 0x210)
#define MPI_C_FLOAT_COMPLEX ABI_HANDLE(Datatype, 0x4c000840, mpi_c_float_complex, 0x212)
#define MPI_CXX_FLOAT_COMPLEX ABI_HANDLE(Datatype, 0x4c000834, mpi_cxx_cplex, 0x213)
#define MPI_DOUBLE ABI_HANDLE(Datatype, 0x4c00080b, mpi_double, 0x214)
#define MPI_C_DOUBLE_COMPLEX ABI_HANDLE(Datatype, 0x4c001041, mpi_c_double_complex, 0x216)
#define MPI_CXX_DOUBLE_COMPLEX ABI_HANDLE(Datatype, 0x4c001035, mpi_cxx_dblcplex, 0x217)
#define MPI_LOGICAL ABI_HANDLE(Datatype, 0x4c00041d, mpi_logical, 0x218)
#define MPI_INTEGER ABI_HANDLE(Datatype, 0x4c00041b, mpi_integer, 0x219)
#define MPI_REAL ABI_HANDLE(Datatype, 0x4c00041c, mpi_real, 0x21a)
#define MPI_COMPLEX ABI_HANDLE(Datatype, 0x4c00081e, mpi_cplex, 0x21b)
#define MPI_DOUBLE_PRECISION ABI_HANDLE(Datatype, 0x4c00081f, mpi_dblprec, 0x21c)
#define MPI_DOUBLE_COMPLEX ABI_HANDLE(Datatype, 0x4c001022, mpi_dblcplex, 0x21d)
#define MPI_LONG_DOUBLE ABI_HANDLE(Datatype, 0x4c00100c, mpi_long_double, 0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX ABI_HANDLE(Datatype, 0x4c002042, mpi_c_long_double_complex, 0x224)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ABI_HANDLE(Datatype, 0x4c002036, mpi_cxx_ldblcplex, 0x225)
#define MPI_FLOAT_INT ABI_HANDLE(Datatype, 0x8c000000, mpi_float_int, 0x228)
#define MPI_DOUBLE_INT ABI_HANDLE(Datatype, 0x8c000001, mpi_double_int, 0x229)
#define MPI_LONG_INT ABI_HANDLE(Datatype, 0x8c000002, mpi_long_int, 0x22a)
#define MPI_2INT ABI_HANDLE(Datatype, 0x4c000816, mpi_2int, 0x22b)
#define MPI_SHORT_INT ABI_HANDLE(Datatype, 0x8c000003, mpi_short_int, 0x22c)
#define MPI_LONG_DOUBLE_INT ABI_HANDLE(Datatype, 0x8c000004, mpi_longdbl_int, 0x22d)
#define MPI_2REAL ABI_HANDLE(Datatype, 0x4c000821, mpi_2real, 0x230)
#define MPI_2DOUBLE_PRECISION ABI_HANDLE(Datatype, 0x4c001023, mpi_2dblprec, 0x231)
#define MPI_2INTEGER ABI_HANDLE(Datatype, 0x4c000820, mpi_2integer, 0x232)
#define MPI_C_BOOL ABI_HANDLE(Datatype, 0x4c00013f, mpi_c_bool, 0x238)
#define MPI_CXX_BOOL ABI_HANDLE(Datatype, 0x4c000133, mpi_cxx_bool, 0x239)
#define MPI_WCHAR ABI_HANDLE(Datatype, 0x4c00040e, mpi_wchar, 0x23c)
#define MPI_INT8_T ABI_HANDLE(Datatype, 0x4c000137, mpi_int8_t, 0x240)
#define MPI_UINT8_T ABI_HANDLE(Datatype, 0x4c00013b, mpi_uint8_t, 0x241)
#define MPI_CHAR ABI_HANDLE(Datatype, 0x4c000101, mpi_char, 0x243)
#define MPI_SIGNED_CHAR ABI_HANDLE(Datatype, 0x4c000118, mpi_signed_char, 0x244)
#define MPI_UNSIGNED_CHAR ABI_HANDLE(Datatype, 0x4c000102, mpi_unsigned_char, 0x245)
#define MPI_BYTE ABI_HANDLE(Datatype, 0x4c00010d, mpi_byte, 0x247)
#define MPI_INT16_T ABI_HANDLE(Datatype, 0x4c000238, mpi_int16_t, 0x248)
#define MPI_UINT16_T ABI_HANDLE(Datatype, 0x4c00023c, mpi_uint16_t, 0x249)
#define MPI_INT32_T ABI_HANDLE(Datatype, 0x4c000439, mpi_int32_t, 0x250)
#define MPI_UINT32_T ABI_HANDLE(Datatype, 0x4c00043d, mpi_uint32_t, 0x251)
#define MPI_INT64_T ABI_HANDLE(Datatype, 0x4c00083a, mpi_int64_t, 0x258)
#define MPI_UINT64_T ABI_HANDLE(Datatype, 0x4c00083e, mpi_uint64_t, 0x259)
#define MPI_INTEGER1 ABI_HANDLE(Datatype, 0x4c00012d, mpi_integer1, 0x2c1)
#define MPI_INTEGER2 ABI_HANDLE(Datatype, 0x4c00022f, mpi_integer2, 0x2c9)
#define MPI_INTEGER4 ABI_HANDLE(Datatype, 0x4c000430, mpi_integer4, 0x2d1)
#define MPI_REAL4 ABI_HANDLE(Datatype, 0x4c000427, mpi_real4, 0x2d2)
#define MPI_INTEGER8 ABI_HANDLE(Datatype, 0x4c000831, mpi_integer8, 0x2d9)
#define MPI_REAL8 ABI_HANDLE(Datatype, 0x4c000829, mpi_real8, 0x2da)
#define MPI_COMPLEX8 ABI_HANDLE(Datatype, 0x4c000828, mpi_complex8, 0x2db)
#define MPI_COMPLEX16 ABI_HANDLE(Datatype, 0x4c00102a, mpi_complex16, 0x2e3)
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX

enum {
    MPI_SUCCESS = 0,
    MPI_ERR_COUNT = 2,
    MPI_ERR_COMM = 5,
    MPI_ERR_TRUNCATE = ABI_NUMBER(14, 15, 15),
    MPI_ERR_OTHER = ABI_NUMBER(15, 16, 16),
    MPI_ERR_INTERN = ABI_NUMBER(16, 17, 17),
    MPI_ERR_NO_MEM = ABI_NUMBER(34, 39, 39),
    MPI_ANY_SOURCE = ABI_NUMBER(-2, -1, -1),
    MPI_ANY_TAG = ABI_NUMBER(-1, -1, -2),
    MPI_PROC_NULL = ABI_NUMBER(-1, -2, -3),
    MPI_ROOT = ABI_NUMBER(-3, -4, -4),
    MPI_UNDEFINED = -32766,
    MPI_KEYVAL_INVALID = ABI_NUMBER(0x24000000, -1, 0),
    MPI_ORDER_C = ABI_NUMBER(56, 0, 12),
    MPI_ORDER_FORTRAN = ABI_NUMBER(57, 1, 15),
    MPI_DISTRIBUTE_NONE = ABI_NUMBER(123, 2, 16),
    MPI_DISTRIBUTE_BLOCK = ABI_NUMBER(121, 0, 17),
    MPI_DISTRIBUTE_DFLT_DARG = ABI_NUMBER(-49767, -1, 19),
    MPI_COMBINER_NAMED = ABI_NUMBER(1, 0, 101),
    MPI_COMBINER_DUP = ABI_NUMBER(2, 1, 102),
    MPI_COMBINER_CONTIGUOUS = ABI_NUMBER(3, 2, 103),
    MPI_COMBINER_VECTOR = ABI_NUMBER(4, 3, 104),
    MPI_COMBINER_HVECTOR = ABI_NUMBER(6, 5, 105),
    MPI_COMBINER_INDEXED = ABI_NUMBER(7, 6, 106),
    MPI_COMBINER_HINDEXED = ABI_NUMBER(9, 8, 107),
    MPI_COMBINER_INDEXED_BLOCK = ABI_NUMBER(10, 9, 108),
    MPI_COMBINER_HINDEXED_BLOCK = ABI_NUMBER(19, 18, 109),
    MPI_COMBINER_STRUCT = ABI_NUMBER(12, 11, 110),
    MPI_COMBINER_SUBARRAY = ABI_NUMBER(13, 12, 111),
    MPI_COMBINER_DARRAY = ABI_NUMBER(14, 13, 112),
    MPI_COMBINER_F90_REAL = ABI_NUMBER(15, 14, 113),
    MPI_COMBINER_F90_COMPLEX = ABI_NUMBER(16, 15, 114),
    MPI_COMBINER_F90_INTEGER = ABI_NUMBER(17, 16, 115),
    MPI_COMBINER_RESIZED = ABI_NUMBER(18, 17, 116),
    MPI_COMBINER_VALUE_INDEX = ABI_NUMBER(20, 19, 117),
    MPI_CONGRUENT = ABI_NUMBER(1, 1, 202),
    MPI_UNEQUAL = ABI_NUMBER(3, 3, 204),
    MPI_COMM_TYPE_SHARED = ABI_NUMBER(1, 0, 221),
    MPI_THREAD_MULTIPLE = ABI_NUMBER(3, 3, 4096)
};
