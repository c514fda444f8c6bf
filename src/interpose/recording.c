/* SPDX-License-Identifier: BSD-2-Clause */
/* Recording a call; see recording.h. */
#include "recording.h"

#include "handles.h"
#include "trials.h"

#include <inttypes.h>
#include <stdio.h>

void recording_begin(struct record *r, void *caller)
{
    r->time = record_clock();
    site_take(r->frame, caller);
}

void recording_begin_dry(struct record *r)
{
    double now = record_clock();
    trials_beside(now - r->time);
    r->time = now;
}

/* A name for a column of the records: no tabs or newlines, never empty. */
static void put_name(char *column, const char *name, const char *otherwise)
{
    snprintf(column, RECORD_NAME, "%s", name[0] ? name : otherwise);
    for (char *c = column; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

void recording_end(struct record *r, const struct call *c, struct comm *comm, const struct facts *f,
                   const struct prepared *p, bool valid)
{
    const struct plan *plan = &p->plan;
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
    if (!p->operation && plan->engine != engines[0]) { /* a dry run */
        r->would = r->engine;
        r->engine = engines[0]->name;
    }
    r->native_seconds = p->expected.native;
    r->engine_seconds = p->expected.engine;
    r->noise_seconds = p->expected.noise;
    r->tried = p->expected.tried;
    r->number = -1;
    if (valid)
        r->comm_id = comm_count(comm, &r->number);
    snprintf(otherwise, sizeof otherwise, "comm-%08" PRIxPTR, HANDLE_BITS(comm->user));
    pmpi.Comm_get_name(comm->user, name, &length);
    put_name(r->comm, name, otherwise);
    name[0] = 0;
    if (named)
        pmpi.Type_get_name((MPI_Datatype)c->datatype, name, &length);
    put_name(r->datatype, name, named ? "derived" : "-");
    put_name(r->op, c->collective == COLL_BCAST ? "" : op_own_name(op_own((MPI_Op)c->op)), "-");
    record_add(r);
}
