/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Simulates ranks, which take the actions of their calls in lockstep (decision.h). If one rank takes a collective action,
 * all must take the same one. Otherwise real ranks would hang or mix up their messages.
 *
 * The test sets or draws all that may differ between ranks: a lack of memory, invalid arguments, kept answers and
 * operations, clocks, the time that calls of other threads take, and who records. It can plant an error that a programmer
 * might make (enum planted). The ranks then take different actions, or one takes an action for which it lacks memory, and
 * the simulation has to find that.
 */
#pragma once

#include "choose.h"
#include "decision.h"
#include "hash.h"
#include "suite.h"

enum { RANKS_MOST = 5 };

enum planted {
    PLANTED_NONE,
    PLANTED_COUNTING,   /* now and then, rank 1 forgets to count a call */
    PLANTED_CACHING,    /* rank 1 uses kept answers even if history has changed */
    PLANTED_RECORDING,  /* ranks that do not record take a short cut, and count calls that the others do not count */
    PLANTED_MEMORY,     /* a rank without memory gives up alone */
    PLANTED_VALIDITY,   /* rank 1 counts invalid calls */
    PLANTED_GENERATION, /* rank 1 does not notice that the machine was measured */
    PLANTED_MADE,       /* rank 1 takes invalid calls for made */
    PLANTED_EARNING,    /* now and then, rank 1 forgets what a call has earned */
    PLANTED_CARRYING,   /* rank 1 does not notice that ranks lack a communicator for an algorithm */
    PLANTED_REPEATING,  /* rank 1 repeats a call although it has not acquired the scratch memory */
    PLANTED
};

enum { ANSWERS = 8 };

struct rank {
    struct known known;
    struct answer answer[ANSWERS]; /* the answers that the rank has kept */
    struct history history;
    struct decision d;
    struct trial_budget budget;
    int64_t ahead;                    /* by how much the rank's clock is ahead of sim.now, in ns */
    int64_t promised;                 /* bytes of scratch memory that ranks have agreed on; the same on all */
    bool connected;                   /* the ranks have a private communicator; the same on all */
    bool records, lacks_memory, errs; /* lacks_memory, errs: in the next call */
    bool unprepared;                  /* the rank has no operation for the arguments of the next call */
    enum action at;
    struct kind *found; /* with PLANTED_RECORDING: the kind in which the rank counts the call, without a decision */
    bool skipped;       /* with PLANTED_RECORDING: the rank has taken the short cut */
};

static struct {
    int ranks, nodes;
    struct rank rank[RANKS_MOST];
    const struct settings *settings;
    const struct rules *rules;
    enum planted planted;
    uint64_t now;              /* ns */
    double native;             /* the factor of native calls in struct machine, for all collectives and sizes */
    double seconds[64];        /* seconds for each byte of a call, by row of the registry */
    bool shared[ACTIONS];      /* by action that runs no operation: its result on all ranks, if none lacks memory */
    double alpha;              /* seconds that the ranks find in ACTION_LOOK */
    int doublings;             /* what ACTION_INHERIT sets if no enclosing group has figures */
    uint64_t reached[ACTIONS]; /* how often each action was taken */
    const char *parted;        /* what the simulation found to be wrong, or NULL */
} sim;

static uint64_t seed = 88172645463325252u;

static inline uint64_t draw(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) % below;
}

/* Begins the simulation of a communicator. No rank has made a call on it yet; rank 0 alone records. */
static inline void sim_begin(int ranks, int nodes, const struct settings *s, const struct rules *rules, enum planted planted)
{
    sim.ranks = ranks;
    sim.nodes = nodes;
    sim.settings = s;
    sim.rules = rules;
    sim.planted = planted;
    sim.parted = NULL;
    sim.now = UINT64_C(1000000000);
    for (int i = 0; i < ACTIONS; i++)
        sim.shared[i] = true;
    for (int r = 0; r < ranks; r++) {
        struct rank *k = &sim.rank[r];
        k->known = (struct known){.rules = rules};
        memset(k->answer, 0, sizeof k->answer);
        k->budget = (struct trial_budget){0};
        k->ahead = 0;
        k->promised = 0;
        k->connected = false;
        k->records = r == 0;
    }
}

