/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MPI library behind Pleach, which is found at run time: caller.h says where. Pleach calls only PMPI_ names, so other
 * tools that intercept MPI_ names do not see its calls.
 */
#pragma once

#include "collective.h"
#include "machine.h"
#include "wire.h"

#include "abi.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* All PMPI_ functions that we call. Those in the second list may be missing, as before MPI 4.0. */
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
    X(T_init_thread) X(T_cvar_get_index) X(T_cvar_get_info) X(T_cvar_handle_alloc) X(T_cvar_read) X(T_cvar_write)
/* clang-format on */

struct pmpi {
#define FIELD(name) __typeof__(PMPI_##name) *name;
    PMPI_REQUIRED(FIELD)
    PMPI_OPTIONAL(FIELD)
#undef FIELD
    struct wire wire;             /* the functions that the executor calls */
    enum natives natives;         /* the model of the MPI library's native calls */
    void *native[COLLECTIVES][2]; /* the native functions: PMPI_Bcast, ...; [1] is the large-count (_c) form */
};

extern struct pmpi pmpi;

/*
 * Finds all functions and the constants by `find`, which looks up a symbol in the MPI library. Returns false if one that is
 * required is missing. Call it first. A program that is linked with MPI passes pmpi_symbol. Not thread-safe.
 */
bool pmpi_find(void *(*find)(const char *name));

/*
 * The address of a symbol in the global scope, which begins with the program, or else in the MPI library; NULL if neither
 * has it. The program comes first because a program without PIC has copies of the library's
 * objects, and the library then uses the copies.
 */
void *pmpi_symbol(const char *name);

/*
 * pmpi_hush() makes errors on a communicator of the application return, and pmpi_unhush() undoes that. They enclose calls of
 * ours that may fail, for example because no context id is left. The application's error handler must not see that. The
 * ranks agree whether such a call has succeeded on all of them.
 */
MPI_Errhandler pmpi_hush(MPI_Comm comm);
void pmpi_unhush(MPI_Comm comm, MPI_Errhandler before);

/*
 * Has MPI_Finalize freed anything that engines need? Open MPI has no MPI_Reduce_local any more while MPI_Finalize runs the
 * callbacks on MPI_COMM_WORLD, and such a callback may call a collective. The result is the same on all ranks of a call,
 * because all of them have finished the callbacks on MPI_COMM_SELF before. MPI is asked if pmpi_may_end is true, as it is at
 * first; while a callback on MPI_COMM_SELF is still to come, it may be false.
 */
bool pmpi_ending(void);
extern _Atomic bool pmpi_may_end;

/*
 * Would MPI_Reduce of more than 2 KiB crash on this rank with this send buffer? MPICH before 4.1.2 crashes with MPI_IN_PLACE
 * if the root is not 0 (its issue 6540).
 */
bool pmpi_reduce_crashes(const void *in, int rank, int root);

/*
 * MPI may refuse the same buffer for input and output. To find out whether MPI does so in a call of `count` elements, call
 * the returned collective on a communicator that has one rank and the error handler MPI_ERRORS_RETURN. MPICH refuses such a
 * buffer. Open MPI accepts it in scans, as if it were MPI_IN_PLACE. For an all-reduce of more than one element the function
 * returns COLL_REDUCE, because in an all-reduce Open MPI would call the error handler of MPI_COMM_WORLD.
 */
enum collective pmpi_reports_aliasing(enum collective collective, int64_t count);

/*
 * Describes the MPI library in words, such as "MPICH 4.0.2 ch4:ucx" or "Open MPI 4.1.4". `version` is the text of
 * MPI_Get_library_version(). The words are name, version and, if the text has it, the device. If the text has another form,
 * they are its first line up to the first comma.
 */
void pmpi_in_words(const char *version, char *words, size_t size);

/* Describes the MPI library, as pmpi_in_words() does. */
void pmpi_words(char *words, size_t size);
