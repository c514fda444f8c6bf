/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All engines give a right result the same bits: operands are integers, or doubles with small whole values. The user's
 * operation composes affine maps modulo 2^64, which is associative but not commutative, so a wrong order shows.
 */
#include "contest.h"

#include "clock.h"
#include "hash.h"
#include "interpose.h"
#include "prepare.h"
#include "serving.h"
#include "process.h"
#include "small_stack.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3, MOST = 100 }; /* rounds; twice as many for noise */
enum { TRIES = 2 };

#define SHORT 1e-3 /* shorter calls warm caches first */
#define CALM 0.7   /* of the time; the rest is for noisy ones */

/* ---- The call ------------------------------------------------------------------------------------------------------ */

/* x -> a x + b, two words. `in`: of lower ranks, applied first. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const uint64_t *low = in;
    uint64_t *high = inout;
    (void)type;
    for (int i = 0; i < 2 * *count; i += 2) {
        high[i + 1] += high[i] * low[i + 1];
        high[i] *= low[i];
    }
}

static void make_handles(enum op_class op, MPI_Datatype *type, MPI_Op *mpi_op)
{
    *type = op == OP_NONE ? MPI_BYTE : op == OP_EXACT ? MPI_INT64_T : MPI_DOUBLE;
    *mpi_op = op == OP_NONE ? 0 : MPI_SUM;
    if (op == OP_ORDERED) {
        bench_mpi.Type_contiguous(2, MPI_UINT64_T, type);
        bench_mpi.Type_commit(type);
        pmpi.Op_create(compose, 0, mpi_op);
    }
}

static void free_handles(const struct contest *t)
{
    MPI_Datatype type = (MPI_Datatype)t->call.datatype;
    MPI_Op mpi_op = (MPI_Op)t->call.op;
    if (t->facts.op == OP_ORDERED) {
        pmpi.Type_free(&type);
        pmpi.Op_free(&mpi_op);
    }
}

static void fill(uint64_t *data, int64_t words, enum op_class op, uint64_t seed)
{
    for (int64_t i = 0; i < words; i++) {
        data[i] = mix64(seed + (uint64_t)i);
        if (op == OP_ROUNDS) {
            double whole = (double)(data[i] & 0xffff);
            memcpy(&data[i], &whole, sizeof whole);
        }
    }
}

static uint64_t hash(const uint64_t *data, int64_t words)
{
    uint64_t h = 0;
    for (int64_t i = 0; i < words; i++)
        h = mix64(h ^ data[i]) + 0x9e3779b97f4a7c15u;
    return h;
}

void contest_open(struct contest *t, enum collective c, enum op_class op, int64_t bytes, int root)
{
    MPI_Datatype type;
    MPI_Op mpi_op;
    size_t size = (size_t)(bytes + 7) / 8 * 8;
    MPI_Count unit;
    *t = (struct contest){.words = (int64_t)size / 8, .in = malloc(size), .out = malloc(size)};
    if (!pmpi_agreed(job.comm->channel.comm, t->in && t->out, MPI_MIN))
        job_stop(STATUS_FAILED, "not enough memory for messages of %lld bytes", (long long)bytes);
    make_handles(op, &type, &mpi_op);
    pmpi.Type_size_x(type, &unit);
    fill(t->in, t->words, op, (uint64_t)job.comm->rank << 40);
    fill(t->out, t->words, op, 1);
    t->call = (struct call){.collective = c,
                            .in = t->in,
                            .out = t->out,
                            .count = (argument)(bytes / unit),
                            .datatype = (argument)type,
                            .op = (argument)mpi_op,
                            .root = collective_rooted(c) ? root : 0,
                            .comm = (argument)MPI_COMM_WORLD};
    enum reason reason = describe(&t->call, job.comm, &t->facts);
    if (!reason)
        reason = validate(&t->call, job.comm, &t->facts, &t->view);
    if (reason)
        job_abort(reason_word(reason));
    if (job.comm->known.history) { /* on all ranks or none; earlier calls are of no use */
        *job.comm->known.history = (struct history){0};
        comm_knows_machine(job.comm);
    }
    if (job.comm->known.machine.nodes > 1)
        clock_agree(job.comm);
}

