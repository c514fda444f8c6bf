/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor of engines that go through a segment. Ranks are threads of one process. They make many calls, one after the
 * other without a barrier, and long calls go around the small cells several times. Groups have 1 to 3 ranks. Nothing fails,
 * so no message is sent. In half of the runs, a rank's stores reach the other ranks late, as far as nothing orders them
 * (delayed.h). Under ThreadSanitizer (make check-threads) the test also finds accesses that the counters do not order. In
 * the last test, one thread plays all ranks, and many calls fail.
 */
#include "delayed.h"
#include "rounds.c"
#include "threaded.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { CELL = 2 * SEGMENT_LINES, MANY = 12 };            /* bytes; ranks of a line that is longer than SEGMENT_DEPTH */
enum { TAKES = 1, PAST = 2, DELAYED = 4, SETTINGS = 8 }; /* bits: a reader takes a cell's lines; copies go past caches; .. */

/* ---- An MPI of our own ------------------------------------------------------------------------------------------------ */

static atomic_bool failed; /* a rank has failed, so all end */
static atomic_int looks;   /* looks for the alarm, in which a real MPI makes progress */
static struct {
    int looks; /* 0: none */
    struct segment_rank *rank;
} frees; /* after so many looks, this rank has left all rounds */

static int iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    (void)from, (void)tag, (void)comm, (void)status;
    *there = 0;
    if (++looks == frees.looks)
        segment_set(&frees.rank->out, INT64_MAX / 2);
    return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* A rank that fails sends nothing: the others see `failed`, or lost rounds. */
static int isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    (void)data, (void)count, (void)type, (void)to, (void)tag, (void)comm, (void)request;
    return MPI_ERR_OTHER;
}

static const struct wire wire = {.Iprobe = iprobe, .Isend = isend, .Reduce_local = reduce_local};

/* The linker directs calls of sched_yield() and others to these functions (--wrap), which count them. */
static atomic_int yields, sleeps, reads;

int __real_sched_yield(void);
int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_sched_yield(void);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