/*
 * Gives the rank the machine as all ranks know it, with `nodes` nodes, and with measured figures if `measured`. Keeps what
 * is known of segments, and raises the generation.
 */
static inline void set_machine(struct rank *k, bool measured, int nodes)
{
    const uint32_t generation = k->known.machine.generation;
    const int crowded = k->known.machine.oversubscribed;
    const bool busy = k->known.machine.busy;
    k->known.machine = (struct machine){.generation = generation,
                                        .algorithms = k->known.machine.algorithms,
                                        .nodes = nodes,
                                        .node_ranks = (sim.ranks + nodes - 1) / nodes,
                                        IN_ORDER,
                                        .oversubscribed = crowded,
                                        .busy = busy,
                                        .one_node = nodes == 1,
                                        .shared_tried = k->known.machine.shared_tried,
                                        .cell = k->known.machine.cell,
                                        .segment_known = k->known.machine.segment_known,
                                        .measured = measured};
    for (int i = 0; i < COLLECTIVES * NATIVE_SIZES; i++)
        k->known.machine.native[i / NATIVE_SIZES][i % NATIVE_SIZES] = sim.native;
    for (int link = 0; link < LINKS; link++)
        k->known.machine.figures[link] =
            measured ? (struct figures){2e-7, 1e-9, 3e-9, 1e-7, 1e-7, 0} : nominal_figures[link];
    if (sim.planted != PLANTED_GENERATION || k != &sim.rank[1] || generation == 0)
        k->known.machine.generation++;
}

/* ---- Actions ------------------------------------------------------------------------------------------------------ */

/* Bytes of scratch memory that the plan's operation needs. */
static inline int64_t scratch_of(const struct decision *d)
{
    return 4096 * (int64_t)engine_row(d->plan.engine) + (d->plan.blocks == 1 ? d->question.facts.bytes : 0);
}

/* Does ACQUIRE need no message between ranks? The answer is the same on all ranks. */
static inline bool acquires_quietly(const struct rank *k, int64_t scratch)
{
    return k->connected && scratch <= k->promised;
}

static inline bool errs_in_repeating(const struct rank *k)
{
    return sim.planted == PLANTED_REPEATING && k == &sim.rank[1];
}

/*
 * Does the rank take its next action alone? REPEAT is such an action if it fails: the arguments are invalid, the rank has no
 * operation for them, or ACQUIRE would send messages.
 */
static inline bool is_local(const struct rank *k, bool valid)
{
    switch (k->at) {
    case ACTION_VALIDATE:
    case ACTION_PREPARE:
    case ACTION_CHECK:
        return true;
    case ACTION_ACQUIRE:
        return acquires_quietly(k, k->d.scratch);
    case ACTION_REPEAT:
        return !valid || k->unprepared || !(acquires_quietly(k, scratch_of(&k->d)) || errs_in_repeating(k));
    default:
        return false;
    }
}

/* Lets a rank go on to its next collective action, or to the end of its call. */
static inline void go_on(struct rank *k, bool valid)
{
    struct decision *d = &k->d;
    for (k->at = decision_next(d); is_local(k, valid); k->at = decision_next(d)) {
        const bool looks = k->at == ACTION_VALIDATE || k->at == ACTION_CHECK;
        sim.reached[k->at]++;
        if (k->at == ACTION_PREPARE)
            d->scratch = scratch_of(d);
        decision_heard(d, k->at, looks ? valid : k->at != ACTION_REPEAT);
    }
}

static inline bool same_plan(const struct decision *a, const struct decision *b)
{
    return a->plan.engine == b->plan.engine && a->plan.blocks == b->plan.blocks && a->plan.wide == b->plan.wide;
}

/* For the other ranks, a rank's REPEAT is a RUN. */
static inline enum action run_or(enum action a)
{
    return a == ACTION_REPEAT ? ACTION_RUN : a;
}

