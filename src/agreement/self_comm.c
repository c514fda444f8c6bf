/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the self communicator, which contains only this process; see self_comm.h. */
#include "self_comm.h"

#include <limits.h>
#include <pthread.h>

/* A borrower holds the lock, because two at once would restore the wrong error handler. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Errhandler before;

/* Makes it before MPI_Init, when there is no MPI_COMM_SELF. Finds this process in the group of a session's `comm`. */
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

/* Makes it by a split, because a duplicate of MPI_COMM_SELF would run the application's attribute callbacks. */
static int split_self(void)
{
    MPI_Errhandler handler = pmpi_hush(MPI_COMM_SELF);
    int error = pmpi.Comm_split(MPI_COMM_SELF, 0, 0, &process.self_comm);
    pmpi_unhush(MPI_COMM_SELF, handler);
    return error;
}

bool self_comm_open(MPI_Comm comm)
{
    process.self_comm = MPI_COMM_NULL;
    if ((process_initialized() ? split_self() : create_from(comm)) != MPI_SUCCESS) {
        process.self_comm = MPI_COMM_NULL;
        return false;
    }
    pmpi.Comm_set_errhandler(process.self_comm, MPI_ERRORS_RETURN);
    return true;
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

bool self_comm_takes(MPI_Comm self, const void *buffer, int64_t count, MPI_Datatype type)
{
    if (buffer == MPI_IN_PLACE)
        return false;
    if (count > INT_MAX && pmpi.Bcast_c)
        return pmpi.Bcast_c((void *)buffer, count, type, 0, self) == MPI_SUCCESS;
    return pmpi.Bcast((void *)buffer, count > INT_MAX ? INT_MAX : (int)count, type, 0, self) == MPI_SUCCESS;
}

bool buffer_valid(const void *buffer, int64_t count, MPI_Datatype type)
{
    const bool valid = self_comm_takes(self_comm_take(), buffer, count, type);
    self_comm_give();
    return valid;
}
