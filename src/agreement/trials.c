/* SPDX-License-Identifier: BSD-2-Clause */
/* See trials.h. */
#include "trials.h"

#include "clocks.h"
#include "learned.h"
#include "process.h"
#include "report.h"
#include "seconds.h"
#include "common_start.h"
#include "small_stack.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static _Atomic uint64_t lost, spent;
static _Atomic int learned; /* kinds with a rule */
static _Atomic uint64_t beside;
static _Atomic uint64_t lag;

/* In a dry run, all time that Pleach has taken beside the calls. */
static void tell_report(void)
{
    if (report_on())
        report_trials(learned, 1e-9 * (double)(process.settings.dry_run ? beside : lost));
}

void trials_beside(double seconds)
{
    beside += (uint64_t)(1e9 * seconds);
    tell_report();
}

void trials_freely(void)
{
    spent = UINT64_MAX / 2;
}

void trials_open(void)
{
    const struct settings *s = &process.settings;
    if (s->dry_run && s->dry_trials)
        trials_freely();
    else if (s->budget > 0)
        spent = history_spending(s->budget);
}

/* In nanoseconds, on the common clock. */
static uint64_t now_on(const struct comm *comm)
{
    return nanoseconds_of(seconds_now() - comm->locality.ahead);
}

static uint64_t preemptions(void)
{
    struct rusage r = {.ru_nivcsw = 0};
    getrusage(RUSAGE_THREAD, &r);
    return (uint64_t)r.ru_nivcsw;
}

void trials_begin(const struct comm *comm, struct timed *when)
{
    when->preempted = preemptions();
    when->start = now_on(comm);
}

void trials_end(const struct comm *comm, struct timed *when)
{
    when->end = now_on(comm);
    when->preempted = preemptions() - when->preempted;
}

void trials_lose(double seconds)
{
    lost += nanoseconds_of(seconds);
}

bool trials_ready(const struct comm *comm, const struct kind *k, bool ready, uint64_t *moment)
{
    uint64_t word[START_WORDS];
    start_say(lag, ready, now_on(comm), word);
    words_largest(comm->user, word, START_WORDS);
    lag = start_lag(word, now_on(comm));
    const bool all = start_hear(word, moment);
    *moment += kind_pause(k);
    return all;
}

void trials_await(const struct comm *comm, uint64_t moment)
{
    const uint64_t latest = now_on(comm) + START_WAIT;
    clocks_await(comm->locality.ahead, 1e-9 * (double)(moment < latest ? moment : latest));
}

/* By the model, the same on all ranks. */
static double sync_ns(const struct comm *comm)
{
    const struct machine *m = &comm->known.machine;
    enum link link = m->nodes > 1 ? LINK_NETWORK : LINK_NODE;
    return 1e9 * 2 * ceil_log2(comm->ranks) * m->figures[link].alpha;
}

void trials_leave(const struct comm *comm)
{
    pmpi_agreed(comm->user, true, MPI_MIN);
}

bool trials_rule(const struct kind *k, const struct facts *f, enum origin origin, struct rule *rule)
{
    if (!policy_fits(engines[k->best], f))
        return false;
    const struct plan plan = choose_row(&process.settings, NULL, f, k->best);
    const double bytes = 1e6 * (double)f->bytes, us = (double)kind_told(k, k->best).median * bytes;
    const time_t now = time(NULL);
    struct tm day;
    *rule = rule_for(f->collective, f->op, f->ranks, f->machine->node_ranks, plan.engine,
                     choose_block_up_to(&process.settings, f, &plan, INT64_C(2) << kind_size_class(k)));
    if (collective_rooted(f->collective))
        rule->roots = 1u << root_place(f->root, f->ranks);
    rule->bytes = (struct span){INT64_C(1) << kind_size_class(k), (INT64_C(2) << kind_size_class(k)) - 1};
    rule->evidence = (struct evidence){.origin = origin,
                                       .table = engine_mark(plan.engine),
                                       .at = f->bytes,
                                       .native_us = (double)k->native * bytes,
                                       .us = us,
                                       .calls = k->round};
    if (gmtime_r(&now, &day))
        strftime(rule->evidence.date, DATE_TEXT, "%Y-%m-%d", &day);
    return true;
}

/* False if a rule's engine does not fit this call. */
static bool keep_rule(const struct comm *comm, const struct kind *k, const struct facts *f)
{
    struct rule rule;
    const bool made = trials_rule(k, f, ORIGIN_LEARNED, &rule);
    if (made)
        learned_keep(comm->locality.group, k, &rule);
    return made;
}

uint64_t trials_sync(struct comm *comm, struct decision *d)
{
    const struct trial_budget before = {.lost = lost + budget_debt(&comm->known.budget), .spent = spent};
    struct trial_budget more = {0};
    uint64_t word[WORDS + START_WORDS], moment = 0;
    history_say(comm->known.history, d->kind, &before, word);
    start_say(lag, true, now_on(comm), word + WORDS);
    words_largest(comm->user, word, WORDS + START_WORDS);
    lag = start_lag(word + WORDS, now_on(comm));
    decision_hear(d, word, sync_ns(comm), &more);
    /* A trial loses the wait for its start, and the all-reduce of trials_leave(). */
    const bool trial = d->kind->state == KIND_TRIED && !d->kind->shadow && !kind_warming(d->kind);
    if (trial && start_hear(word + WORDS, &moment)) {
        moment += kind_pause(d->kind);
        lost += moment - word[WORDS + START_ARRIVAL] + (uint64_t)sync_ns(comm);
    }
    lost += more.lost;
    spent += more.spent;
    comm_carries_less(comm);
    if (d->teaches)
        learned += keep_rule(comm, d->kind, &d->question.facts);
    tell_report();
    return moment;
}

/* Of the kind's algorithms native:NAME, the fastest. */
static void expect_own(const struct kind *k, float native, struct own_share *own)
{
    for (int i = 0; i < k->candidates; i++)
        if (engines[k->row[i]]->algorithm && k->told[i].median > 0)
            own_share_add(own, (struct own_share){k->row[i], k->told[i].median / native});
}

void trials_expect(struct kind *k, const struct facts *f, int row, struct expected *expected)
{
    const struct samples native = kind_told(k, 0), engine = kind_told(k, row);
    const double bytes = (double)f->bytes;
    if (!(native.median > 0) || !(engine.median > 0))
        return;
    *expected = (struct expected){.native = native.median * bytes, .engine = engine.median * bytes, .tried = true};
    const float spread = row != 0 ? native.median - native.least + engine.median - engine.least : 0;
    expected->noise = fmaxf(spread, kind_doubt(k)) * bytes;
    expect_own(k, native.median, &expected->own);
}

void trials_tell(struct kind *k, const struct policy *p, const struct facts *f, struct plan *plan, struct expected *expected)
{
    const int row = p->keeps_bits ? engine_row(plan->engine) : k->best;
    struct expected tried = {0};
    trials_expect(k, f, row, &tried);
    if (!tried.tried || !policy_fits(engines[row], f))
        return;
    if (!p->keeps_bits) {
        *plan = choose_row(&process.settings, NULL, f, row);
        plan->reason = REASON_LEARNED;
    }
    *expected = tried;
}