/* Do the ranks take the same collective action? */
static inline bool together(const struct rank *a, const struct rank *b)
{
    if (run_or(a->at) != run_or(b->at))
        return false;
    switch (run_or(a->at)) {
    case ACTION_RUN:
        return a->d.runs == b->d.runs && a->d.verifies == b->d.verifies &&
               (!decision_runs_engine(&a->d) || same_plan(&a->d, &b->d));
    case ACTION_SHADOW:
        return same_plan(&a->d, &b->d);
    case ACTION_ACQUIRE:
        return a->d.scratch == b->d.scratch && (a->d.scratch > a->promised) == (b->d.scratch > b->promised);
    case ACTION_CARRY:
        return a->d.plan.engine == b->d.plan.engine;
    case ACTION_SYNC:
        return kind_key(&a->d.question.facts) == kind_key(&b->d.question.facts);
    default:
        return true;
    }
}

static inline bool all_have_memory(void)
{
    bool all = true;
    for (int r = 0; r < sim.ranks; r++)
        all &= !sim.rank[r].lacks_memory;
    return all;
}

static inline void hold_sync(void)
{
    uint64_t most[WORDS] = {0}, word[WORDS];
    for (int r = 0; r < sim.ranks; r++) {
        struct rank *k = &sim.rank[r];
        history_say(&k->history, k->d.kind, &k->budget, word);
        for (int i = 0; i < WORDS; i++)
            most[i] = word[i] > most[i] ? word[i] : most[i];
    }
    for (int r = 0; r < sim.ranks; r++) {
        struct trial_budget more = {0};
        decision_hear(&sim.rank[r].d, most, 1000, &more);
        sim.rank[r].known.carriers &= known_needs_algorithms(&sim.rank[r].known, sim.settings);
        sim.rank[r].budget.lost += more.lost;
        sim.rank[r].budget.spent += more.spent;
    }
}

/* Enlarges the rank's scratch memory to what the call needs. Returns false if memory is lacking. */
static inline bool get_scratch(struct rank *k, bool memory)
{
    if (memory)
        k->promised = k->d.scratch;
    return sim.planted == PLANTED_MEMORY ? !k->lacks_memory : memory;
}

/* Does the rank run an engine without having acquired what it needs? */
static inline bool unequipped(const struct rank *k)
{
    const struct engine *e = k->at == ACTION_RUN ? k->d.runs : k->at == ACTION_SHADOW ? k->d.plan.engine : engines[0];
    if (known_lacks_carrier(&k->known, e))
        return true;
    if (k->at == ACTION_REPEAT)
        return !acquires_quietly(k, scratch_of(&k->d));
    if (k->at == ACTION_RUN && k->d.verifies && !(k->d.heard >> ACTION_RESERVE & 1))
        return true;
    return !engine_by_mpi(e) && (!(k->d.heard >> ACTION_ACQUIRE & 1) || k->d.scratch > k->promised);
}

/*
 * Performs a collective action on rank k. `memory` says whether all ranks have memory. Returns the result for
 * decision_heard().
 */
