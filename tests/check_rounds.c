/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor of engines that go through a segment. Ranks are threads of one process. They make many calls, one after the
 * other without a barrier, and long calls go around the small cells several times. In a call, each rank has a layout of its
 * own, with gaps or without, and may be IN_PLACE or not. Groups have 1 to 3 ranks. Nothing fails, so no message is sent.
 * Under ThreadSanitizer (make check-threads) the test also finds accesses that the counters do not order.
 */
#include "affine.h"
#include "gaps.h"
#include "hash.h"
#include "operation.h"
#include "suite.h"

#include <pthread.h>

enum { RANKS = 6, CELL = 2 * SEGMENT_LINES, CALLS = 300, ELEMENTS_MOST = 1009 };
enum { TAKES = 1, PAST = 2, SETTINGS = 4 }; /* how ranks copy: bits */

/* ---- An MPI of our own ------------------------------------------------------------------------------------------------ */

static int64_t combined(enum op_class op, int64_t low, int64_t high)
{
    return op == OP_EXACT ? (int64_t)((uint64_t)low + (uint64_t)high) : affine_then(low, high);
}

static int reduce_local(const void *low, void *high, int count, MPI_Datatype type, MPI_Op op)
{
    const struct layout *l = layouts;
    while (l->type != type)
        l++;
    for (int i = 0; i < count; i++) {
        const int64_t at = i * l->element.extent;
        char *to = (char *)high + at;
        store(l, to, combined(op == MPI_SUM ? OP_EXACT : OP_ORDERED, load(l, (const char *)low + at), load(l, to)));
    }
    return MPI_SUCCESS;
}

static atomic_bool failed; /* a rank has; then all end */

static int iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    (void)from, (void)tag, (void)comm, (void)status;
    *there = 0;
    return failed ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/* The statements of a rank that fails do not leave it. */
static int isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    (void)data, (void)count, (void)type, (void)to, (void)tag, (void)comm, (void)request;
    return MPI_ERR_OTHER;
}

static const struct wire wire = {.Iprobe = iprobe, .Isend = isend, .Reduce_local = reduce_local};

/* ---- Calls ------------------------------------------------------------------------------------------------------------ */

struct call {
    struct facts facts;
    struct plan plan;
    bool kernel, in_place, kept;
    uint64_t drawn; /* for the layouts of the ranks */
    size_t at;      /* the elements of all calls before */
};

static struct {
    int ranks, calls;
    struct machine machine;
    struct call call[CALLS];
    size_t elements; /* of all calls */
} job;

/* The elements of a call. The message of a broadcast lacks the last three bytes. */
static size_t elements_of(const struct call *c)
{
    return (size_t)(c->facts.bytes + ELEMENT - 1) / ELEMENT;
}

