/* SPDX-License-Identifier: BSD-2-Clause */
/* See budget.h. */
#include "budget.h"

#include "choose.h"
#include "history.h"
#include "constants.h"
#include "infer.h"
#include "model.h"

#include <math.h>

/* ---- What calls take and earn ---------------------------------------------------------------------------------------- */

static struct machine seen(const struct budget *b, const struct machine *m)
{
    struct machine best = *m;
    if (b->looked && !m->measured) {
        best.measured = true;
        best.figures[LINK_NODE] = nominal_figures[LINK_NODE];
        best.figures[LINK_NETWORK] = b->message;
    }
    return best;
}

static struct figures figures_on(const struct machine *m, enum link link)
{
    return m->measured ? m->figures[link] : nominal_figures[link];
}

static double natively(const struct facts *facts, const struct machine *m)
{
    const struct figures node = figures_on(m, LINK_NODE), network = figures_on(m, LINK_NETWORK);
    struct facts f = *facts;
    f.machine = m;
    return native_seconds(&f, m->nodes > 1 ? &network : &node, &node);
}

static int64_t nanoseconds(double seconds)
{
    return (int64_t)(1e9 * fmin(fmax(seconds, 0), 1e8));
}

/* Stands for its band: calls that one answer covers earn and cost alike. */
static struct facts of_band(const struct facts *f)
{
    return facts_with_units(f, facts_units_in(f, f->bytes & ~band_bits(f->bytes)));
}

int64_t budget_earns(const struct budget *b, const struct settings *s, const struct question *q, const struct plan *plan)
{
    const struct machine m = seen(b, q->facts.machine);
    struct facts f = of_band(&q->facts);
    f.machine = &m;
    const struct expected e = choose_expected(s, q->rule, &f, plan);
    const double saved = s->dry_run ? 0 : fmax(e.native - e.engine, 0);
    return nanoseconds(saved + TRIALS_SHARE * natively(&f, &m));
}

static double longest(const struct budget *b, const struct machine *m)
{
    return b->longest.bytes ? natively(&b->longest, m) : 0;
}

/* ---- What measuring costs -------------------------------------------------------------------------------------------- */

/* Rings and lines of ranks: counts the steps that wait for a message just sent. figures.c has their numbers. */
static double rings(const struct figures *g, int ranks, double large)
{
    enum { STEPS = 160, SHARED = 40, LARGE = 33 };
    static const double BYTES = 2.4e6;
    return (STEPS + SHARED * ceil_log2(ranks)) * g->alpha + (BYTES + LARGE * large) * g->beta;
}

static double native_calls(const struct machine *m)
{
    enum { FIRST = 2 };
    double all = 0;
    for (int c = 0; c < COLLECTIVES; c++) {
        double seconds = 0;
        for (int i = 0; i < NATIVE_SIZES && seconds < LONGEST_NATIVE; i++) {
            const struct facts f = {.collective = (enum collective)c,
                                    .op = collective_reduces((enum collective)c) ? OP_ROUNDS : OP_NONE,
                                    .ranks = m->node_ranks,
                                    .bytes = native_bytes(i),
                                    .units = native_bytes(i)};
            seconds = natively(&f, m);
            all += seconds * (FIRST + SAMPLE_BATCHES * fmin(fmax(BATCH_SECONDS / seconds, 1), NATIVE_CALLS));
        }
    }
    return all;
}

/* Pings one by one, and exchanges of all hosts, long enough to tell rates apart. */
static double places(const struct figures *g)
{
    enum { PINGS = 100, EXCHANGES = 24 };
    return PINGS * 2 * g->alpha + EXCHANGES * fmax(exchange_least(g->alpha), LOOK_BYTES * g->beta);
}

/* Laps of all ranks, and what they share then; segment_figures.c has the numbers. */
static double segments(const struct machine *m, const struct figures *node, const struct figures *network)
{
    enum { LAPS = 9, ROUNDS = 2 * SEGMENT_DEPTH, SHARED = 8 };
    const struct segment_figures *g = &nominal_segment;
    const int samples = m->node_ranks > 2 ? 10 : 7;
    const double round = 2 * (fmax(g->wait, m->node_ranks > 2 ? SEVERAL_WAIT : 0) + g->copy * (double)m->cell);
    const double shared = ceil_log2(m->node_ranks) * node->alpha + ceil_log2(m->nodes) * network->alpha;
    return samples * (LAPS * ROUNDS * round + SHARED * shared);
}

static double machine_itself(const struct settings *s, const struct machine *m, const struct figures *node,
                             const struct figures *network)
{
    double cost = m->node_ranks > 1 ? rings(node, m->node_ranks, LARGE_NODE) : 0;
    if (m->nodes > 1)
        cost += rings(network, m->nodes, LARGE_NETWORK) + (settings_places_measured(s) ? places(network) : 0);
    else
        cost += native_calls(m);
    return cost;
}

double budget_cost(const struct budget *b, const struct settings *s, const struct machine *machine)
{
    const struct machine m = seen(b, machine);
    const struct figures node = figures_on(&m, LINK_NODE), network = figures_on(&m, LINK_NETWORK);
    const bool all = !machine->measured || !machine_lacks(machine);
    return (all ? machine_itself(s, &m, &node, &network) : 0) +
           (machine_lacks_segment(machine) ? segments(&m, &node, &network) : 0);
}

static double look_cost(const struct machine *m)
{
    enum { STEPS = 12, SHARED = 6, LARGE = 2 };
    const struct figures *g = &nominal_figures[LINK_NETWORK];
    return (STEPS + SHARED * ceil_log2(m->nodes)) * g->alpha + LARGE * LOOK_BYTES * g->beta;
}

/* ---- The budget ------------------------------------------------------------------------------------------------------ */

/* By disturbances, a measurement takes so many times as long. */
static const double DISTURBED = 1.5;

/* Seconds that may be spent before they are earned; many in a dry run with trials. */
static double advance(const struct budget *b, const struct settings *s, const struct machine *m)
{
    static const double MANY = 1e6;
    const double set = s->dry_run && s->dry_trials ? MANY : s->budget;
    return ldexp(fmax(set, TRIALS_CALLS * longest(b, m)), -b->doublings);
}

void budget_note(struct budget *b, const struct settings *s, const struct facts *f)
{
    const struct machine m = seen(b, f->machine);
    const struct facts same = of_band(f);
    if (natively(&same, &m) > longest(b, &m)) {
        b->longest = same;
        b->longest.machine = NULL;
    }
    const double cost = budget_looks(b, f->machine) ? look_cost(&m) : DISTURBED * budget_cost(b, s, f->machine);
    b->needs = b->spent + nanoseconds(cost) - nanoseconds(advance(b, s, &m));
}

double budget_left(const struct budget *b, const struct settings *s, const struct machine *machine)
{
    const struct machine m = seen(b, machine);
    return fmax(1e-9 * (double)(b->earned - b->spent) + advance(b, s, &m), 0);
}

bool budget_suffices(const struct budget *b, const struct settings *s, const struct machine *m)
{
    return budget_left(b, s, m) >= DISTURBED * budget_cost(b, s, m);
}