static inline bool act(struct rank *k, bool memory)
{
    struct decision *d = &k->d;
    const struct facts *f = &d->question.facts;
    const uint64_t ns =
        (uint64_t)(1e9 * sim.seconds[d->plan.engine ? engine_row(d->plan.engine) : 0] * (double)f->bytes) + 1;
    bool yes = sim.shared[k->at];
    switch (k->at) {
    case ACTION_SETTLE:
        k->known.settled = memory;
        k->known.barred = memory ? REASON_NONE : REASON_NO_MEMORY;
        if (strcmp(sim.settings->learn, "off") != 0) {
            history_clear(&k->history);
            k->known.history = &k->history;
        }
        set_machine(k, false, sim.nodes);
        return memory;
    case ACTION_SITES:
        d->everywhere = yes ? UINT64_MAX : 0;
        return true;
    case ACTION_INHERIT:
        if (yes) {
            set_machine(k, true, k->known.machine.nodes);
        } else if (k->known.budget.doublings != sim.doublings) {
            k->known.budget.doublings = sim.doublings;
            k->known.machine.generation++;
        }
        return yes;
    case ACTION_ACQUIRE:
        k->known.barred = d->lacks = yes ? REASON_NONE : REASON_NO_CONTEXT; /* in the library also REASON_MISMATCH */
        k->connected = yes;
        if (yes && d->scratch > k->promised)
            d->lacks = get_scratch(k, memory) ? REASON_NONE : REASON_NO_MEMORY;
        return d->lacks == REASON_NONE;
    case ACTION_LOOK:
        k->known.budget.looked = true;
        k->known.budget.message = (struct figures){sim.alpha, 1e-3 * sim.alpha, 2e-10, sim.alpha, sim.alpha, 0};
        k->known.budget.spent += (int64_t)(1e10 * sim.alpha);
        k->known.machine.generation++;
        return true;
    case ACTION_MEASURE:
        if (memory) {
            k->known.budget.spent += (int64_t)(1e12 * sim.alpha);
            set_machine(k, true, k->known.machine.nodes);
            k->known.machine.segment_known |= draw(4) > 0;
        }
        return memory;
    case ACTION_SHARE:
        k->known.machine.shared_tried = true;
        k->known.machine.cell = yes ? 32 << 10 : 0;
        k->known.machine.segment_known = draw(4) == 0;
        k->known.machine.generation++;
        return yes;
    case ACTION_CARRY: {
        const uint32_t bit = UINT32_C(1) << d->plan.engine->algorithm;
        k->known.carriers |= yes ? bit : 0;
        if (!yes && !(sim.planted == PLANTED_CARRYING && k == &sim.rank[1])) {
            for (int c = 0; c < COLLECTIVES; c++)
                k->known.machine.algorithms.of[c] &= ~bit;
            k->known.machine.generation++;
        }
        return yes;
    }
    case ACTION_RESERVE:
        return sim.planted == PLANTED_MEMORY ? !k->lacks_memory : memory;
    case ACTION_SHADOW:
    case ACTION_REPEAT:
    case ACTION_RUN:
        d->when = (struct timed){sim.now + (uint64_t)k->ahead, sim.now + (uint64_t)k->ahead + ns, 0};
        return !d->unchecked || draw(2) == 0;
    default:
        return yes;
    }
}

/* All ranks perform the same action and go on to their next ones. */
static inline void meet(void)
{
    const uint64_t same = seed;
    const bool memory = all_have_memory();
    const enum action a = sim.rank[0].at;
    sim.now += 1000;
    if (a == ACTION_SYNC)
        hold_sync();
    for (int r = 0; r < sim.ranks; r++) {
        seed = same;
        if (unequipped(&sim.rank[r]))
            sim.parted = "an engine runs without what it needs";
        sim.reached[sim.rank[r].at]++;
        bool yes = act(&sim.rank[r], memory);
        decision_heard(&sim.rank[r].d, sim.rank[r].at, yes);
        go_on(&sim.rank[r], true);
    }
}

/* ---- Calls -------------------------------------------------------------------------------------------------------- */

/* The facts of a call as describe() gives them to rank k. */
static inline struct facts described(const struct rank *k, const struct facts *facts)
{
    struct facts f = *facts;
    f.barred = k->known.barred;
    f.machine = &k->known.machine;
    return f;
}

/* The place for the answer to a question about these facts. Sizes of one band have the same place; other facts may, too. */
static inline struct answer *place_of(struct rank *k, const struct facts *f)
{
    const int64_t band = f->bytes & ~band_bits(f->bytes);
    return &k->answer[(spread64((uint64_t)band * COLLECTIVES + f->collective) + (uint64_t)f->root) % ANSWERS];
}

static inline void begin_call(struct rank *k, const struct facts *facts)
{
    const struct facts *f = &k->d.question.facts;
    known_begin(&k->known);
    k->d.question.facts = described(k, facts);
    decision_begin(&k->d, sim.settings, &k->known, place_of(k, f), policy_quick(sim.settings, f));
}

/* Makes a call with invalid arguments on this rank. The rank must take no collective action except the native call. */
static inline void err(struct rank *k, const struct facts *facts)
{
    begin_call(k, facts);
    go_on(k, false);
    if (sim.planted == PLANTED_MADE && k == &sim.rank[1])
        known_made(&k->known, 0);
    if (k->at == ACTION_RUN && !decision_runs_engine(&k->d)) {
        if (sim.planted == PLANTED_VALIDITY && k == &sim.rank[1] && k->d.kind)
            kind_count(k->d.kind, facts, NULL);
        decision_heard(&k->d, ACTION_RUN, false);
        go_on(k, false);
    }
    if (k->at != ACTION_DONE)
        sim.parted = "an invalid call takes a collective action";
}