/* As few blocks as fit into cells. */
static int64_t blocks_of(const struct call *c)
{
    const struct facts *f = &c->facts;
    struct shape s = choose_shape(f, 1, 0);
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

/* Sets what does not depend on the engine: lengths, and the most blocks of a round. */
static void draw_lengths(struct call *c, uint64_t drawn)
{
    static const int64_t lengths[] = {1, 2, 31, 67, 257, 521, ELEMENTS_MOST};
    struct facts *f = &c->facts;
    const bool streams = collective_streams(f->collective);
    const int64_t elements = lengths[drawn % COUNT(lengths)];
    f->bytes = elements * ELEMENT - (streams ? 3 : 0);
    f->units = streams ? f->bytes : elements;
    c->kept = drawn >> 8 & 1;
    c->drawn = drawn >> 24;
    if (c->plan.engine->serves[f->collective].segment.cells == CELLS_SLICES)
        c->plan.wide = 1 + (int)((drawn >> 16) % (unsigned)job.ranks);
    c->plan.blocks = blocks_of(c);
}

/* All calls of all engines, in an order that the seed gives. */
static void make_job(int ranks, int seed)
{
    job.ranks = ranks;
    job.machine = (struct machine){.nodes = 1, .node_ranks = ranks, .cell = CELL};
    for (int i = 1; engines[i]; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            if (engines[i]->serves[c].segment.cells != CELLS_NONE)
                add_all(engines[i], (enum collective)c);
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
    char *in, *out;  /* of all calls, ROOM bytes for each element; GAP where nothing lies */
};

static struct rank ranks[RANKS];

static bool is_in_place(const struct call *c, int rank)
{
    return c->in_place && collective_in_place(c->facts.collective, rank, c->facts.root);
}

/* Half of all have no gaps. */
static const struct layout *layout_of(const struct call *c, int rank)
{
    const uint64_t drawn = mix64(c->drawn * RANKS + (uint64_t)rank);
    return &layouts[drawn & 1 ? PLAIN : drawn / 2 % COUNT(layouts)];
}

/* Where element 0 of a call lies in IN or OUT of a rank. */
static char *data_of(const struct call *c, int rank, char *memory)
{
    return first_element(layout_of(c, rank), memory + c->at * ROOM, elements_of(c));
}

/* The element i of all calls. */
static int64_t input(int rank, size_t i)
{
    return (int64_t)mix64(((uint64_t)rank + 1) << 32 | i);
}

/* Before the call, OUT has input where it is the send buffer, too, else -1. */
static int64_t before(const struct call *c, int rank, size_t i)
{
    const bool sends = is_in_place(c, rank) || (collective_streams(c->facts.collective) && rank == c->facts.root);
    return sends ? input(rank, c->at + i) : -1;
}

static int run_call(const struct rank *r, const struct call *c, struct channel *channel)
{
    const enum collective collective = c->facts.collective;
    const struct layout *l = layout_of(c, r->segment.rank);
    const bool streams = collective_streams(collective), in_place = is_in_place(c, r->segment.rank), plain = l == layouts;
    const struct extents byte = {.size = 1, .extent = 1, .width = 1, .plain = true};
    const size_t elements = elements_of(c);
    struct operation o = {.facts = c->facts,
                          .datatype = streams && plain ? MPI_BYTE : l->type,
                          .in_place = in_place,
                          .plan = c->plan,
                          .element = streams && plain ? byte : l->element,
                          .map = plain ? NULL : map_of(l, elements, (int)((int64_t)elements * ELEMENT - c->facts.bytes)),
                          .fold = c->kernel && plain ? kernel_at(0, KERNEL_SUM, KERNEL_I64, 0) : NULL};
    char *out = data_of(c, r->segment.rank, r->out);
    const struct view v = {.in = streams    ? NULL
                                 : in_place ? out
                                            : data_of(c, r->segment.rank, r->in),
                           .out = out,
                           .count = c->facts.units,
                           .datatype = o.datatype,
                           .op = c->facts.op == OP_EXACT ? MPI_SUM : MPI_OP_NULL};
    operation_make(&o, r->segment.rank);
    channel->bytes = o.scratch;
    channel->scratch = malloc((size_t)o.scratch + 1);
    if (c->kept)
        operation_keep(&o);
    const int error = operation_run(&o, &v, channel);
    operation_end(&o);
    free(channel->scratch);
    return error;
}

static void *run_rank(void *with)
{
    struct rank *r = with;
    struct channel channel = {.mpi = &wire, .segment = &r->segment};
    while (r->done < job.calls && (r->error = run_call(r, &job.call[r->done], &channel)) == MPI_SUCCESS)
        r->done++;
    if (r->error != MPI_SUCCESS)
        failed = true;
    return NULL;
}

/* Writes elements of a call where a rank has them. */
static void lay(const struct call *c, int rank, const int64_t *value, char *memory)
{
    const struct layout *l = layout_of(c, rank);
    char *data = data_of(c, rank, memory);
    for (size_t i = 0; i < elements_of(c); i++)
        store(l, data + (int64_t)i * l->element.extent, value[i]);
}

static void fill(struct rank *r)
{
    const int rank = r->segment.rank;
    r->in = malloc(job.elements * ROOM);
    r->out = malloc(job.elements * ROOM);
    ck_assert(r->in && r->out);
    memset(r->in, GAP, job.elements * ROOM);
    memset(r->out, GAP, job.elements * ROOM);
    for (int i = 0; i < job.calls; i++) {
        const struct call *c = &job.call[i];
        int64_t in[ELEMENTS_MOST], out[ELEMENTS_MOST];
        for (size_t k = 0; k < elements_of(c); k++) {
            in[k] = input(rank, c->at + k);
            out[k] = before(c, rank, k);
        }
        lay(c, rank, in, r->in);
        lay(c, rank, out, r->out);
    }
}

/* Makes all calls on all ranks, which share new memory. */
static void run_job(int setting)
{
    const int64_t stride = SEGMENT_PAGE + SEGMENT_DEPTH * CELL, bytes = SEGMENT_PAGE + job.ranks * stride;
    char *memory = aligned_alloc(SEGMENT_PAGE, (size_t)(bytes + SEGMENT_PAGE) / SEGMENT_PAGE * SEGMENT_PAGE);
    ck_assert_ptr_nonnull(memory);
    memset(memory, 0, (size_t)bytes);
    for (int r = 0; r < job.ranks; r++) {
        ranks[r].segment = (struct segment){.rank = r,
                                            .ranks = job.ranks,
                                            .group = 1 + (job.ranks + setting) % 3,
                                            .cell = CELL,
                                            .stride = stride,
                                            .memory = memory,
                                            .bytes = bytes,
                                            .takes = setting & TAKES,
                                            .stream_past = setting & PAST ? 0 : INT64_MAX,
                                            .spread_past = setting & PAST ? 0 : INT64_MAX,
                                            .yields = true};
        fill(&ranks[r]);
    }
    for (int r = 0; r < job.ranks; r++)
        ck_assert_int_eq(pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]), 0);
    for (int r = 0; r < job.ranks; r++)
        pthread_join(ranks[r].thread, NULL);
    free(memory);
}

