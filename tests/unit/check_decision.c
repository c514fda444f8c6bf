/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All ranks take the same collective actions, whatever differs between them. The test simulates the calls of ranks from
 * beginning to end. Here, a history is a sequence of calls. The test draws histories, tries all small ones, and finds each
 * planted error.
 */
#include "simulated.h"

#include "environment.h"
#include "remembered.h"

enum { SETTINGS = 8 };

/* How many histories are drawn. */
static int histories(void)
{
    return whole_or(250000, 75000);
}

static const char *const environments[SETTINGS][3] = {{NULL},
                                                      {"PLEACH_LEARN=file"},
                                                      {"PLEACH_LEARN=file", "PLEACH_THRESHOLD=1000"},
                                                      {"PLEACH_REPRODUCIBLE=no"},
                                                      {"PLEACH_LEARN=off"},
                                                      {"PLEACH_DRY_RUN=yes"},
                                                      {"PLEACH_VERIFY=yes"},
                                                      {"PLEACH_BLOCK=32K"}};

static struct settings all_settings[SETTINGS];
static struct rules *some_rules;

/* Reads the settings of all environments, and some rules. Allows few engines, so that choices are fast. */
static void read_all(void)
{
    static const char *const names[] = {"native",    "chain",     "two-tree",        "butterfly",
                                        "circulant", "node-line", "native:binomial", "native:ring"};
    uint64_t rows = 0;
    for (size_t i = 0; i < COUNT(names); i++)
        rows |= (uint64_t)1 << engine_row(engine_find(names[i]));
    for (int i = 0; i < SETTINGS; i++) {
        ck_assert_int_eq(take(environments[i]), 0);
        all_settings[i] = settings;
        for (int c = 0; c < COLLECTIVES; c++)
            all_settings[i].engine[c].rows = rows;
    }
    some_rules = rules_parse("pleach-rules 1\n"
                             "collective=bcast bytes=64K-1M site=\"*solve*\" -> engine=chain\n"
                             "collective=scan -> engine=two-tree\n"
                             "collective=bcast bytes=2M-inf -> engine=native:binomial\n"
                             "collective=reduce bytes=40970-41000 -> engine=chain\n",
                             NULL, NULL);
    ck_assert_ptr_nonnull(some_rules);
}

/*
 * Draws a call from one of the program's sites. The site determines all but the size, which is one of two neighbours in the
 * table or hardly more, and the size of an element: some calls have only one element, which fits no cell of a segment. The
 * limit of shadow trials lies between two of the sizes, a threshold of 1000 and bounds of rules between sizes of one band.
 */
static struct facts draw_facts(int ranks, unsigned site)
{
    static const int64_t sizes[] = {960, 2 * K, 20 * K, 40 * K, 100 * K, 3 * M, 60 * M, 64 * M, 96 * M};
    const enum collective c = (enum collective)(site % COLLECTIVES);
    const int64_t bytes = sizes[(site / 8 + (draw(4) == 0)) % COUNT(sizes)] + (draw(2) ? 8 * (int64_t)draw(32) : 0);
    struct facts f = {.collective = c,
                      .op = c == COLL_BCAST ? OP_NONE : (enum op_class)(OP_EXACT + site / 64 % 3),
                      .ranks = ranks,
                      .bytes = bytes,
                      .units = c == COLL_BCAST ? bytes
                               : draw(8) == 0  ? 1
                                               : bytes / 8};
    f.symmetric = f.op == OP_ROUNDS;
    f.root = collective_rooted(c) && site / 256 % 2 ? ranks - 1 : 0;
    return f;
}

/* Draws what differs between ranks in the coming call. */
static void differ(int rare)
{
    for (int r = 0; r < sim.ranks; r++) {
        struct rank *k = &sim.rank[r];
        k->errs = draw((uint64_t)rare) == 0;
        k->lacks_memory = draw((uint64_t)rare) == 0;
        k->unprepared = draw(4) == 0;
        if (draw(8) == 0)
            k->ahead = (int64_t)draw(2000) - 1000; /* the rank's clock drifts */
        if (draw(4) == 0)
            k->budget.spent += draw(1000000000); /* another thread of the rank makes calls */
        if (draw(8) == 0)
            k->answer[draw(ANSWERS)].question.generation = 0; /* the rank has kept another answer there */
    }
}

