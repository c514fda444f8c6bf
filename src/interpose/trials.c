/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials; see trials.h. */
#include "trials.h"

#include "learn.h"
#include "lore.h"
#include "process.h"
#include "report.h"
#include "seconds.h"

#include <stdatomic.h>
#include <string.h>

static _Atomic uint64_t lost, spent; /* as in struct purse */
static _Atomic int learned;          /* kinds of calls */
static _Atomic uint64_t beside;      /* nanoseconds; see trials_beside() */

/* Tells the report. In a dry run trials are lost altogether: they are part of what is spent beside the calls. */
static void tell(void)
{
    if (report_on())
        report_trials(learned, 1e-9 * (double)(process.settings.dry_run ? beside : lost));
}

void trials_beside(double seconds)
{
    beside += (uint64_t)(1e9 * seconds);
    tell();
}

void trials_freely(void)
{
    spent = UINT64_MAX / 2;
}

uint64_t trials_clock(const struct comm *comm)
{
    double seconds = seconds_now() - comm->ahead;
    return seconds > 0 ? (uint64_t)(1e9 * seconds) : 0;
}

/* What the model knows of a meeting: an all-reduce of some words. The same on all ranks. */
static double meeting_ns(const struct comm *comm)
{
    const struct machine *m = &comm->known.machine;
    enum link link = m->nodes > 1 ? LINK_NETWORK : LINK_NODE;
    return 1e9 * 2 * ceil_log2(comm->ranks) * m->figures[link].alpha;
}

/* Writes down what serves calls such as this one best. */
static void keep_lesson(const struct comm *comm, const struct kind *k, const struct facts *f)
{
    const struct plan plan = choose_row(&process.settings, NULL, f, k->winner);
    const double bytes = (double)f->bytes;
    learn_add(&(struct lesson){.collective = f->collective,
                               .op = f->op,
                               .root = root_place(f->root, f->ranks),
                               .ranks = f->ranks,
                               .node_ranks = f->machine->node_ranks,
                               .size_class = kind_size_class(k),
                               .engine = plan.engine,
                               .block = choose_block(&process.settings, f, &plan),
                               .native = (double)k->native * bytes,
                               .seconds = (double)k->seconds * bytes,
                               .spread = (double)k->spread - 1,
                               .bytes = f->bytes,
                               .calls = ROUNDS});
    lore_keep(comm, k);
}

void trials_sync(struct comm *comm, struct decision *d)
{
    const struct purse before = {.lost = lost, .spent = spent};
    struct purse more = {0};
    uint64_t word[WORDS];
    ledger_say(comm->known.ledger, d->kind, &before, false, word);
    pmpi.Allreduce(MPI_IN_PLACE, word, WORDS, MPI_UINT64_T, MPI_MAX, comm->user);
    decision_hear(d, word, meeting_ns(comm), &more);
    lost += more.lost;
    spent += more.spent;
    if (d->lesson) {
        learned++;
        keep_lesson(comm, d->kind, &d->question.facts);
    }
    tell();
}

void trials_tell(const struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan,
                 struct expected *expected)
{
    if (k->state != KIND_SETTLED || k->native <= 0)
        return;
    const double native = (double)k->native * (double)f->bytes, best = (double)k->seconds * (double)f->bytes;
    const bool served = plan->engine == engines[k->winner], decides = policy_measures(p);
    /* Trials would not decide here. What serves in spite of them is none of those that lost, or it saves nothing. */
    if (!decides && !served && (plan->engine == engines[0] || k->winner != 0))
        return;
    if (decides) {
        *plan = choose_row(&process.settings, NULL, f, k->winner);
        plan->reason = REASON_LEARNED;
    }
    *expected = plan->engine == engines[0] ? (struct expected){0, 0} : (struct expected){native, best};
}
