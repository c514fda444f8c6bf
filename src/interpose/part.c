/* SPDX-License-Identifier: BSD-2-Clause */
/* What this part shows the front; see part.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "part.h"

#include "fortran.h"
#include "interpose.h"
#include "library.h"

static bool begin(void *(*find)(const char *name))
{
    return pmpi_find(find);
}

/* Serves a call from Fortran unless INTEGERs have another size than ours. */
static bool take_fortran(const struct fortran_call *f, void *caller)
{
    if (!fortran_find(caller))
        return false;
    const struct call c = {f->collective,
                           false,
                           fortran_buffer(f->in),
                           fortran_buffer(f->out),
                           *f->count,
                           (argument)fortran.type(*f->type),
                           f->op ? (argument)fortran.op(*f->op) : 0,
                           f->root ? *f->root : 0,
                           (argument)fortran.comm(*f->comm)};
    const int error = intercept(&c, caller);
    if (f->error)
        *f->error = error;
    return true;
}

extern __attribute__((visibility("default"))) const struct part pleach_part;

const struct part pleach_part = {.version = PACKAGE_VERSION,
                                 .size = sizeof(struct part),
                                 .open = begin,
                                 .call = intercept,
                                 .fortran = take_fortran,
                                 .initialized = library_initialized,
                                 .sessions = library_sessions,
                                 .other = count_other,
                                 .end = tell_idle};
