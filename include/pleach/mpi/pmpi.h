/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MPI library under us, found at run time.
 *
 * libpleach.so is not linked with libmpi, as it would then pull MPI into every process that inherits LD_PRELOAD. The first
 * intercepted call looks up the PMPI_ functions, behind us in the search order or, if MPI came in through a plugin (dlopen
 * with RTLD_LOCAL, as in Python), in the calling object. We call only PMPI_ names, so other tools stacked on MPI_ see
 * nothing of ours.
 */
#ifndef PLEACH_PMPI_H
#define PLEACH_PMPI_H

#include "collective.h"
#include "machine.h"
#include "wire.h"

#include "abi.h"
#include <stdbool.h>
#include <stddef.h>

/* Every PMPI_ function that we call; those in the second list may be missing (MPI before 4.0). */
/* clang-format off */
#define PMPI_REQUIRED(X) \
    X(Abort) X(Allgather) X(Allreduce) X(Bcast) X(Comm_call_errhandler) X(Comm_compare) X(Comm_create_keyval) X(Comm_free) \
    X(Comm_free_keyval) X(Comm_get_attr) X(Comm_get_errhandler) X(Comm_get_name) X(Comm_group) X(Comm_rank) \
    X(Comm_set_attr) X(Comm_set_errhandler) X(Comm_set_name) X(Comm_size) X(Comm_split) X(Comm_split_type) \
    X(Comm_test_inter) X(Errhandler_free) X(Finalized) X(Get_library_version) X(Group_free) X(Group_incl) \
    X(Group_rank) X(Group_size) \
    X(Group_translate_ranks) X(Iallreduce) X(Initialized) X(Iprobe) X(Pack_size) X(Query_thread) X(Reduce) \
    X(Exscan) X(Scan) X(Send) X(Test) \
    X(Type_create_keyval) X(Type_free) X(Type_get_attr) X(Type_get_contents) X(Type_get_envelope) \
    X(Type_get_extent_x) X(Type_get_name) X(Type_get_true_extent_x) X(Type_set_attr) X(Type_size_x)
#define PMPI_OPTIONAL(X) X(Bcast_c) X(Comm_create_from_group) X(Type_get_contents_c) X(Type_get_envelope_c)
/* clang-format on */

struct pmpi {
#define FIELD(name) __typeof__(PMPI_##name) *name;
    PMPI_REQUIRED(FIELD)
    PMPI_OPTIONAL(FIELD)
#undef FIELD
    struct wire wire;             /* what the executor calls */
    enum natives natives;         /* of the MPI library, whatever its interface; set by pmpi_fits() */
    void *native[COLLECTIVES][2]; /* the native functions: PMPI_Bcast, ...; [1] is the large-count (_c) form */
};

extern struct pmpi pmpi;

/*
 * Finds all functions, behind us or in the object of `caller` (a code address). False if MPI cannot be found; then only
 * those of pmpi.native that were found are set. Not thread-safe.
 */
bool pmpi_find(void *caller);

/* The name of the native function, such as "PMPI_Bcast_c". */
const char *pmpi_name(enum collective collective, bool large);

/*
 * The symbol of this name in the program, else in the MPI library; NULL: there is none. After pmpi_find(). The program comes
 * first: without PIC it has copies of the library's objects, and the copies count.
 */
void *pmpi_symbol(const char *name);

/*
 * Makes errors on a communicator of the application return, and undoes that. For calls of ours that may fail, such as for
 * want of a context id: all ranks see that failure alike, and the application's error handler must not.
 */
MPI_Errhandler pmpi_hush(MPI_Comm comm);
void pmpi_unhush(MPI_Comm comm, MPI_Errhandler before);

/* Collective over comm: the largest (MPI_MAX) or smallest (MPI_MIN) of all ranks' numbers. */
int pmpi_agreed(MPI_Comm comm, int mine, MPI_Op op);

/*
 * Does the MPI library have the binary interface that we are built for? After pmpi_find(); finds the constants, too. Writes
 * the library's name and version to name[size]. Sets *library to our library for its interface, or NULL.
 */
bool pmpi_fits(char *name, int size, const char **library);

/*
 * Has MPI_Finalize freed what engines need? Then a callback on MPI_COMM_WORLD has made this call, and Open MPI has no
 * MPI_Reduce_local any more. The same on all ranks of a call: all have finished the callbacks on MPI_COMM_SELF before.
 */
bool pmpi_ending(void);

/*
 * Would MPI_Reduce of more than 2 KiB crash on this rank with this send buffer? MPICH before 4.1.2 does at a root other than
 * 0 with MPI_IN_PLACE (its issue 6540). After pmpi_fits().
 */
bool pmpi_reduce_crashes(const void *in, int rank, int root);

/*
 * Does MPI take the same buffer for input and output in a call of `count` elements? Calling the returned collective tells,
 * on a communicator of one rank whose errors return. MPICH refuses such a buffer; Open MPI takes it in scans, as if in
 * place. For an allreduce of more than one element it returns the reduction, as Open MPI would call the error handler of
 * MPI_COMM_WORLD.
 */
enum collective pmpi_tells_aliasing(enum collective collective, int64_t count);

/*
 * The MPI library in words, such as "MPICH 4.0.2 ch4:ucx" or "Open MPI 4.1.4", from the text of MPI_Get_library_version():
 * name, version and the device, if the text has it; or the first line up to its first comma.
 */
void pmpi_in_words(const char *version, char *words, size_t size);

/* The same for the library that was found. */
void pmpi_words(char *words, size_t size);

#endif