/* Draws and runs one history; returns whether all ranks took the same actions. */
static bool history(enum planted planted)
{
    const unsigned setting = (unsigned)draw(SETTINGS), sites = (unsigned)draw(3) + 1;
    const int calls = 2 + (int)draw(draw(8) ? 12 : 40), rare = draw(2) ? 64 : 8;
    unsigned site[3];
    const int ranks = 2 + (int)draw(RANKS_MOST - 1);
    sim_begin(ranks, draw(3) ? 1 + (int)draw(2) : ranks, &all_settings[setting], draw(8) == 0 ? some_rules : NULL, planted);
    for (unsigned i = 0; i < sites; i++)
        site[i] = (unsigned)draw(512);
    for (int i = 0; i < 64; i++)
        sim.seconds[i] = 1e-9 * (1 + (double)draw(16));
    sim.native = draw(2) ? 0.2 : 1;
    sim.alpha = draw(2) ? 1e-6 : 1e-4;
    const bool rich = draw(2), crowded = draw(32) == 0;
    /* The history begins in the middle of a program; often shortly before the ranks come to share memory. */
    const uint64_t busy = crowded && draw(2) ? CROWDED_CALLS : BUSY_CALLS, made = busy - draw(draw(4) ? 8 : busy);
    const bool switches = draw(4) == 0, carried = draw(2);
    for (int r = 0; r < sim.ranks; r++) {
        if (switches)
            sim.rank[r].known.machine.algorithms = (struct algorithms){{-1U, -1U, -1U, -1U, -1U}, carried};
        sim.rank[r].known.made = made;
        sim.rank[r].budget.spent = rich ? UINT64_MAX / 2 : 0;
        sim.rank[r].known.machine.oversubscribed = crowded ? 2 : 0;
    }
    sim.shared[ACTION_INHERIT] = draw(4) == 0;
    sim.shared[ACTION_ACQUIRE] = draw(32) != 0;
    sim.shared[ACTION_SHARE] = draw(4) == 0;
    sim.shared[ACTION_CARRY] = draw(4) != 0;
    for (int i = 0; i < calls; i++) {
        const struct facts f = draw_facts(sim.ranks, site[draw(sites)]);
        sim.shared[ACTION_SITES] = draw(2);
        sim.doublings = draw(8) == 0 ? (int)draw(4) : sim.doublings;
        sim.seconds[draw(32)] *= draw(8) == 0 ? 4 : 1; /* an engine becomes slower */
        differ(rare);
        if (!sim_call(&f))
            return false;
    }
    return true;
}

/* ---- Tests -------------------------------------------------------------------------------------------------------- */

START_TEST(drawn)
{
    read_all();
    for (long i = 0; i < histories(); i++)
        REQUIRE(history(PLANTED_NONE), "history %ld: %s: %d and %d", i, sim.parted, sim.rank[0].at, sim.rank[1].at);
    for (int a = ACTION_REPEAT; a < ACTIONS; a++)
        ck_assert_msg(sim.reached[a] > 50, "action %d was taken %llu times", a, (unsigned long long)sim.reached[a]);
}

/*
 * Two ranks make three calls, with all combinations of sites and differences. Each rank may make an invalid call before a
 * call, and may lack memory and the operation for the call.
 */
START_TEST(small)
{
    enum { SITES = 4, DIFFERENCES = 16, CHOICES = SITES * DIFFERENCES };
    static const unsigned site[SITES] = {24 + COLL_BCAST, 24 + 64 + COLL_ALLREDUCE, 32 + COLL_SCAN, 16 + 128 + COLL_REDUCE};
    read_all();
    for (int setting = 0; setting < 4; setting++)
        for (int i = 0; i < CHOICES * CHOICES * CHOICES; i++) {
            sim_begin(2, 1, &all_settings[setting], NULL, PLANTED_NONE);
            for (int call = 0, rest = i; call < 3; call++, rest /= CHOICES) {
                const int differences = rest % DIFFERENCES;
                for (int r = 0; r < 2; r++) {
                    sim.rank[r].errs = differences >> r & 1;
                    sim.rank[r].lacks_memory = differences >> (2 + r) & 1;
                    sim.rank[r].unprepared = sim.rank[r].lacks_memory;
                    sim.rank[r].budget.spent = UINT64_MAX / 2;
                }
                const struct facts f = draw_facts(2, site[rest / DIFFERENCES % SITES]);
                REQUIRE(sim_call(&f), "setting %d, case %d, call %d: %s", setting, i, call, sim.parted);
            }
        }
}

/* The simulation finds each planted error in at least one of the histories. */
START_TEST(planted)
{
    read_all();
    for (int p = PLANTED_NONE + 1; p < PLANTED; p++) {
        long i = 0;
        while (i < histories() && history((enum planted)p))
            i++;
        ck_assert_msg(i < histories(), "planted error %d is not found", p);
    }
}

/*
 * One rank records, and calls of one size class lie on both sides of the limit of shadow trials. PLANTED_RECORDING, a bug
 * that the library once had, shows in these calls.
 */
START_TEST(recorder)
{
    const struct facts at_most = {.collective = COLL_ALLREDUCE, .op = OP_ROUNDS, .symmetric = true, .ranks = 4};
    for (int p = 0; p < 2; p++) {
        struct facts f = at_most;
        read_all();
        sim_begin(4, 1, &all_settings[1], NULL, p ? PLANTED_RECORDING : PLANTED_NONE);
        sim.shared[ACTION_SHARE] = false;
        for (int i = 0; i < 64; i++)
            sim.seconds[i] = 4e-9; /* so the trials of the longer calls must wait */
        bool right = true;
        for (int i = 0; i < 40 && right; i++) {
            for (int r = 0; r < 4; r++)
                sim.rank[r].errs = sim.rank[r].lacks_memory = false;
            f.bytes = i < 9 ? 60 * M : i % 4 == 1 ? 64 * M : 96 * M;
            f.units = f.bytes / 8;
            right = sim_call(&f);
        }
        ck_assert_int_eq(right, p == 0);
    }
}

