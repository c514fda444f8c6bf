/* SPDX-License-Identifier: BSD-2-Clause */
/* See call_record.h. */
#include "call_record.h"

#include "arithmetic.h"
#include "faults.h"
#include "handles.h"
#include "hot.h"
#include "group_info.h"
#include "process.h"
#include "trials.h"
#include "utf8.h"
#include "words.h"

void call_record_begin(struct record *r, void *caller)
{
    r->time = record_clock();
    r->measuring = 0;
    call_site_capture(r->frame, caller);
}

void call_record_run(struct record *r)
{
    if (!process.settings.dry_run)
        return;
    if (process.settings.advice)
        r->faults = faults_now();
    double now = record_clock();
    trials_beside(now - r->time);
    r->time = now;
    r->measuring = 0;
}

/* Without tabs and newlines; not if empty. */
static void put_name(char *column, const char *name)
{
    utf8_escape(name, column, RECORD_NAME);
    for (; *column; column++)
        *column = (unsigned char)*column < ' ' ? ' ' : *column;
}

/* In a dry run, *plan: that which would serve. */
static struct expected expect(const struct decision *d, struct plan *plan)
{
    struct answer *a = d->answer;
    /* After a failure, calls of the error handler may have taken the answer's place. */
    if (!a || !answer_same(a, &d->question) || a->question.facts.bytes != d->question.facts.bytes)
        return (struct expected){0};
    if (!d->fresh && !a->kind)
        return a->expected;
    struct program_state program;
    arithmetic_begin(&program);
    if (d->fresh)
        a->expected = choose_expected(d->settings, d->question.rule, &d->question.facts, &a->plan);
    struct expected expected = a->expected;
    if (d->settings->dry_run && a->kind)
        trials_tell(a->kind, &d->policy, &d->question.facts, plan, &expected);
    else if (a->kind)
        trials_expect(a->kind, &d->question.facts, engine_row(plan->engine), &expected);
    arithmetic_end(&program);
    return expected;
}

void call_record_expect(struct kind *k, const struct facts *f, const struct engine *e, struct expected *expected)
{
    struct program_state program;
    arithmetic_begin(&program);
    trials_expect(k, f, engine_row(e), expected);
    arithmetic_end(&program);
}

static void number(struct record *r, struct comm *comm)
{
    struct comm_record *kept = &comm->record;
    const bool told_apart = comm->ranks > 1 && comm->known.barred != REASON_INTERCOMM;
    if (kept->calls == 0)
        kept->id = comm_record_id(told_apart ? world_group(comm->user, comm->ranks) : 0, !process_threaded());
    r->comm_id = kept->id;
    r->number = kept->calls++;
}

/* For a log. `typed`: the datatype is certainly valid, so MPI may be asked. */
static void name_handles(struct record *r, const struct call *c, const struct comm *comm, bool typed)
{
    char name[MPI_MAX_OBJECT_NAME], number_of[RECORD_NAME];
    int length;
    r->comm[0] = r->datatype[0] = r->op[0] = 0;
    if (!record_names())
        return;
    name[0] = 0;
    pmpi.Comm_get_name(comm->user, name, &length);
    put_name(r->comm, name[0] ? name : comm_words(HANDLE_BITS(comm->user), number_of, sizeof number_of));
    name[0] = 0;
    if (typed)
        pmpi.Type_get_name((MPI_Datatype)c->datatype, name, &length);
    put_name(r->datatype, name[0] ? name : typed ? "derived" : "-");
    put_name(r->op, collective_reduces(c->collective) ? op_own_name(op_own((MPI_Op)c->op)) : "-");
}

struct served call_record_served(const struct decision *d, bool valid)
{
    struct served o = {.bytes = d->question.facts.bytes, .plan = d->plan, .runs = d->runs, .valid = valid};
    if (!valid && d->unchecked)
        o.plan.reason = REASON_INVALID;
    o.expected = expect(d, &o.plan);
    return o;
}

HOT void call_record_end(struct record *r, const struct call *c, struct comm *comm, const struct served *o)
{
    const double now = record_clock();
    r->duration = now - r->time - r->measuring;
    r->faults = process.settings.dry_run && process.settings.advice ? faults_now() - r->faults : 0;
    r->expected = o->expected;
    r->collective = c->collective;
    r->ranks = comm->ranks;
    r->root = collective_rooted(c->collective) ? (int)c->root : -1;
    r->bytes = o->bytes;
    r->count = call_count(c);
    r->blocks = o->plan.blocks;
    r->reason = o->plan.reason;
    r->engine = o->runs->name;
    r->would = o->plan.engine != o->runs ? o->plan.engine->name : NULL;
    r->comm_id = 0;
    r->number = -1;
    if (o->valid)
        number(r, comm);
    name_handles(r, c, comm, o->valid && o->plan.reason != REASON_INTERCOMM);
    record_add(r, now);
}
