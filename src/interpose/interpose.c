/* SPDX-License-Identifier: BSD-2-Clause */
/* Interpose: the way of a call: describe, choose, run (or native), record. The MPI_ functions themselves: wrappers.c. */
#include "interpose.h"

#include "comm.h"
#include "library.h"
#include "prepare.h"
#include "process.h"
#include "record.h"
#include "run.h"
#include "verify.h"

#include <stdio.h>
#include <string.h>

static const char *op_name(MPI_Op op)
{
    static const struct {
        MPI_Op op;
        const char *name;
    } names[] = {{MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"}, {MPI_MAX, "MPI_MAX"},       {MPI_MIN, "MPI_MIN"},
                 {MPI_LAND, "MPI_LAND"}, {MPI_BAND, "MPI_BAND"}, {MPI_LOR, "MPI_LOR"},       {MPI_BOR, "MPI_BOR"},
                 {MPI_LXOR, "MPI_LXOR"}, {MPI_BXOR, "MPI_BXOR"}, {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].op == op)
            return names[i].name;
    return "user";
}

/* A name for a column of the records: no tabs or newlines, never empty. */
static void put_name(char *column, const char *name, const char *otherwise)
{
    snprintf(column, RECORD_NAME, "%s", name[0] ? name : otherwise);
    for (char *c = column; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
}

/* `told`: the arguments were valid, so MPI may be asked for the datatype's name without an error of its own. */
static void record_call(const struct call *c, const struct comm *comm, const struct facts *f, const struct plan *plan,
                        bool told, double start, struct record *r)
{
    char name[MPI_MAX_OBJECT_NAME] = "", otherwise[RECORD_NAME];
    int length;

    r->time = start;
    r->duration = record_clock() - start;
    r->collective = c->collective;
    r->ranks = comm->ranks;
    r->root = c->collective == COLL_BCAST || c->collective == COLL_REDUCE ? (int)c->root : -1;
    r->bytes = f->bytes;
    r->count = c->large ? (int64_t)c->count : (int)c->count;
    r->blocks = plan->blocks;
    r->reason = plan->reason;
    r->engine = plan->engine->name;
    snprintf(otherwise, sizeof otherwise, "comm-%08x", (unsigned)comm->user);
    pmpi.Comm_get_name(comm->user, name, &length);
    put_name(r->comm, name, otherwise);
    name[0] = 0;
    if (told)
        pmpi.Type_get_name((MPI_Datatype)c->datatype, name, &length);
    put_name(r->datatype, name, told ? "derived" : "-");
    put_name(r->op, c->collective == COLL_BCAST ? "" : op_name((MPI_Op)c->op), "-");
    record_add(r);
}

/* Calls that may take an engine, and all calls that the log or the report wants to know about. */
static int serve(const struct call *c, struct comm *comm, struct facts *f, enum reason reason, void *caller)
{
    struct plan plan = {.engine = engines[0], .reason = reason};
    struct view view;
    struct record r = {0};
    double start = 0;
    bool told = reason != REASON_INVALID && reason != REASON_INTERCOMM;
    int error;

    if (record_on()) {
        start = record_clock();
        site_take(r.frame, caller);
    }
    if (!plan.reason)
        plan.reason = validate(c, comm, f, &view);
    if (!plan.reason)
        plan = plan_call(f, comm, caller);
    if (plan.engine != engines[0] && !comm_private(comm))
        plan = (struct plan){.engine = engines[0], .reason = REASON_NO_CONTEXT};
    bool dry = plan.engine == engines[0] || process.settings.dry_run, verify = process.settings.verify;
    struct verify *twice = NULL;
    if (!dry && (!comm_scratch(comm, run_scratch_agreed(&plan, f), run_scratch(&plan, f, &view)) ||
                 (verify && !(twice = verify_open(c, comm, f, &view))))) {
        plan = (struct plan){.engine = engines[0], .reason = REASON_NO_MEMORY};
        dry = true;
    }
    if (dry)
        error = native_mended(c, comm, f);
    else if (verify)
        error = verify_call(twice, &plan, comm, caller);
    else
        error = run(&plan, f, &view, comm);
    if (record_on())
        record_call(c, comm, f, &plan, told, start, &r);
    return error;
}

int intercept(const struct call *c, void *caller)
{
    struct facts f;
    struct comm *comm = library_ready(caller) ? comm_of((MPI_Comm)c->comm) : NULL;
    if (!comm)
        return native(c);
    enum reason reason = describe(c, comm, &f);
    if (!reason)
        reason = choose_quick(&process.settings, &f);
    if (reason && !record_on())
        return native_mended(c, comm, &f);
    return serve(c, comm, &f, reason, caller);
}
