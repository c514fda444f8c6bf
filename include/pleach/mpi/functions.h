/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of MPI that Pleach or its tests call; each mpi.h of ours includes this file. A test reads them with other
 * macros FUNCTION, FUNCTION_OF_4.
 */
#pragma once

#include "mpi.h"

#ifndef FUNCTION
#define FUNCTION(name, ...)                                                                                                 \
    int MPI_##name(__VA_ARGS__);                                                                                            \
    int PMPI_##name(__VA_ARGS__);
#define FUNCTION_OF_4 FUNCTION
#endif

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);

FUNCTION(Abort, MPI_Comm, int)
FUNCTION(Allgather, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)
FUNCTION(Allreduce, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)
FUNCTION(Barrier, MPI_Comm)
FUNCTION(Bcast, void *, int, MPI_Datatype, int, MPI_Comm)
FUNCTION(Comm_call_errhandler, MPI_Comm, int)
FUNCTION(Comm_compare, MPI_Comm, MPI_Comm, int *)
FUNCTION(Comm_create_keyval, MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *)
FUNCTION(Comm_dup, MPI_Comm, MPI_Comm *)
FUNCTION(Comm_dup_with_info, MPI_Comm, MPI_Info, MPI_Comm *)
FUNCTION(Comm_free, MPI_Comm *)
FUNCTION(Comm_free_keyval, int *)
FUNCTION(Comm_get_attr, MPI_Comm, int, void *, int *)
FUNCTION(Comm_get_errhandler, MPI_Comm, MPI_Errhandler *)
FUNCTION(Comm_get_name, MPI_Comm, char *, int *)
FUNCTION(Comm_group, MPI_Comm, MPI_Group *)
FUNCTION(Comm_rank, MPI_Comm, int *)
FUNCTION(Comm_set_attr, MPI_Comm, int, void *)
FUNCTION(Comm_set_errhandler, MPI_Comm, MPI_Errhandler)
FUNCTION(Comm_set_name, MPI_Comm, const char *)
FUNCTION(Comm_remote_group, MPI_Comm, MPI_Group *)
FUNCTION(Comm_remote_size, MPI_Comm, int *)
FUNCTION(Comm_size, MPI_Comm, int *)
FUNCTION(Comm_split, MPI_Comm, int, int, MPI_Comm *)
FUNCTION(Comm_split_type, MPI_Comm, int, int, MPI_Info, MPI_Comm *)
FUNCTION(Comm_test_inter, MPI_Comm, int *)
FUNCTION(Errhandler_free, MPI_Errhandler *)
FUNCTION(Exscan, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)
FUNCTION(Finalize, void)
FUNCTION(Finalized, int *)
FUNCTION(Gather, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm)
FUNCTION(Get_library_version, char *, int *)
FUNCTION(Group_free, MPI_Group *)
FUNCTION(Group_incl, MPI_Group, int, const int *, MPI_Group *)
FUNCTION(Group_rank, MPI_Group, int *)
FUNCTION(Group_size, MPI_Group, int *)
FUNCTION(Group_translate_ranks, MPI_Group, int, const int *, MPI_Group, int *)
FUNCTION(Iallreduce, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *)
FUNCTION(Info_create, MPI_Info *)
FUNCTION(Info_free, MPI_Info *)
FUNCTION(Info_set, MPI_Info, const char *, const char *)
FUNCTION(Init, int *, char ***)
FUNCTION(Initialized, int *)
FUNCTION(Iprobe, int, int, MPI_Comm, int *, MPI_Status *)
FUNCTION(Isend, const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)
FUNCTION(Issend, const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)
FUNCTION(Op_commutative, MPI_Op, int *)
FUNCTION(Op_create, MPI_User_function *, int, MPI_Op *)
FUNCTION(Op_free, MPI_Op *)
FUNCTION(Pack_size, int, MPI_Datatype, MPI_Comm, int *)
FUNCTION(Query_thread, int *)
FUNCTION(Recv, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
FUNCTION(Reduce, const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm)
FUNCTION(Reduce_local, const void *, void *, int, MPI_Datatype, MPI_Op)
FUNCTION(Request_free, MPI_Request *)
FUNCTION(Scan, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm)
FUNCTION(Send, const void *, int, MPI_Datatype, int, int, MPI_Comm)
FUNCTION(Sendrecv, const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
FUNCTION(T_cvar_get_index, const char *, int *)
FUNCTION(T_cvar_get_info, int, char *, int *, int *, MPI_Datatype *, MPI_T_enum *, char *, int *, int *, int *)
FUNCTION(T_cvar_handle_alloc, int, void *, MPI_T_cvar_handle *, int *)
FUNCTION(T_cvar_read, MPI_T_cvar_handle, void *)
FUNCTION(T_cvar_write, MPI_T_cvar_handle, const void *)
FUNCTION(T_enum_get_info, MPI_T_enum, int *, char *, int *)
FUNCTION(T_enum_get_item, MPI_T_enum, int, int *, char *, int *)
FUNCTION(T_init_thread, int, int *)
FUNCTION(Test, MPI_Request *, int *, MPI_Status *)
FUNCTION(Type_commit, MPI_Datatype *)
FUNCTION(Type_contiguous, int, MPI_Datatype, MPI_Datatype *)
FUNCTION(Type_create_keyval, MPI_Type_copy_attr_function *, MPI_Type_delete_attr_function *, int *, void *)
FUNCTION(Type_free, MPI_Datatype *)
FUNCTION(Type_get_attr, MPI_Datatype, int, void *, int *)
FUNCTION(Type_get_contents, MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *)
FUNCTION(Type_get_envelope, MPI_Datatype, int *, int *, int *, int *)
FUNCTION(Type_get_extent_x, MPI_Datatype, MPI_Count *, MPI_Count *)
FUNCTION(Type_get_name, MPI_Datatype, char *, int *)
FUNCTION(Type_get_true_extent_x, MPI_Datatype, MPI_Count *, MPI_Count *)
FUNCTION(Type_set_attr, MPI_Datatype, int, void *)
FUNCTION(Type_size_x, MPI_Datatype, MPI_Count *)
FUNCTION(Wait, MPI_Request *, MPI_Status *)

/* Of MPI 4. */
FUNCTION_OF_4(Bcast_c, void *, MPI_Count, MPI_Datatype, int, MPI_Comm)
FUNCTION_OF_4(Comm_create_from_group, MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *)
FUNCTION_OF_4(Type_get_contents_c, MPI_Datatype, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int *, MPI_Aint *, MPI_Count *,
              MPI_Datatype *)
FUNCTION_OF_4(Type_get_envelope_c, MPI_Datatype, MPI_Count *, MPI_Count *, MPI_Count *, MPI_Count *, int *)

#undef FUNCTION
#undef FUNCTION_OF_4
