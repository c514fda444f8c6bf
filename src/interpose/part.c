/* SPDX-License-Identifier: BSD-2-Clause */
/* See part.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "part.h"

#include "fortran.h"
#include "interpose.h"
#include "library.h"

/* Unless INTEGERs have another size, or descriptors an unknown layout. */
static bool take_fortran(const struct fortran_call *f, void *caller)
{
    struct fortran_buffer in, out;
    if (!fortran_find(caller) || (f->described && !(fortran_knows(f->in) && fortran_knows(f->out))))
        return false;
    const int no_in = fortran_take(&in, f->in, f->described && f->in), no_out = fortran_take(&out, f->out, f->described);
    const struct call c = {f->collective,
                           f->large,
                           in.data,
                           out.data,
                           f->large ? (argument) * (const MPI_Count *)f->count : *(const int *)f->count,
                           (argument)fortran.type(*f->type),
                           f->op ? (argument)fortran.op(*f->op) : 0,
                           f->root ? *f->root : 0,
                           (argument)fortran.comm(*f->comm)};
    int error = no_in ? no_in : no_out;
    if (error)
        pmpi.Comm_call_errhandler((MPI_Comm)c.comm, error);
    else
        error = intercept(&c, caller);
    fortran_give_back(&in, false);
    fortran_give_back(&out, !error);
    if (f->error)
        *f->error = error;
    return true;
}

extern __attribute__((visibility("default"))) const struct part pleach_part;

const struct part pleach_part = {.version = PACKAGE_VERSION,
                                 .size = sizeof(struct part),
                                 .open = pmpi_find,
                                 .call = intercept,
                                 .fortran = ABI_SERVES_FORTRAN ? take_fortran : NULL,
                                 .initialized = library_initialized,
                                 .sessions = library_sessions,
                                 .other = count_other,
                                 .end = tell_idle};
