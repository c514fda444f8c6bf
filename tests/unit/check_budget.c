/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The budget of measurements, in virtual time: a program repeats a call on a machine whose network has other figures than
 * the model supposes. It looks and measures as the decision does.
 */
#include "budget.h"
#include "choose.h"
#include "environment.h"
#include "model.h"
#include "policy.h"

#include <math.h>

#define NS 1000000000.0

/* The calls of a communicator, and what happened between them. */
struct program {
    struct machine machine;
    struct budget budget;
    struct facts facts;
    struct figures network; /* the true figures */
    double longer;          /* measuring takes so many times as long as the model expects */
    int calls, measured_at; /* calls so far; the number of calls before the machine was measured, or -1 */
    double natively, taken; /* seconds of all calls, if they were native, and by their engines */
};

static struct program begin(int nodes, int ranks, int64_t bytes, double alpha, double beta)
{
    return (struct program){
        .machine = {.generation = 1,
                    .nodes = nodes,
                    .node_ranks = ranks / nodes,
                    .node_least = ranks / nodes,
                    IN_ORDER,
                    .one_node = nodes == 1,
                    .shared_tried = true},
        .facts = {.collective = COLL_BCAST, .op = OP_NONE, .ranks = ranks, .bytes = bytes, .units = bytes},
        .network = {alpha, beta, 2e-10, alpha, alpha, 0},
        .longer = 1,
        .measured_at = -1};
}

static double seconds_of(const struct plan *plan, const struct facts *f)
{
    const struct expected e = choose_expected(&settings, NULL, f, plan);
    return e.engine > 0 ? e.engine : native_seconds(f, &f->machine->figures[LINK_NETWORK], &f->machine->figures[LINK_NODE]);
}

static void spend(struct program *p, double seconds)
{
    p->budget.spent += (int64_t)(NS * seconds);
}

/* What the ranks measure are the true figures. */
static void learn(struct program *p)
{
    p->machine.measured = true;
    p->machine.figures[LINK_NODE] = p->machine.nodes > 1 ? nominal_figures[LINK_NODE] : p->network;
    p->machine.figures[LINK_NETWORK] = p->network;
}

static void measure(struct program *p)
{
    struct program truly = *p;
    learn(&truly);
    const double left = budget_left(&p->budget, &settings, &p->machine);
    spend(p, fmin(left, p->longer * budget_cost(&truly.budget, &settings, &truly.machine)));
    p->measured_at = p->calls;
    learn(p);
}

static void look(struct program *p)
{
    p->budget.looked = true;
    p->budget.message = p->network;
    spend(p, 4 * (p->network.alpha + LOOK_BYTES * p->network.beta));
}

/* Makes the call once more. */
static void make_call(struct program *p)
{
    p->facts.machine = &p->machine;
    struct question q = {.facts = p->facts, .learned = -1};
    if (!p->machine.measured) {
        budget_note(&p->budget, &settings, &p->facts);
        if (budget_due(&p->budget) && p->machine.nodes > 1 && !p->budget.looked) {
            look(p);
            budget_note(&p->budget, &settings, &p->facts);
        }
        if (budget_due(&p->budget))
            measure(p);
    }
    struct program truly = *p;
    learn(&truly);
    struct facts f = p->facts;
    f.machine = &truly.machine;
    const struct plan plan = choose(&settings, NULL, &p->facts), native = {.engine = engines[0]};
    p->budget.earned += budget_earns(&p->budget, &settings, &q, &plan);
    p->natively += seconds_of(&native, &f);
    p->taken += seconds_of(&plan, &f);
    p->calls++;
}

static void make_calls(struct program *p, int calls)
{
    while (calls-- > 0)
        make_call(p);
}

static double spent(const struct program *p)
{
    return (double)p->budget.spent / NS;
}

/* The native call, truly. */
static double native(const struct program *p)
{
    return p->natively / p->calls;
}

/* 12 hosts, 1 us a byte: messages of 1 MiB over thin uplinks. Measuring takes seconds, and so do ten calls. */
START_TEST(thin_uplinks)
{
    ck_assert_int_eq(take_one("PLEACH_LEARN=off"), 0);
    struct program p = begin(12, 12, M, 50e-6, 1e-6);
    make_calls(&p, 2);
    ck_assert_int_ge(p.measured_at, 0);
    ck_assert(spent(&p) > 2 && spent(&p) < 10 * native(&p));
    ck_assert(p.taken < p.natively);
    while (budget_debt(&p.budget) > 0 && p.calls < 100)
        make_call(&p);
    ck_assert_msg(p.calls < 30, "%d calls do not pay for measuring", p.calls);
    ck_assert(p.natively - p.taken >= 0.9 * spent(&p));
}

