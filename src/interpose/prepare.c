/* SPDX-License-Identifier: BSD-2-Clause */
/* Preparing a call; see prepare.h. What may differ between ranks, as call sites do, is settled between them here. */
#include "prepare.h"

#include "datatype.h"
#include "hash.h"
#include "trials.h"
#include "measure.h"
#include "mismatch.h"
#include "nodes.h"
#include "process.h"
#include "record.h"
#include "site.h"
#include "stage.h"
#include "typemap.h"

#include <assert.h>

/*
 * The rule that a call meets, or NULL. Ranks may come from different call sites, so a rule with a site holds only where it
 * holds on all ranks; where no such rule matters, nobody is asked.
 */
static const struct rule *rule_of(const struct facts *f, struct comm *comm, void *caller)
{
    const struct rules *rules = comm->findings->rules;
    uint64_t sited = rules ? rules_sited(rules, f) : 0, everywhere = 0;
    if (sited) {
        void *frame[SITE_FRAMES];
        char text[SITE_TEXT];
        site_take(frame, caller);
        site_text(frame, text, sizeof text);
        uint64_t mine = rules_at(rules, sited, process.settings.stack ? text : ""); /* "": unknown */
        pmpi.Allreduce(&mine, &everywhere, 1, MPI_UINT64_T, MPI_BAND, comm->user);
    }
    return rules ? rules_find(rules, f, everywhere) : NULL;
}

void prepare_operation(struct operation *o, const struct view *v, const struct comm *comm)
{
    o->datatype = v->datatype;
    o->element = type_extents(v->datatype);
    o->map = o->element.plain ? NULL : typemap_new(v->count, v->datatype);
    o->identity = type_identity(v->datatype);
    operation_make(o, comm->rank);
}

static bool same_question(const struct operation *o, const struct facts *f, const struct rule *rule)
{
    const struct facts *g = &o->facts;
    return g->ranks == f->ranks && g->collective == f->collective && g->op == f->op && g->symmetric == f->symmetric &&
           g->root == f->root && g->bytes == f->bytes && g->units == f->units && g->learned == f->learned &&
           g->trial == f->trial && o->rule == rule;
}

/* Does it serve for such a call? What lacks a typemap, as memory was short, does not: there may be memory now. */
static bool same_data(const struct operation *o, const struct view *v)
{
    return o->datatype == v->datatype && o->identity && o->identity == type_identity(v->datatype) &&
           o->in_place == (v->in == v->out) && (o->element.plain || o->map);
}

/* Where the operation for a call is kept. */
static struct operation *slot_of(struct comm *comm, const struct facts *f)
{
    uint64_t key = mix64((uint64_t)f->bytes * COLLECTIVES + f->collective) + (uint64_t)f->root;
    return &comm->operations[key % OPERATIONS];
}

/*
 * The operation for a call, which the communicator keeps. Programs repeat their calls, and choose() takes microseconds: the
 * plan is made once, and the rest once as long as the datatype stays. Ranks need not agree on what they keep, as the plan is
 * the same on all, and the rest is of this rank's datatype.
 */
static const struct operation *operation_of(const struct facts *f, const struct view *v, const struct rule *rule,
                                            struct comm *comm)
{
    struct operation *o = slot_of(comm, f);
    bool asked = same_question(o, f, rule);
    if (asked && (o->plan.engine == engines[0] || same_data(o, v)))
        return o;
    const struct plan plan = asked ? o->plan : choose(&process.settings, rule, f);
    typemap_free(o->map);
    *o = (struct operation){.facts = *f, .rule = rule, .in_place = v->in == v->out, .plan = plan};
    if (record_on())
        o->expected = choose_expected(&process.settings, rule, f, &plan);
    if (plan.engine != engines[0])
        prepare_operation(o, v, comm);
    return o;
}

static struct prepared native_because(enum reason reason)
{
    return (struct prepared){.plan = {.engine = engines[0], .reason = reason}};
}

/* Collective. The machine's figures, if the choice may depend on them: inherited, or measured when it is worth while. */
static void get_figures(const struct facts *f, const struct rule *rule, struct comm *comm)
{
    bool asked = comm->asked;
    if (comm->seen < MEASURE_FROM)
        comm->seen += f->bytes;
    bool due = comm->seen >= MEASURE_FROM;
    if (comm->nodes.machine.measured || (asked && !due) || !choose_measures(&process.settings, rule, f))
        return;
    comm->asked = true;
    if (measure_inherit(comm) || (due && comm_private(comm) && measure(comm)))
        comm_forget_operations(comm);
}

struct prepared prepare(const struct facts *f, const struct view *v, struct comm *comm, void *caller)
{
    const struct settings *s = &process.settings;
    struct facts facts = *f;
    struct prepared p = {0};
    if (!nodes_settle(comm))
        return native_because(REASON_NO_MEMORY);
    const struct rule *rule = rule_of(f, comm, caller);
    get_figures(f, rule, comm);
    if (!rule)
        p.kind = trials_consult(comm, &facts);
    const struct operation *o = operation_of(&facts, v, rule, comm);
    p.plan = o->plan;
    p.expected = o->expected;
    if (s->dry_run && p.kind && trials_tell(p.kind, &facts, &p.plan, &p.expected))
        return p;
    p.timed = p.kind && kind_times(p.kind) && (p.plan.reason == REASON_TRIAL || p.plan.reason == REASON_LEARNED);
    if (p.plan.engine == engines[0] || s->dry_run)
        return p;
    if (!comm_private(comm))
        return native_because(comm->barred);
    /* Where ranks agree on it, all hear of a typemap that is lacking on one as well. */
    if (!comm_scratch(comm, o->scratch_agreed, operation_lacks_map(o) ? SCRATCH_NONE : o->scratch))
        return native_because(REASON_NO_MEMORY);
    p.operation = o;
    return p;
}

bool prepared_native(const struct facts *f, struct comm *comm, struct kind **kind)
{
    const struct machine *m = &comm->nodes.machine;
    *kind = NULL;
    if (!comm->nodes.settled || !(m->measured || m->oversubscribed) || comm->findings->rules)
        return false;
    struct kind *k = *kind = comm->ledger ? ledger_find(comm->ledger, f) : NULL;
    if (k && (kind_meets(k) || kind_times(k)))
        return false;
    if (k && kind_serves(k) >= 0)
        return kind_serves(k) == 0;
    const struct operation *o = slot_of(comm, f);
    return same_question(o, f, NULL) && o->plan.engine == engines[0];
}

int perform(const struct operation *o, const struct view *v, struct comm *comm)
{
    assert(comm->channel.comm != MPI_COMM_NULL && comm->channel.comm != comm->user);
    int error = stage_run(o, v, comm);
    comm_performed(comm, error != MPI_SUCCESS);
    /* The first step is behind us, there is no way back: the application hears of it as of any error. */
    if (error != MPI_SUCCESS) {
        mismatch_tell(comm);
        pmpi.Comm_call_errhandler(comm->user, error);
    }
    return error;
}