/*
 * PLANTED_RECORDING, a bug that the library once had. A rank that does not record makes the native call without a decision,
 * if its kept answer is native. Returns true if the rank does so. It finds the call's kind itself, and sim_call() counts the
 * call there even if the call is above the limit of shadow trials.
 */
static inline bool short_cut(struct rank *k, const struct facts *facts)
{
    const struct known *known = &k->known;
    const struct facts described_facts = described(k, facts), *f = &described_facts;
    const struct answer *a = place_of(k, f);
    const bool ready = known->settled && (known->machine.measured || known->machine.oversubscribed) && !known->rules;
    k->found = NULL;
    if (!ready || k->records || policy_quick(sim.settings, f))
        return false;
    k->found = known->history ? history_find(known->history, f) : NULL;
    if (k->found && (kind_syncs(k->found) || kind_times(k->found) || kind_serves(k->found) >= 0))
        return false;
    return a->question.generation && a->question.facts.bytes == f->bytes && a->question.facts.collective == f->collective &&
           a->question.facts.op == f->op && a->plan.engine == engines[0];
}

/* Makes the error PLANTED_COUNTING or PLANTED_CACHING on the rank. */
static inline void plant(struct rank *k)
{
    struct answer *a = place_of(k, &k->d.question.facts);
    if (sim.planted == PLANTED_COUNTING && draw(16) == 0 && k->known.history)
        for (int i = 0; i < KINDS; i++)
            k->history.kind[i].calls -= k->history.kind[i].calls > 0;
    if (sim.planted == PLANTED_CACHING && a->question.generation) {
        struct kind *kind = k->known.history ? history_find(k->known.history, &k->d.question.facts) : NULL;
        a->question.learned = kind ? kind_serves(kind) : -1;
        a->question.trial = kind && a->question.learned >= 0 && kind->state == KIND_TRIED;
    }
}

/* Makes a call on all ranks. Returns false if something is wrong; sim.parted says what. */
static inline bool sim_call(const struct facts *facts)
{
    for (int r = 0; r < sim.ranks; r++) {
        struct rank *k = &sim.rank[r];
        if (k->errs)
            err(k, facts);
        k->skipped = sim.planted == PLANTED_RECORDING && short_cut(k, facts);
        begin_call(k, facts);
        if (r == 1)
            plant(k);
        if (k->skipped)
            k->at = ACTION_DONE;
        else
            go_on(k, true);
    }
    for (bool skipped = false; !sim.parted; skipped = true) {
        const struct rank *first = NULL;
        bool any = false;
        for (int r = 0; r < sim.ranks && !sim.parted; r++) {
            const struct rank *k = &sim.rank[r];
            if (k->skipped) { /* the rank has made the native call */
                any |= !skipped;
                continue;
            }
            if (first && !together(first, k))
                sim.parted = "ranks take different collective actions";
            first = first ? first : k;
        }
        for (int r = 0; r < sim.ranks && any && first; r++)
            if (!sim.rank[r].skipped && (first->at != ACTION_RUN || decision_runs_engine(&first->d)))
                sim.parted = "some ranks make the native call, others another action";
        if (sim.parted || !first || first->at == ACTION_DONE)
            break;
        if (any) {
            for (int r = 0; r < sim.ranks; r++)
                if (!sim.rank[r].skipped) {
                    decision_heard(&sim.rank[r].d, ACTION_RUN, act(&sim.rank[r], true));
                    go_on(&sim.rank[r], true);
                }
        } else
            meet();
    }
    for (int r = 0; r < sim.ranks; r++) {
        struct rank *k = &sim.rank[r];
        const bool earns = !k->skipped && !(sim.planted == PLANTED_EARNING && r == 1 && draw(4) == 0);
        known_made(&k->known, earns ? k->d.earns : 0);
        if (k->skipped && k->found)
            kind_count(k->found, facts, NULL);
    }
    return !sim.parted;
}