/*
 * Makes the same all-reduce twice on two ranks, with this setting, and returns rank 0's decision for the second call. In
 * this call, rank 1 may lack memory.
 */
static const struct decision *decide_twice(const char *setting, bool lacks)
{
    const struct facts f = {.collective = COLL_ALLREDUCE, .op = OP_EXACT, .ranks = 2, .bytes = 3 * M, .units = 3 * M / 8};
    ck_assert_int_eq(take((const char *const[]){setting, "PLEACH_LEARN=off", "PLEACH_BUDGET=1s", NULL}), 0);
    sim_begin(2, 2, &settings, NULL, PLANTED_NONE);
    memset(sim.reached, 0, sizeof sim.reached);
    sim.native = 1;
    sim.alpha = 1e-6;
    for (int r = 0; r < 2; r++)
        sim.rank[r].errs = sim.rank[r].lacks_memory = sim.rank[r].unprepared = false;
    for (int i = 0; i < 2; i++) {
        sim.rank[1].lacks_memory = i == 1 && lacks;
        REQUIRE(sim_call(&f), "call %d: %s", i, sim.parted);
        ck_assert_int_eq(sim.rank[0].d.plan.engine == engines[0], i == 1 && lacks);
    }
    ck_assert_uint_eq(sim.reached[ACTION_RUN] + sim.reached[ACTION_REPEAT], 4);
    return &sim.rank[0].d;
}

/* The decision says what runs: the plan, the native call in place of the plan, or both. Only the plan alone is repeated. */
START_TEST(what_runs)
{
    const struct decision *d = decide_twice("PLEACH_VERIFY=no", false);
    ck_assert(d->runs == d->plan.engine && !d->verifies);
    ck_assert_uint_eq(sim.reached[ACTION_REPEAT], 2);
    d = decide_twice("PLEACH_DRY_RUN=yes", false);
    ck_assert(d->runs == engines[0] && !d->verifies);
    ck_assert_uint_eq(sim.reached[ACTION_REPEAT] + sim.reached[ACTION_PREPARE], 0);
    d = decide_twice("PLEACH_VERIFY=yes", false);
    ck_assert(d->runs == d->plan.engine && d->verifies);
    ck_assert_uint_eq(sim.reached[ACTION_REPEAT], 0);
    d = decide_twice("PLEACH_VERIFY=yes", true);
    ck_assert(d->runs == engines[0] && !d->verifies && d->plan.reason == REASON_NO_MEMORY);
}

/*
 * Two ranks share memory and have measured the machine. Once calls have earned it, they measure the memory, but not the
 * machine, and then nothing more.
 */
START_TEST(measures_segment)
{
    const struct facts f = {.collective = COLL_ALLREDUCE, .op = OP_EXACT, .ranks = 2, .bytes = 64 * K, .units = 8 * K};
    ck_assert_int_eq(take((const char *const[]){"PLEACH_LEARN=off", NULL}), 0);
    sim_begin(2, 1, &settings, NULL, PLANTED_NONE);
    memset(sim.reached, 0, sizeof sim.reached);
    sim.native = 1;
    sim.alpha = 1e-9;
    for (int r = 0; r < 2; r++) {
        sim.rank[r].errs = sim.rank[r].lacks_memory = sim.rank[r].unprepared = false;
        sim.rank[r].known.made = BUSY_CALLS;
    }
    sim.shared[ACTION_INHERIT] = sim.shared[ACTION_SHARE] = sim.shared[ACTION_ACQUIRE] = true;
    const struct known *k = &sim.rank[0].known;
    int calls = 0;
    while (calls < 2000 && !(k->machine.cell > 0 && k->machine.segment_known)) {
        REQUIRE(sim_call(&f), "call %d: %s", calls, sim.parted);
        if (calls++ == 0)
            ck_assert(k->machine.measured && machine_lacks(&k->machine) && sim.reached[ACTION_MEASURE] == 0);
    }
    ck_assert_msg(calls > 10 && calls < 2000, "measured after %d calls", calls);
    const uint64_t measured = sim.reached[ACTION_MEASURE];
    ck_assert(measured >= 2 && !k->due);
    for (int i = 0; i < 2000; i++)
        REQUIRE(sim_call(&f), "call %d: %s", i, sim.parted);
    ck_assert_uint_eq(sim.reached[ACTION_MEASURE], measured);
}

/* Ranks on several nodes measure anew after the 1st, 2nd, 4th .. drift, unless k.fixed forbids it. */
START_TEST(measures_again)
{
    for (unsigned drifts = 1; drifts <= 9; drifts++) {
        struct known k = {.machine.nodes = 2, .drifts = drifts};
        ck_assert_int_eq(known_measures_again(&k), drifts == 1 || drifts == 2 || drifts == 4 || drifts == 8);
        k.fixed = true;
        ck_assert(!known_measures_again(&k));
        k = (struct known){.machine.nodes = 1, .drifts = drifts};
        ck_assert(!known_measures_again(&k));
    }
}

SUITE("decision", 600)