static void drop_last(struct contest *t)
{
    struct candidate *last = &t->candidate[--t->candidates];
    free(last->repetition);
    operation_end(&last->operation);
}

void contest_close(struct contest *t)
{
    free_handles(t);
    while (t->candidates > 0)
        drop_last(t);
    free(t->in);
    free(t->out);
}

/* ---- Candidates ------------------------------------------------------------------------------------------------------ */

static void add_candidate(struct contest *t, struct candidate c)
{
    assert(t->candidates < CONTEST_MOST);
    c.timing.engine = c.operation.plan.engine;
    c.timing.blocks = c.operation.plan.blocks;
    t->candidate[t->candidates++] = c;
}

void contest_add(struct contest *t, int row)
{
    struct candidate c = {.operation.facts = t->facts,
                          .operation.plan = choose_row(&process.settings, NULL, &t->facts, row)};
    if (!engine_by_mpi(engines[row])) {
        prepare_plan(&c.operation, NULL, job.comm);
        prepare_data(&c.operation, &t->view, job.comm);
        if (comm_acquire(job.comm, c.operation.scratch_agreed, c.operation.scratch)) {
            operation_end(&c.operation);
            return;
        }
    }
    add_candidate(t, c);
}

/* For a candidate by the model alone: it neither decides nor learns. On all ranks at once. The caller puts it back. */
static struct history *detach_history(const struct candidate *c)
{
    struct history *history = job.comm->known.history;
    if (!c->learned)
        job.comm->known.history = NULL;
    return history;
}

/* Collective: what the library would choose next. */
static void ask_plan(const struct contest *t, struct candidate *c)
{
    c->operation.plan.engine = engines[0];
    if (!policy_quick(&process.settings, &t->facts)) {
        struct history *history = detach_history(c);
        struct serving s = {.call = &t->call, .comm = job.comm, .caller = __builtin_return_address(0)};
        c->operation.plan = serving_ask(&s, &t->facts);
        job.comm->known.history = history;
    }
    c->timing.engine = c->operation.plan.engine;
    c->timing.blocks = c->operation.plan.blocks;
}

struct performance {
    struct contest *trial;
    struct candidate *candidate;
};

static void make_call(void *with)
{
    const struct performance *p = with;
    const struct operation *o = &p->candidate->operation;
    if (p->candidate->chosen) {
        struct history *history = detach_history(p->candidate);
        intercept(&p->trial->call, __builtin_return_address(0));
        job.comm->known.history = history;
    } else if (engine_by_mpi(o->plan.engine)) {
        if (known_lacks_carrier(&job.comm->known, o->plan.engine) &&
            (comm_acquire(job.comm, 0, 0) || !comm_carry(job.comm, o->plan.engine->algorithm)))
            job_stop(STATUS_FAILED, "no communicator left for an algorithm");
        native_with(&p->trial->call, job.comm, o->plan.engine, false);
    } else if (comm_acquire(job.comm, o->scratch_agreed, o->scratch) == REASON_NONE) /* released at a call's end */
        perform(o, &p->trial->view, job.comm);
    else
        job_stop(STATUS_FAILED, "no memory left for an engine");
}

/* BUSY_CALLS calls, for the segment of a program that goes on; none if each rank is alone on its node. */
static void make_busy(struct contest *t)
{
    struct candidate chosen = {.chosen = true};
    const struct machine *m = &job.comm->known.machine;
    for (int k = 0; k <= BUSY_CALLS && !m->busy && m->nodes < job.comm->ranks && t->facts.bytes < SHORT_BYTES; k++)
        make_call(&(struct performance){t, &chosen});
}

void contest_add_chosen(struct contest *t, bool learned)
{
    struct candidate c = {.chosen = true, .learned = learned};
    make_busy(t);
    ask_plan(t, &c);
    add_candidate(t, c);
}

/* ---- Running ------------------------------------------------------------------------------------------------------- */

static struct repetition repeat(struct contest *t, struct candidate *c, int tries)
{
    struct repetition r = clock_time(job.comm, true, make_call, &(struct performance){t, c}, tries);
    if (r.together && r.seconds < c->best)
        c->best = r.seconds;
    return r;
}