int __wrap_sched_yield(void)
{
    yields++;
    return __real_sched_yield();
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    (void)clock, (void)flags, (void)t, (void)left;
    sleeps++;
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
    reads++;
    return __real_clock_gettime(clock, t);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------------ */

/* The smallest number of blocks with which `wide` blocks fit into a cell. */
static int64_t blocks_of(const struct call *c)
{
    const struct facts *f = &c->facts;
    struct shape s = choose_shape(f, 1);
    for (s.wide = c->plan.wide;; s.blocks++) {
        const struct cut cut = {.units = f->units, .blocks = s.blocks, .parts = engine_parts(c->plan.engine, &s)};
        if (cut_largest(&cut) * shape_wide(&s) * (f->bytes / f->units) <= CELL)
            return s.blocks;
    }
}

static void add(const struct engine *e, enum collective collective, enum op_class op, int root, bool kernel, bool in_place)
{
    ck_assert_int_lt(job.calls, CALLS);
    job.call[job.calls++] = (struct call){
        .facts = {.collective = collective, .op = op, .ranks = job.ranks, .root = root, .machine = &job.machine},
        .plan = {.engine = e},
        .kernel = kernel,
        .in_place = in_place};
}

/* All calls that the engine serves. */
static void add_all(const struct engine *e, enum collective c)
{
    const bool streams = collective_streams(c);
    for (int root = 0; root < (collective_rooted(c) ? job.ranks : 1); root++)
        for (int form = 0; form < (streams ? 1 : 6); form++) {
            const enum op_class op = streams ? OP_NONE : form < 2 ? OP_ORDERED : OP_EXACT;
            const struct shape s = {.collective = c,
                                    .ordered = op == OP_ORDERED,
                                    .ranks = job.ranks,
                                    .root = root,
                                    .blocks = 1,
                                    .depth = SEGMENT_DEPTH};
            if (engine_fits(e, &s))
                add(e, c, op, root, form >= 4, form % 2);
        }
}

/* Draws a call's length and `wide`, the most blocks of a round; cuts the message so that `wide` blocks fit into a cell. */
static void draw_lengths(struct call *c, uint64_t drawn)
{
    static const int64_t lengths[] = {1, 2, 31, 67, 257, 521, ELEMENTS_MOST};
    set_length(&c->facts, lengths[drawn % COUNT(lengths)]);
    c->kept = drawn >> 8 & 1;
    c->drawn = drawn >> 24;
    if (c->plan.engine->serves[c->facts.collective].segment.cells == CELLS_SLICES)
        c->plan.wide = 1 + (int)((drawn >> 16) % (unsigned)job.ranks);
    c->plan.blocks = blocks_of(c);
}

/* All calls of all engines, or of one, in an order that the seed gives. */
static void make_job(int ranks, int seed, const struct engine *only)
{
    job.ranks = ranks;
    job.machine = (struct machine){.nodes = 1, .node_ranks = ranks, .domain = seed % 5, .cell = CELL};
    for (int i = 1; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            if (engines[i]->serves[c].segment.cells != CELLS_NONE && (!only || engines[i] == only))
                add_all(engines[i], c);
    for (int i = 0; i < job.calls; i++) {
        const uint64_t drawn = mix64(((uint64_t)seed << 32) + (uint64_t)i + 1);
        const int other = i + (int)(drawn % (uint64_t)(job.calls - i));
        const struct call c = job.call[other];
        job.call[other] = job.call[i];
        job.call[i] = c;
        draw_lengths(&job.call[i], drawn >> 16);
        job.call[i].at = job.elements;
        job.elements += elements_of(&job.call[i]);
    }
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------------ */

struct rank {
    pthread_t thread;
    struct segment segment;
    int done, error; /* calls that the rank has finished; the error that ended the last one */
    bool delays;
    struct delays late; /* of the rank, where one thread plays all */
    struct buffers buffers;
};

static struct rank ranks[MANY];

static int run_call(const struct rank *r, const struct call *c, struct channel *channel)
{
    struct operation o = operation_of(c, r->segment.rank);
    const struct view v = view_of(c, &o, r->segment.rank, &r->buffers);
    struct walk walk;
    operation_make(&o, r->segment.rank);
    channel->walk = &walk;
    channel->bytes = o.scratch;
    channel->scratch = scratch_of(&o);
    if (c->kept)
        operation_keep(&o);
    const int error = operation_run(&o, &v, channel);
    operation_end(&o);
    scratch_free(&o, channel->scratch);
    return error;
}

static void *run_rank(void *with)
{
    struct rank *r = with;
    struct channel channel = {.mpi = &wire, .segment = &r->segment};
    if (r->delays)
        delayed_begin((uint64_t)r->segment.rank + 1);
    while (r->done < job.calls && (r->error = run_call(r, &job.call[r->done], &channel)) == MPI_SUCCESS)
        r->done++;
    if (r->error != MPI_SUCCESS)
        failed = true;
    delayed_flush();
    return NULL;
}

/* Gives all ranks new memory that they share. */
static void open_segment(int setting)
{
    struct segment new = segment_of(0, job.ranks, 1 + (job.ranks + setting) % 3, CELL);
    new.memory = segment_memory(&new);
    new.claims = (setting & TAKES) != 0;
    new.yields = true;
    if (setting & PAST)
        new.stream_past = new.spread_past = new.large_from = 0;
    for (int r = 0; r < job.ranks; r++) {
        ranks[r].segment = new;
        ranks[r].segment.rank = r;
        ranks[r].buffers = filled_buffers(r);
        ranks[r].delays = (setting & DELAYED) != 0;
    }
}

/* Makes all calls on all ranks, which share new memory. */
static void run_job(int setting)
{
    open_segment(setting);
    for (int r = 0; r < job.ranks; r++)
        ck_assert_int_eq(pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]), 0);
    for (int r = 0; r < job.ranks; r++)
        pthread_join(ranks[r].thread, NULL);
    free(ranks[0].segment.memory);
}

/* ---- Results ---------------------------------------------------------------------------------------------------------- */

static void check_results(void)
{
    for (int r = 0; r < job.ranks; r++) {
        ck_assert_msg(ranks[r].done == job.calls, "rank %d: error %d in call %d", r, ranks[r].error, ranks[r].done);
        ck_assert_int_eq(ranks[r].segment.next, ranks[0].segment.next);
        for (int i = 0; i < job.calls; i++)
            check_result(&job.call[i], r, &ranks[r].buffers);
    }
}

/* Each number of ranks and each setting has a process of its own. */
LOOPED_TEST(calls_in_a_row, (RANKS - 1) * SETTINGS)
{
    make_job(2 + _i / SETTINGS, _i, NULL);
    run_job(_i % SETTINGS);
    check_results();
}

/* In a line of more ranks than a rank has cells, a round has several blocks, which lie with several ranks. */
LOOPED_TEST(long_lines, 2 * SETTINGS)
{
    make_job(_i / SETTINGS ? MANY : SEGMENT_DEPTH + 1, _i, engine_find("node-line"));
    run_job(_i % SETTINGS);
    check_results();
}

/* Opens rank 0 of two, for broadcasts of one round. */
static struct rank opened_root(void)
{
    job.ranks = 2;
    job.machine = (struct machine){.nodes = 1, .node_ranks = 2, .cell = CELL};
    add(engine_find("node-copy"), COLL_BCAST, OP_NONE, 0, false, false);
    draw_lengths(&job.call[0], 0);
    job.elements = elements_of(&job.call[0]);
    struct rank root = {.segment = segment_of(0, job.ranks, 1, CELL)};
    root.segment.memory = segment_memory(&root.segment);
    root.buffers = filled_buffers(0);
    return root;
}

/*
 * The root of short broadcasts never waits for a rank that is far ahead, and yet lets MPI make progress: the program may
 * make these calls until a message has arrived.
 */
START_TEST(looks_for_the_alarm_without_waiting)
{
    enum { MADE = 100, MOST_ROUNDS = 40 }; /* most rounds without a look */
    struct rank root = opened_root();
    segment_set(&segment_rank(&root.segment, 1)->out, INT64_MAX / 2);
    struct channel channel = {.mpi = &wire, .segment = &root.segment};
    looks = 0;
    for (int i = 0; i < MADE; i++)
        ck_assert_int_eq(run_call(&root, &job.call[0], &channel), MPI_SUCCESS);
    ck_assert_int_ge(looks, MADE / MOST_ROUNDS);
    free(root.segment.memory);
}

/*
 * While the other rank does not come, the root makes as many calls as the ring has cells of the message's size, also after a
 * call of another size. A short message takes one spot.
 */
LOOPED_TEST(ranks_run_ahead, 3)
{
    static const int64_t bytes[] = {1, 4 * CELL / SEGMENT_SPOTS, CELL};
    static const int most[] = {SEGMENT_DEPTH * SEGMENT_SPOTS, SEGMENT_DEPTH * SEGMENT_SPOTS / 4, SEGMENT_DEPTH};
    for (int before = 0; before < 2; before++) {
        struct rank root = opened_root();
        struct channel channel = {.mpi = &wire, .segment = &root.segment};
        const struct segment_rank *late = segment_rank(&root.segment, 1);
        int made = -1; /* without the call that waits */
        frees.looks = 100;
        frees.rank = segment_rank(&root.segment, 1);
        looks = 0;
        if (before)
            ck_assert_int_eq(run_call(&root, &job.call[0], &channel), MPI_SUCCESS);
        struct call c = job.call[0];
        c.facts.bytes = c.facts.units = bytes[_i];
        for (; !segment_reached(&late->out, 1); made++)
            ck_assert_int_eq(run_call(&root, &c, &channel), MPI_SUCCESS);
        ck_assert_int_eq(made, most[_i] - before);
        free(root.segment.memory);
        job.calls = 0;
    }
}

/*
 * A rank that waits drives MPI again and again. It reads no clock, does not sleep, and yields at most once a turn; where
 * each rank has a core (_i = 0), it yields seldom.
 */
LOOPED_TEST(waiting_drives_the_mpi, 2)
{
    enum { DRIVES = 1 << 17, FIRST = 8 }; /* FIRST: most yields before the first drive */
    struct rank root = opened_root();
    struct channel channel = {.mpi = &wire, .segment = &root.segment};
    root.segment.yields = _i;
    while (root.segment.next < root.segment.spots)
        ck_assert_int_eq(run_call(&root, &job.call[0], &channel), MPI_SUCCESS);
    frees.looks = DRIVES;
    frees.rank = segment_rank(&root.segment, 1);
    looks = yields = sleeps = reads = 0;
    ck_assert_int_eq(run_call(&root, &job.call[0], &channel), MPI_SUCCESS);
    ck_assert_int_ge(looks, DRIVES);
    ck_assert_int_le(yields, _i ? DRIVES + DRIVES / 64 + FIRST : DRIVES / 8);
    ck_assert_int_eq(sleeps, 0);
    ck_assert_int_le(reads, 1);
    free(root.segment.memory);
}

/* make_job() makes calls of all engines that go through a segment, and long calls go around the cells several times. */
START_TEST(all_engines_serve)
{
    int calls[OFFERS_MOST] = {0}, around = 0, serve = 0;
    make_job(RANKS, 0, NULL);
    for (int i = 0; i < job.calls; i++) {
        calls[engine_row(job.call[i].plan.engine)]++;
        around += job.call[i].plan.blocks > 3 * SEGMENT_DEPTH;
    }
    for (int i = 0; i < OFFERS_MOST; i++)
        serve += calls[i] > 0;
    ck_assert_int_eq(serve, 6);
    ck_assert_int_gt(around, 10);
}

/* ---- After a mismatch ------------------------------------------------------------------------------------------------ */

/*
 * The root makes a call of fewer rounds than the other rank does. So they number the rounds of later calls differently. In
 * an equal call, the other rank takes no wrong block, and it does not wait for a round that never comes.
 */
LOOPED_TEST(calls_after_a_mismatch, 2)
{
    const int64_t length[] = {31, 67, _i ? 31 : 131}; /* 1, 3, and 1 or 5 rounds */
    struct channel channel[2];
    job.ranks = 2;
    job.machine = (struct machine){.nodes = 1, .node_ranks = 2, .cell = CELL};
    for (int i = 0; i < 3; i++) {
        add(engine_find("node-copy"), COLL_BCAST, OP_NONE, 0, false, false);
        set_length(&job.call[i].facts, length[i]);
        job.call[i].plan.blocks = blocks_of(&job.call[i]);
        job.call[i].at = job.elements;
        job.elements += elements_of(&job.call[i]);
    }
    open_segment(0);
    for (int r = 0; r < 2; r++)
        channel[r] = (struct channel){.mpi = &wire, .segment = &ranks[r].segment};
    ck_assert_int_eq(run_call(&ranks[0], &job.call[0], &channel[0]), MPI_SUCCESS);
    ck_assert_int_eq(run_call(&ranks[1], &job.call[1], &channel[1]), MPI_ERR_TRUNCATE);
    ck_assert_int_lt(ranks[0].segment.next, ranks[1].segment.next);
    channel[1].mismatch = false; /* as mismatch_tell() does */
    ck_assert_int_eq(run_call(&ranks[0], &job.call[2], &channel[0]), MPI_SUCCESS);
    ck_assert_int_eq(run_call(&ranks[1], &job.call[2], &channel[1]), _i ? MPI_ERR_OTHER : MPI_ERR_TRUNCATE);
    free(ranks[0].segment.memory);
}

/* ---- Lost rounds ------------------------------------------------------------------------------------------------------ */

enum { FEW = 5 }; /* most ranks, and most calls in a row, of the test below */

/*
 * Makes the calls from .. to-1 on a rank, and adds 1 to succeeded[i] if call i succeeds. The last rank waits for none; each
 * other rank gives up a call in which it has to wait.
 */
static void run_calls(struct rank *r, struct channel *channel, int from, int to, bool last, int *succeeded)
{
    failed = !last;
    delayed = r->late;
    for (int i = from; i < to; i++) {
        const int rank = r->segment.rank, error = run_call(r, &job.call[i], channel);
        REQUIRE(!channel->mismatch, "call %d, rank %d takes a lost round for one of another call", i, rank);
        REQUIRE(error == MPI_SUCCESS || error == MPI_ERR_OTHER, "call %d, rank %d: error %d", i, rank, error);
        REQUIRE(error == MPI_SUCCESS || !last || succeeded[i] < job.ranks - 1, "call %d, rank %d fails alone", i, rank);
        if (error == MPI_SUCCESS) {
            check_result(&job.call[i], rank, &r->buffers);
            succeeded[i]++;
        }
    }
    r->late = delayed;
}

/* All stores reach all ranks. */
static void end_delays(void)
{
    for (int r = 0; r < job.ranks; r++) {
        delayed = ranks[r].late;
        delayed_flush();
        ranks[r].late = delayed;
    }
}

/*
 * A rank makes some calls in a row before the next rank begins the first of them. So slow ranks come to rounds of several
 * calls that faster ranks have done or given up. They take no lost round for a good one, nor a good one for a lost one.
 */
LOOPED_TEST(slow_ranks_learn_which_rounds_are_lost, 6 * (FEW - 1))
{
    struct channel channel[FEW];
    int succeeded[CALLS] = {0}, partly = 0;
    make_job(2 + _i % (FEW - 1), _i, NULL);
    open_segment(0);
    for (int r = 0; r < job.ranks; r++) {
        channel[r] = (struct channel){.mpi = &wire, .segment = &ranks[r].segment};
        ranks[r].late = (struct delays){.on = _i >= 3 * (FEW - 1), .drawn = (uint64_t)_i << 40};
    }
    for (int from = 0, to; from < job.calls; from = to) {
        const int drawn = (int)(job.call[from].drawn % 1000), many = 1 + drawn % FEW;
        to = from + many < job.calls ? from + many : job.calls;
        for (int i = 0; i < job.ranks; i++) {
            const int r = (drawn / FEW + (drawn % 2 ? i : job.ranks - i)) % job.ranks;
            if (i == job.ranks - 1)
                end_delays();
            run_calls(&ranks[r], &channel[r], from, to, i == job.ranks - 1, succeeded);
        }
    }
    for (int i = 0; i < job.calls; i++)
        partly += succeeded[i] > 0 && succeeded[i] < job.ranks;
    ck_assert_int_gt(partly, 10);
    free(ranks[0].segment.memory);
}

/* Operations get cells of the segment only if they touch no more memory than the data have. */
START_TEST(operations_in_cells_touch_data_alone)
{
    static const struct {
        struct extents element;
        bool dense;
    } table[] = {{{ELEMENT, ELEMENT, 0, 0, ELEMENT, false}, true},
                 {{ELEMENT, ELEMENT, 0, -8, ELEMENT, false}, false},
                 {{ELEMENT, ELEMENT, 0, 0, 2 * ELEMENT, false}, false}};
    make_job(2, 0, NULL);
    for (size_t i = 0; i < COUNT(table); i++) {
        struct layout l = {MPI_FLOAT_INT, table[i].element, {0, HALF}};
        struct operation o = {.facts = {.collective = COLL_REDUCE,
                                        .op = OP_ORDERED,
                                        .ranks = 2,
                                        .bytes = ELEMENT,
                                        .units = 1,
                                        .machine = &job.machine},
                              .plan = {.engine = engine_find("node-line"), .blocks = 1},
                              .element = l.element,
                              .map = map_of(&l, 1, 0)};
        operation_make(&o, 0);
        ck_assert_int_eq(o.gapless, table[i].dense);
        ck_assert_int_eq(o.scratch > 0, !table[i].dense);
        operation_end(&o);
    }
}

SUITE("rounds", 20)