/* ---- Results ---------------------------------------------------------------------------------------------------------- */

static void expect(const struct call *c, int rank, int64_t *result)
{
    const struct facts *f = &c->facts;
    const bool gets = collective_writes(f->collective, rank, f->root);
    const int last = collective_last(f->collective, rank, f->ranks);
    int64_t source[ELEMENTS_MOST];
    for (size_t i = 0; i < elements_of(c); i++) {
        result[i] = before(c, rank, i);
        source[i] = input(collective_streams(f->collective) ? f->root : 0, c->at + i);
        for (int r = 1; collective_reduces(f->collective) && r <= last; r++)
            source[i] = combined(f->op, source[i], input(r, c->at + i));
    }
    if (gets)
        memcpy(result, source, (size_t)f->bytes);
}

/* Is there what should be in IN or OUT, and nothing in its gaps? */
static bool has(const struct call *c, int rank, const int64_t *value, const char *memory)
{
    static char want[ELEMENTS_MOST * ROOM];
    struct call alone = *c;
    alone.at = 0;
    memset(want, GAP, elements_of(c) * ROOM);
    lay(&alone, rank, value, want);
    return memcmp(memory + c->at * ROOM, want, elements_of(c) * ROOM) == 0;
}

static void check_results(void)
{
    int64_t result[ELEMENTS_MOST], operand[ELEMENTS_MOST];
    for (int r = 0; r < job.ranks; r++) {
        ck_assert_msg(ranks[r].done == job.calls, "rank %d: error %d in call %d", r, ranks[r].error, ranks[r].done);
        ck_assert_int_eq(ranks[r].segment.rounds, ranks[0].segment.rounds);
        for (int i = 0; i < job.calls; i++) {
            const struct call *c = &job.call[i];
            expect(c, r, result);
            for (size_t k = 0; k < elements_of(c); k++)
                operand[k] = input(r, c->at + k);
            REQUIRE(has(c, r, result, ranks[r].out),
                    "call %d, %s %s of %lld bytes, root %d, in place: %d: rank %d, layout %d, has a wrong result", i,
                    c->plan.engine->name, collective_name(c->facts.collective), (long long)c->facts.bytes, c->facts.root,
                    is_in_place(c, r), r, (int)(layout_of(c, r) - layouts));
            REQUIRE(has(c, r, operand, ranks[r].in), "call %d, rank %d: an operand has changed", i, r);
        }
    }
}

/* Each number of ranks and each setting has a process of its own. */
START_TEST(calls_in_a_row)
{
    make_job(2 + _i / SETTINGS, _i);
    run_job(_i % SETTINGS);
    check_results();
}

/* The calls above are of all engines of segments, and the long ones go around the cells several times. */
START_TEST(all_engines_serve)
{
    int calls[OFFERS_MOST] = {0}, around = 0, serve = 0;
    make_job(RANKS, 0);
    for (int i = 0; i < job.calls; i++) {
        calls[engine_row(job.call[i].plan.engine)]++;
        around += job.call[i].plan.blocks > 3 * SEGMENT_DEPTH;
    }
    for (int i = 0; i < OFFERS_MOST; i++)
        serve += calls[i] > 0;
    ck_assert_int_eq(serve, 5);
    ck_assert_int_gt(around, 10);
}

LOOPED_SUITE("rounds", 20, calls_in_a_row, (RANKS - 1) * SETTINGS, all_engines_serve)
