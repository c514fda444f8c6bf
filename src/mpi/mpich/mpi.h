/* SPDX-License-Identifier: BSD-2-Clause */
/* What Pleach uses of MPICH's binary interface, since 3.2, and of its ABI initiative. A test compares. */
#ifndef PLEACH_MPI_H
#define PLEACH_MPI_H

#include <stdint.h>

/* ---- Types: handles are numbers -------------------------------------------------------------------------------------- */

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef int MPI_Group;
typedef int MPI_Info;
typedef int MPI_Op;
typedef int MPI_Request;
typedef struct MPIR_T_cvar_handle_s *MPI_T_cvar_handle;
typedef struct MPIR_T_enum_s *MPI_T_enum;

typedef struct {
    int MPI_internal[2], MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;

/* ---- Constants ------------------------------------------------------------------------------------------------------- */

#define ABI_HANDLE(type, mpich, openmpi, standard) ((MPI_##type)mpich)
#define ABI_NUMBER(mpich, openmpi, standard) mpich
#include "abi_constants.h"
enum { MPI_COMBINER_HVECTOR_INTEGER = 5, MPI_COMBINER_HINDEXED_INTEGER = 8, MPI_COMBINER_STRUCT_INTEGER = 11 };

#define MPI_MAX_OBJECT_NAME 128
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)

#include "functions.h"

#endif
