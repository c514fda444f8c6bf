/* SPDX-License-Identifier: BSD-2-Clause */
/* Recording a call; see recording.h. */
#include "recording.h"

#include "handles.h"

#include <stdio.h>

void recording_begin(struct record *r, void *caller)
{
    r->time = record_clock();
    site_take(r->frame, caller);
}

/* A name for a column of the records: no tabs or newlines, never empty. */
static void put_name(char *column, const char *name, const char *otherwise)
{
    snprintf(column, RECORD_NAME, "%s", name[0] ? name : otherwise);
    for (char *c = column; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

void recording_end(struct record *r, const struct call *c, struct comm *comm, const struct facts *f, const struct plan *plan,
                   bool valid)
{
    char name[MPI_MAX_OBJECT_NAME] = "", otherwise[RECORD_NAME];
    int length;
    /* MPI may be asked for the datatype's name without an error of its own. */
    bool named = plan->reason != REASON_INVALID && plan->reason != REASON_INTERCOMM;

    r->duration = record_clock() - r->time;
    r->collective = c->collective;
    r->ranks = comm->ranks;
    r->root = collective_rooted(c->collective) ? (int)c->root : -1;
    r->bytes = f->bytes;
    r->count = call_count(c);
    r->blocks = plan->blocks;
    r->reason = plan->reason;
    r->engine = plan->engine->name;
    r->number = -1;
    if (valid)
        r->comm_id = comm_count(comm, &r->number);
    snprintf(otherwise, sizeof otherwise, "comm-%08x", (unsigned)comm->user);
    pmpi.Comm_get_name(comm->user, name, &length);
    put_name(r->comm, name, otherwise);
    name[0] = 0;
    if (named)
        pmpi.Type_get_name((MPI_Datatype)c->datatype, name, &length);
    put_name(r->datatype, name, named ? "derived" : "-");
    put_name(r->op, c->collective == COLL_BCAST ? "" : op_name((MPI_Op)c->op), "-");
    record_add(r);
}
