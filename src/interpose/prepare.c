/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan for a call; see plan.h. What may differ between ranks, as call sites do, is settled between them here. */
#include "prepare.h"

#include "hash.h"
#include "measure.h"
#include "nodes.h"
#include "process.h"
#include "site.h"

#include <string.h>

/*
 * The rule that a call meets, or NULL. Ranks may come from different call sites, so a rule with a site holds only where it
 * holds on all ranks; where no such rule matters, nobody is asked.
 */
static const struct rule *rule_of(const struct facts *f, struct comm *comm, void *caller)
{
    const struct rules *rules = comm->known->rules;
    uint64_t sited = rules ? rules_sited(rules, f) : 0, at = 0;
    if (sited) {
        void *frame[SITE_FRAMES];
        char text[SITE_TEXT];
        site_take(frame, caller);
        site_text(frame, text, sizeof text);
        uint64_t mine = rules_at(rules, sited, process.settings.stack ? text : ""); /* "": unknown */
        pmpi.Allreduce(&mine, &at, 1, MPI_UINT64_T, MPI_BAND, comm->user);
    }
    return rules ? rules_find(rules, f, at) : NULL;
}

static bool same(const struct planned *p, const struct facts *f, const struct rule *rule)
{
    return p->facts.ranks && p->facts.collective == f->collective && p->facts.op == f->op && p->facts.root == f->root &&
           p->facts.bytes == f->bytes && p->facts.units == f->units && p->rule == rule;
}

/* choose(), which takes microseconds, or what it said to the same question before: programs repeat their calls. */
static struct plan choose_once(struct comm *comm, const struct rule *rule, const struct facts *f)
{
    uint64_t key = mix64((uint64_t)f->bytes * COLLECTIVES + f->collective) + (uint64_t)f->root;
    struct planned *p = &comm->plans[key % PLANS];
    if (!same(p, f, rule))
        *p = (struct planned){*f, rule, choose(&process.settings, rule, f)};
    return p->plan;
}

struct plan plan_call(const struct facts *f, struct comm *comm, void *caller)
{
    const struct settings *s = &process.settings;
    if (!nodes_settle(comm))
        return (struct plan){.engine = engines[0], .reason = REASON_NO_MEMORY};
    const struct rule *rule = rule_of(f, comm, caller);
    if (!comm->machine.measured && choose_measures(s, rule, f) &&
        (measure_inherit(comm) || (comm_private(comm) && measure(comm))))
        memset(comm->plans, 0, sizeof comm->plans); /* made from less */
    return choose_once(comm, rule, f);
}
