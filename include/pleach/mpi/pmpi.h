/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI library, found at run time (caller.h). Pleach calls PMPI_ names only, hidden from other tools. */
#pragma once

#include "collective.h"
#include "machine.h"
#include "wire.h"

#include "abi.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* All that we call. The second list may be missing, as before MPI 4.0. */
/* clang-format off */
#define PMPI_REQUIRED(X) \
    X(Abort) X(Allgather) X(Allreduce) X(Bcast) X(Comm_call_errhandler) X(Comm_compare) X(Comm_create_keyval) X(Comm_free) \
    X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_errhandler) X(Comm_get_name) X(Comm_group) X(Comm_rank) \
    X(Comm_remote_group) X(Comm_remote_size) \
    X(Comm_set_attr) X(Comm_set_errhandler) X(Comm_set_name) X(Comm_size) X(Comm_split) X(Comm_split_type) \
    X(Comm_test_inter) X(Errhandler_free) X(Finalized) X(Get_library_version) X(Group_free) X(Group_incl) \
    X(Group_rank) X(Group_size) \
    X(Group_translate_ranks) X(Iallreduce) X(Initialized) X(Iprobe) \
    X(Op_commutative) X(Op_create) X(Op_free) X(Pack_size) X(Query_thread) X(Reduce) \
    X(Exscan) X(Scan) X(Send) X(Test) \
    X(Type_create_keyval) X(Type_free) X(Type_get_attr) X(Type_get_contents) X(Type_get_envelope) \
    X(Type_get_extent_x) X(Type_get_name) X(Type_get_true_extent_x) X(Type_set_attr) X(Type_size_x)
#define PMPI_OPTIONAL(X) \
    X(Bcast_c) X(Comm_create_from_group) X(Type_get_contents_c) X(Type_get_envelope_c) \
    X(Comm_dup_with_info) X(Info_create) X(Info_free) X(Info_set) X(T_enum_get_info) X(T_enum_get_item) \
    X(T_init_thread) X(T_cvar_get_index) X(T_cvar_get_info) X(T_cvar_handle_alloc) X(T_cvar_read) X(T_cvar_write)
/* clang-format on */

struct pmpi {
#define FIELD(name) __typeof__(PMPI_##name) *name;
    PMPI_REQUIRED(FIELD)
    PMPI_OPTIONAL(FIELD)
#undef FIELD
    struct wire wire;             /* what the executor calls */
    enum natives natives;         /* the model of native calls */
    void *native[COLLECTIVES][2]; /* PMPI_Bcast, ..; [1]: the _c form */
};

extern struct pmpi pmpi;

/*
 * Finds all functions by `find`, a look-up in the MPI library; a program linked with MPI passes pmpi_symbol. Call it first.
 * Returns false if a required one is missing. Not thread-safe.
 */
bool pmpi_find(void *(*find)(const char *name));

/*
 * The address of a symbol in the global scope, else in the MPI library; or NULL. A program without PIC has copies of the
 * library's objects, which then count.
 */
void *pmpi_symbol(const char *name);

/*
 * Between both functions, errors on an application's communicator return: for calls of ours that may fail. The ranks agree
 * on their success.
 */
MPI_Errhandler pmpi_hush(MPI_Comm comm);
void pmpi_unhush(MPI_Comm comm, MPI_Errhandler before);

/*
 * Has MPI_Finalize freed what engines need? Open MPI has no MPI_Reduce_local in callbacks on MPI_COMM_WORLD. The same on all
 * ranks of a call, which have all finished callbacks on MPI_COMM_SELF. Asks MPI if pmpi_may_end, true at first; it may be
 * false while a callback on MPI_COMM_SELF is to come.
 */
bool pmpi_ending(void);
extern _Atomic bool pmpi_may_end;

/*
 * Would MPI_Reduce of more than 2 KiB crash here? MPICH before 4.1.2 does with MPI_IN_PLACE and a root other than 0 (its
 * issue 6540).
 */
bool pmpi_reduce_crashes(const void *in, int rank, int root);

/*
 * The collective to call on one rank, with MPI_ERRORS_RETURN, to learn whether MPI refuses one buffer for IN and OUT here,
 * as MPICH does; Open MPI's scans accept it. COLL_REDUCE for an all-reduce of several elements, in which Open MPI would call
 * MPI_COMM_WORLD's error handler.
 */
enum collective pmpi_reports_aliasing(enum collective collective, int64_t count);

/*
 * Writes words such as "MPICH 4.0.2 ch4:ucx", from the text of MPI_Get_library_version(); if that has another form, its
 * first line up to a comma.
 */
void pmpi_in_words(const char *version, char *words, size_t size);

/* The same of this MPI library. */
void pmpi_words(char *words, size_t size);