/* The same bits in `out` as native, also outside of the result? On all ranks. */
static void check(struct contest *t, struct candidate *c)
{
    bool source = collective_source(t->call.collective, job.comm->rank, t->facts.root);
    uint64_t found;
    fill(t->out, t->words, t->facts.op, source ? 2 : 1);
    c->best = INFINITY;
    repeat(t, c, 1);
    found = hash(t->out, t->words);
    if (c == &t->candidate[0])
        t->expect = found;
    c->timing.right = pmpi_agreed(job.comm->channel.comm, found == t->expect, MPI_MIN);
}

/* Of each that is not settled, in changing order, as caches keep traces. Short calls first once without timing. */
static void round_of(struct contest *t, int done)
{
    int order[CONTEST_MOST] = {0};
    for (int i = 0; i < t->candidates; i++)
        order[i] = i;
    for (int i = t->candidates - 1; i > 0; i--) {
        int k = (int)(mix64((uint64_t)done * CONTEST_MOST + (uint64_t)i) % (uint64_t)(i + 1)), other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
    for (int i = 0; i < t->candidates; i++) {
        struct candidate *c = &t->candidate[order[i]];
        if (c->settled || job.interrupted)
            continue;
        if (c->count > 0 && c->repetition[0].seconds < SHORT)
            make_call(&(struct performance){t, c});
        c->repetition[c->count++] = repeat(t, c, TRIES);
    }
}

static bool some_noise(struct contest *t)
{
    bool any = false;
    for (int i = 0; i < t->candidates; i++) {
        struct candidate *c = &t->candidate[i];
        timing_set(&c->timing, c->repetition, c->count);
        c->settled = !timing_noisy(&c->timing);
        any |= !c->settled;
    }
    return any;
}

int contest_timings(const struct contest *t, struct timing *timing)
{
    for (int i = 0; i < t->candidates; i++)
        timing[i] = t->candidate[i].timing;
    return t->candidates;
}

static const struct kind *kind_of_calls(const struct contest *t)
{
    struct history *history = job.comm->known.history;
    return history ? history_find(history, &t->facts) : NULL;
}

static bool still_learns(const struct contest *t)
{
    const struct kind *k = kind_of_calls(t);
    return k && kind_learns(k);
}

static bool let_learn(struct contest *t, struct candidate *c, int64_t most, double last)
{
    bool right = c->timing.right;
    for (int64_t i = 0; i < most && still_learns(t) && !job.interrupted && clock_elapsed(job.comm) < last; i++) {
        check(t, c);
        right = right && c->timing.right;
    }
    c->unlearned = still_learns(t);
    return right;
}

const struct kind *contest_learn(struct contest *t, double seconds, bool *right)
{
    const double last = clock_elapsed(job.comm) + seconds;
    contest_add(t, 0);
    contest_add_chosen(t, true);
    check(t, &t->candidate[0]);
    check(t, &t->candidate[1]);
    *right = let_learn(t, &t->candidate[1], INT64_MAX, last);
    return kind_of_calls(t);
}

bool contest_run(struct contest *t, int64_t repeats, double seconds)
{
    int64_t most = repeats ? repeats : MOST, done = 0;
    double begin = clock_elapsed(job.comm);
    for (int i = 0; i < t->candidates && !job.interrupted; i++) {
        struct candidate *c = &t->candidate[i];
        c->repetition = job_memory(NULL, 2 * most, sizeof *c->repetition);
        check(t, c);
        if (c->learned) {
            c->timing.right = let_learn(t, c, options.learn, begin + seconds);
            ask_plan(t, c);
        }
        for (int64_t k = 0; k < options.warmups; k++)
            make_call(&(struct performance){t, c});
    }
    for (bool more = true; more && done < most && !job.interrupted; done++) {
        round_of(t, (int)done);
        more = repeats || done + 1 < FEWEST || clock_elapsed(job.comm) - begin < CALM * seconds;
    }
    while (!job.interrupted && some_noise(t) && done < 2 * most && clock_elapsed(job.comm) - begin < seconds)
        round_of(t, (int)done++);
    return !job.interrupted;
}
