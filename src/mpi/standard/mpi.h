/* SPDX-License-Identifier: BSD-2-Clause */
/* What Pleach uses of the standard ABI (MPI 5.0, chapter 20), the same in every library. */
#ifndef PLEACH_MPI_H
#define PLEACH_MPI_H

#include <stdint.h>

#define MPI_ABI_VERSION 1

/* ---- Types: handles are pointers to structs that only the library knows ---------------------------------------------- */

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_T_cvar_handle *MPI_T_cvar_handle;
typedef struct MPI_ABI_T_enum *MPI_T_enum;

typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5];
} MPI_Status;

/* ---- Constants ------------------------------------------------------------------------------------------------------- */

#define ABI_HANDLE(type, mpich, openmpi, standard) ((MPI_##type)standard)
#define ABI_NUMBER(mpich, openmpi, standard) standard
#include "abi_constants.h"

#define MPI_MAX_OBJECT_NAME 128
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)

#include "functions.h"

#endif