/* A measurement that is disturbed ends when it has spent the budget: what calls have earned, and the time of ten calls. */
START_TEST(bounded)
{
    static const double networks[][2] = {{50e-6, 1e-6}, {4e-3, 8e-8}, {10e-6, 1e-9}, {1e-6, 1e-10}};
    static const int64_t sizes[] = {20 * K, 100 * K, M, 16 * M};
    ck_assert_int_eq(take_one("PLEACH_LEARN=off"), 0);
    for (size_t i = 0; i < COUNT(networks); i++)
        for (size_t j = 0; j < COUNT(sizes); j++) {
            struct program p = begin(16, 16, sizes[j], networks[i][0], networks[i][1]);
            p.longer = 100;
            for (int calls = 1; calls < 2000; calls++) {
                make_call(&p);
                const double saved = fmax(p.natively - p.taken, 0) + 0.01 * p.natively;
                REQUIRE(spent(&p) <= 11 * native(&p) + 1.1 * saved, "network %zu, size %zu, call %d: %g s, %g s a call", i,
                        j, calls, spent(&p), native(&p));
            }
        }
}

/* A program with little to gain does not measure, however long it runs; one with more to gain measures, and gains by it. */
START_TEST(earned)
{
    ck_assert_int_eq(take_one("PLEACH_LEARN=off"), 0);
    struct program little = begin(1, 2, 20 * K, 1e-6, 0.2e-9), more = begin(1, 4, 4 * M, 1e-6, 0.2e-9);
    make_calls(&little, 500);
    ck_assert(little.measured_at < 0 && little.budget.spent == 0);
    make_calls(&more, 5000);
    ck_assert(more.measured_at > 0 && budget_debt(&more.budget) == 0);
}

/* Memory that ranks share costs more, until it is known; then, or if the machine is known, the rest alone. */
START_TEST(shared_memory)
{
    ck_assert_int_eq(take_one("PLEACH_LEARN=off"), 0);
    struct program p = begin(1, 2, 20 * K, 1e-6, 0.2e-9);
    const double without = budget_cost(&p.budget, &settings, &p.machine);
    p.machine.cell = 64 << 10;
    const double both = budget_cost(&p.budget, &settings, &p.machine);
    p.machine.measured = true;
    p.machine.figures[LINK_NODE] = nominal_figures[LINK_NODE];
    const double alone = budget_cost(&p.budget, &settings, &p.machine);
    ck_assert(alone > 1e-3 && alone < 20e-3 && fabs(both - without - alone) < 1e-9);
    p.machine.segment_known = true;
    ck_assert(fabs(budget_cost(&p.budget, &settings, &p.machine) - without) < 1e-9);
    p.machine.measured = false;
    ck_assert(fabs(budget_cost(&p.budget, &settings, &p.machine) - without) < 1e-9);
}

/* A setting stands in for the time of ten calls; each doubling halves either. A dry run saves nothing. */
START_TEST(advances)
{
    static const struct {
        const char *setting;
        int doublings;
        double left;
    } table[] = {
        {"PLEACH_BUDGET=8s", 0, 8}, {"PLEACH_BUDGET=8s", 3, 1}, {"PLEACH_BUDGET=0", 0, 0}, {"PLEACH_BUDGET=1us", 0, 0}};
    for (size_t i = 0; i < COUNT(table); i++) {
        ck_assert_int_eq(take_one(table[i].setting), 0);
        struct program p = begin(1, 2, 20 * K, 1e-6, 0.2e-9);
        p.budget.doublings = table[i].doublings;
        const double ten =
            10 * native_seconds(
                     &(struct facts){
                         .collective = COLL_BCAST, .ranks = 2, .bytes = 20 * K, .units = 20 * K, .machine = &p.machine},
                     &nominal_figures[LINK_NODE], &nominal_figures[LINK_NODE]);
        p.facts.machine = &p.machine;
        budget_note(&p.budget, &settings, &p.facts);
        const double left = budget_left(&p.budget, &settings, &p.machine);
        REQUIRE(fabs(left - fmax(table[i].left, ten)) < 1e-9, "row %zu: %g s", i, left);
        ck_assert_int_eq(budget_due(&p.budget), table[i].left > 0);
    }
    int64_t earns[2];
    for (int dry = 0; dry < 2; dry++) {
        ck_assert_int_eq(take_one(dry ? "PLEACH_DRY_RUN=yes" : "PLEACH_DRY_RUN=no"), 0);
        struct program p = begin(12, 12, M, 10e-6, 1e-9);
        make_call(&p);
        earns[dry] = p.budget.earned;
    }
    ck_assert(earns[1] > 0 && earns[0] > 10 * earns[1]);
}

SUITE("budget", 60)
