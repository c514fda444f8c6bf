/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials aside; see aside.h. */
#include "aside.h"

#include "datatype.h"
#include "prepare.h"
#include "process.h"
#include "trials.h"
#include "typemap.h"

#include <stdlib.h>
#include <string.h>

/* Gives a view buffers of our own: two in one piece of memory, in and out. False: no memory. */
static bool open_view(const struct view *v, struct view *own, char **memory)
{
    const struct extents element = type_extents(v->datatype);
    ptrdiff_t origin;
    size_t span = (size_t)extents_span(&element, v->count, &origin);
    *memory = malloc(2 * span);
    if (!*memory)
        return false;
    memset(*memory, 0, 2 * span); /* it is there, and in the caches as far as it can be */
    own->in = displaced(*memory, origin);
    own->out = displaced(*memory + span, origin);
    return true;
}

static void perform_native(const struct call *c, const struct view *own)
{
    struct call like = *c;
    like.in = own->in;
    like.out = own->out;
    native(&like);
}

void aside_try(const struct call *c, struct comm *comm, const struct facts *f, const struct view *v, struct kind *k)
{
    int row = kind_tries(k);
    struct operation o = {.facts = *f, .plan = choose_row(&process.settings, NULL, f, row)};
    struct timed when;
    struct view own = *v;
    char *memory = NULL;
    bool have = open_view(v, &own, &memory);
    if (row > 0)
        prepare_operation(&o, v, comm);
    have = pmpi_agreed(comm->user, have && (row == 0 || o.element.plain || o.map), MPI_MIN);
    have = have && (row == 0 || (comm_private(comm) && comm_scratch(comm, o.scratch_agreed, o.scratch)));
    if (have) {
        when.start = trials_clock(comm);
        if (row == 0)
            perform_native(c, &own);
        else
            perform(&o, &own, comm);
        when.end = trials_clock(comm);
    }
    kind_count(k, f, have ? &when : NULL);
    typemap_free(o.map);
    free(memory);
}
