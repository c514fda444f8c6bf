/* SPDX-License-Identifier: BSD-2-Clause */
/* See self_comm.h. */
#include "self_comm.h"

#include "small_stack.h"

#include <limits.h>
#include <pthread.h>

/* Held by a borrower: two would restore the wrong error handler. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Errhandler before;

/* From the group of a session's communicator, without MPI_COMM_SELF. */
static int create_from(MPI_Comm comm)
{
    MPI_Group group, self;
    int rank, error = MPI_ERR_OTHER;
    if (!pmpi.Comm_create_from_group || pmpi.Comm_group(comm, &group) != MPI_SUCCESS)
        return error;
    pmpi.Group_rank(group, &rank);
    if (pmpi.Group_incl(group, 1, &rank, &self) == MPI_SUCCESS) {
        error = pmpi.Comm_create_from_group(self, "pleach-self", MPI_INFO_NULL, MPI_ERRORS_RETURN, &process.self_comm);
        pmpi.Group_free(&self);
    }
    pmpi.Group_free(&group);
    return error;
}

/* A duplicate of MPI_COMM_SELF would run the application's attribute callbacks. */
bool self_comm_open(MPI_Comm comm)
{
    process.self_comm = MPI_COMM_NULL;
    const int error = process_initialized() ? split_ranks(MPI_COMM_SELF, 0, 0, &process.self_comm) : create_from(comm);
    if (error != MPI_SUCCESS)
        process.self_comm = MPI_COMM_NULL;
    return error == MPI_SUCCESS;
}

MPI_Comm self_comm_borrow(void)
{
    pthread_mutex_lock(&lock);
    before = MPI_ERRHANDLER_NULL;
    if (!process_initialized())
        return MPI_COMM_NULL;
    before = pmpi_hush(MPI_COMM_SELF);
    return MPI_COMM_SELF;
}

void self_comm_return(void)
{
    if (before != MPI_ERRHANDLER_NULL)
        pmpi_unhush(MPI_COMM_SELF, before);
    pthread_mutex_unlock(&lock);
}

bool self_comm_accepts(MPI_Comm self, const void *buffer, int64_t count, MPI_Datatype type)
{
    if (buffer == MPI_IN_PLACE)
        return false;
    if (count > INT_MAX && pmpi.Bcast_c)
        return pmpi.Bcast_c((void *)buffer, count, type, 0, self) == MPI_SUCCESS;
    return pmpi.Bcast((void *)buffer, count > INT_MAX ? INT_MAX : (int)count, type, 0, self) == MPI_SUCCESS;
}

bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type)
{
    const bool valid = self_comm_accepts(self_comm_get(), buffer, count, type);
    self_comm_give();
    return valid;
}
