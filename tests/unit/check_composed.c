/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor of composed calls. Ranks are threads of one process, on made-up nodes: the ranks of a node share a segment
 * with small cells, and messages go through a list. Ranks make many calls, one after the other without a barrier, and come
 * late to some. In a call, each rank has a layout of its own, with gaps or without. Some calls use MPI_IN_PLACE, and some
 * keep their stages.
 *
 * In another test, one rank fails, in one of its messages or before the call. No rank hangs or takes wrong data for a
 * result, and the next call is right. Under ThreadSanitizer (make check-threads), both tests also find accesses that nothing
 * orders.
 */
#include "grid.h"
#include "seconds.h"
#include "stages.h"
#include "threaded.h"

#include <pthread.h>
#include <sched.h>

enum { CELL = 2 * SEGMENT_LINES, MANY_CHUNKS = 9 /* lanes_scatter() is false */, HANG = 20 /* seconds */ };

/* ---- An MPI of our own ------------------------------------------------------------------------------------------------ */

struct message {
    struct message *next;
    int from, to, tag;
    size_t bytes;
    char data[]; /* packed */
};

static struct message *messages; /* in the order in which they were sent */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

struct rank {
    pthread_t thread;
    int rank;
    struct segment segment;
    struct channel channel;
    struct node_list *nodes;
    int first, end;  /* the calls to make */
    int error;       /* of the last call */
    int exchanges;   /* of the call so far */
    int fails;       /* the number of the exchange that fails; 0: none */
    double deadline; /* the call hangs if it takes longer */
    bool hung, kept; /* kept: each call leaves the channel's memory as it was */
    struct buffers buffers;
};

static struct rank ranks[RANKS];
static _Thread_local struct rank *self;

/* Packs elements, or unpacks them. */
static void transfer(char *packed, char *memory, size_t count, MPI_Datatype type, bool packs)
{
    const struct layout *l = layouts;
    if (type == MPI_BYTE && count)
        memcpy(packs ? packed : memory, packs ? memory : packed, count);
    while (type != MPI_BYTE && l->type != type)
        l++;
    for (size_t i = 0; type != MPI_BYTE && i < count; i++) {
        char *element = memory + (ptrdiff_t)i * l->element.extent;
        int64_t value;
        if (packs) {
            value = load(l, element);
            memcpy(packed + i * ELEMENT, &value, ELEMENT);
        } else {
            memcpy(&value, packed + i * ELEMENT, ELEMENT);
            store(l, element, value);
        }
    }
}

static int isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    (void)comm, (void)request;
    const size_t bytes = (size_t)count * (type == MPI_BYTE ? 1 : ELEMENT);
    struct message *m = malloc(sizeof *m + bytes), **end = &messages;
    *m = (struct message){.from = self->rank, .to = to, .tag = tag, .bytes = bytes};
    transfer(m->data, (char *)data, (size_t)count, type, true);
    pthread_mutex_lock(&lock);
    while (*end)
        end = &(*end)->next;
    *end = m;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

/* The pointer in the list that points to the first message for this rank with this sender and tag. */
static struct message **find(int from, int tag)
{
    struct message **m = &messages;
    while (*m && ((*m)->to != self->rank || (from != MPI_ANY_SOURCE && (*m)->from != from) ||
                  (tag != MPI_ANY_TAG && (*m)->tag != tag)))
        m = &(*m)->next;
    return m;
}

static int recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    const size_t size = type == MPI_BYTE ? 1 : ELEMENT;
    struct message **at;
    (void)comm;
    pthread_mutex_lock(&lock);
    while (!*(at = find(from, tag)))
        pthread_cond_wait(&change, &lock);
    struct message *m = *at;
    *at = m->next;
    pthread_mutex_unlock(&lock);
    const bool fits = m->bytes <= (size_t)count * size;
    if (fits)
        transfer(m->data, data, m->bytes / size, type, false);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_TAG = m->tag;
    free(m);
    return fits ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

static int sendrecv(const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u, int from, int any,
                    MPI_Comm c, MPI_Status *status)
{
    if (++self->exchanges == self->fails)
        return MPI_ERR_OTHER;
    if (to != MPI_PROC_NULL)
        isend(a, n, t, to, tag, c, NULL);
    return from == MPI_PROC_NULL ? MPI_SUCCESS : recv(b, m, u, from, any, c, status);
}

static int iprobe(int from, int tag, MPI_Comm comm, int *there, MPI_Status *status)
{
    (void)comm;
    pthread_mutex_lock(&lock);
    const struct message *m = *find(from, tag);
    *there = m != NULL;
    if (m) {
        status->MPI_SOURCE = m->from;
        status->MPI_TAG = m->tag;
    }
    pthread_mutex_unlock(&lock);
    self->hung |= seconds_now() > self->deadline;
    return self->hung ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int test(MPI_Request *request, int *done, MPI_Status *status)
{
    (void)request, (void)status;
    *done = 1;
    return MPI_SUCCESS;
}

static int wait_for(MPI_Request *request, MPI_Status *status)
{
    (void)request, (void)status;
    return MPI_SUCCESS;
}

static const struct wire wire = {.Iprobe = iprobe,
                                 .Isend = isend,
                                 .Issend = isend,
                                 .Recv = recv,
                                 .Reduce_local = reduce_local,
                                 .Sendrecv = sendrecv,
                                 .Test = test,
                                 .Wait = wait_for};

/* ---- Calls ------------------------------------------------------------------------------------------------------------ */

/* The node of each rank: equal nodes; nodes to which ranks are dealt out in turn; unequal nodes. */
static const int node_of[][RANKS] = {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}, {0, 0, 0, 0, 1, 1}};
static const struct {
    int nodes, most, least;
    bool gathered;
} sizes_of[] = {{2, 3, 3, true}, {3, 2, 2, false}, {2, 4, 2, true}};
enum { LAYOUTS = COUNT(node_of) };

static int layout; /* of the present job: a row of node_of */
static struct settings settings;

/* Adds a call if the engine serves it: with so many lanes or, if there are no chunks, ports. */
static void add(const char *engine, struct facts f, bool in_place, int lanes, int chunks, int fails, int exchange)
{
    static const int64_t lengths[] = {6, 7, 31, 67, 257, 521}, few[] = {1, 2, 7, 31, 40};
    const uint64_t drawn = mix64((uint64_t)job.calls + 1);
    f.ranks = RANKS;
    f.machine = &job.machine;
    set_length(&f, chunks ? lengths[drawn % COUNT(lengths)] : few[drawn % COUNT(few)]);
    const struct engine *e = engine_find(engine);
    const struct shape shape = choose_shape(&f, 1);
    if (!engine_fits(e, &shape))
        return;
    while (lanes * chunks > f.units)
        chunks--;
    ck_assert_int_lt(job.calls, CALLS);
    job.call[job.calls++] = (struct call){.facts = f,
                                          .plan = {.engine = e, .blocks = chunks ? lanes * chunks : 1, .wide = lanes},
                                          .kernel = f.op == OP_EXACT && drawn & 1,
                                          .in_place = in_place,
                                          .kept = drawn >> 1 & 1,
                                          .drawn = drawn >> 8,
                                          .at = job.elements,
                                          .fails = fails,
                                          .exchange = exchange};
    job.elements += elements_of(&job.call[job.calls - 1]);
}

static void begin_job(int number)
{
    layout = number;
    job.calls = 0;
    job.elements = 0;
    settings = read_settings((const char *[ENV]){NULL});
    job.machine = (struct machine){.nodes = sizes_of[layout].nodes,
                                   .node_ranks = sizes_of[layout].most,
                                   .node_least = sizes_of[layout].least,
                                   .domain = layout % 3,
                                   .gathered = sizes_of[layout].gathered,
                                   .consecutive = sizes_of[layout].gathered,
                                   .shared_tried = true,
                                   .cell = CELL};
}

/*
 * Adds all kinds of calls, with all numbers of lanes and of ports. In each call, one rank fails in the exchange of this
 * number. If the number is -1, none fails.
 */
static void add_all(int exchange)
{
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (int form = 0; form < (collective_reduces(c) ? 4 : 1); form++)
            for (int root = 0; root < (collective_rooted(c) ? RANKS : 1); root++)
                for (int lanes = 1; lanes <= sizes_of[layout].least; lanes++) {
                    const enum op_class op = !collective_reduces(c) ? OP_NONE : form < 2 ? OP_ORDERED : OP_EXACT;
                    const int chunks = c == COLL_BCAST && root % 2 ? MANY_CHUNKS : 1 + (root + lanes) % 3;
                    const int fails = exchange < 0 ? NOBODY : job.calls / 2 % RANKS;
                    const struct facts f = {.collective = c, .op = op, .root = root};
                    if (lanes == 1 || !lanes_one(c, op == OP_ORDERED))
                        add("lanes", f, form % 2, lanes, chunks, fails, exchange);
                    add("multiport", f, form % 2, lanes, 0, fails, exchange);
                }
}

/* ---- Ranks ------------------------------------------------------------------------------------------------------------ */

static int run_call(struct rank *r, const struct call *c)
{
    struct operation o = operation_of(c, r->rank);
    struct view v = view_of(c, &o, r->rank, &r->buffers);
    v.error = c->fails == r->rank && !c->exchange ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    operation_compose(&o, &settings, NULL, r->nodes, r->rank);
    operation_make(&o, r->rank);
    char *scratch = scratch_of(&o);
    struct walk walk;
    if (c->kept)
        operation_keep(&o);
    r->channel.walk = &walk;
    r->channel.bytes = o.scratch;
    r->channel.scratch = scratch;
    r->exchanges = 0;
    r->fails = c->fails == r->rank ? c->exchange : 0;
    r->deadline = seconds_now() + HANG;
    for (uint64_t late = mix64(c->drawn + (uint64_t)r->rank) % 64; late < 16; late++)
        sched_yield();
    const int error = operation_run(&o, &v, &r->channel);
    r->kept &= r->channel.scratch == scratch && r->channel.bytes == o.scratch;
    operation_end(&o);
    scratch_free(&o, scratch);
    return error;
}

static void *run_rank(void *with)
{
    struct rank *r = self = with;
    for (int i = r->first; i < r->end; i++)
        r->error = run_call(r, &job.call[i]);
    return NULL;
}

/* Makes the ranks of a job, and a segment for each node. */
static void make_ranks(void)
{
    for (int n = 0; n < sizes_of[layout].nodes; n++) {
        char *memory = NULL;
        for (int r = 0; r < RANKS; r++) {
            if (node_of[layout][r] != n)
                continue;
            struct node_list *nodes = node_list_new(node_of[layout], RANKS);
            ranks[r] = (struct rank){.rank = r, .nodes = nodes, .kept = true};
            ck_assert_ptr_nonnull(nodes);
            struct segment *s = &ranks[r].segment;
            *s = segment_of(node_rank_of(nodes, r).index, nodes->first[n + 1] - nodes->first[n], 1, CELL);
            s->memory = memory = memory ? memory : segment_memory(s);
            s->yields = true;
            s->member = nodes->rank + nodes->first[n];
            ranks[r].channel = (struct channel){.mpi = &wire, .segment = s, .nodes = nodes};
            ranks[r].buffers = filled_buffers(r);
        }
    }
}

/* Makes calls on all ranks, and checks what holds even if a rank fails. Then removes messages that no rank has received. */
static void make_calls(int first, int end)
{
    for (int r = 0; r < RANKS; r++) {
        ranks[r].first = first;
        ranks[r].end = end;
        ck_assert_int_eq(pthread_create(&ranks[r].thread, NULL, run_rank, &ranks[r]), 0);
    }
    for (int r = 0; r < RANKS; r++)
        pthread_join(ranks[r].thread, NULL);
    for (int r = 0; r < RANKS; r++) {
        const struct segment *s = &ranks[r].segment, *one = &ranks[segment_member(s, 0)].segment;
        REQUIRE(!ranks[r].hung, "rank %d hangs in one of the calls %d to %d", r, first, end - 1);
        REQUIRE(ranks[r].kept, "rank %d: a call has changed the channel's memory", r);
        REQUIRE(s->next == one->next, "rank %d is in round %lld, others of its node in %lld", r, (long long)s->next,
                (long long)one->next);
        REQUIRE(!ranks[r].channel.mismatch, "rank %d mistakes a failure for a mismatch of calls", r);
        ranks[r].channel.later.meaning = 0;
    }
    while (messages) {
        struct message *m = messages;
        messages = m->next;
        free(m);
    }
}

/* ---- Tests ------------------------------------------------------------------------------------------------------------ */

LOOPED_TEST(calls_in_a_row, LAYOUTS)
{
    begin_job(_i);
    for (int i = 0; i < 3; i++)
        add_all(-1);
    make_ranks();
    make_calls(0, job.calls);
    for (int i = 0; i < job.calls * RANKS; i++)
        check_result(&job.call[i / RANKS], i % RANKS, &ranks[i % RANKS].buffers);
    ck_assert_int_gt(job.calls, 80);
}

/* Must the rank fail, because its result depends on the rank that fails before the call? */
static bool depends(const struct call *c, int rank)
{
    const struct facts *f = &c->facts;
    return collective_streams(f->collective)
               ? c->fails == f->root
               : collective_writes(f->collective, rank, f->root) && c->fails <= collective_last(f->collective, rank, RANKS);
}

/* One rank fails in every second call. */
static void check_failures(int number)
{
    int failed = 0;
    begin_job(number);
    for (int exchange = 0; exchange <= 4; exchange++)
        add_all(exchange);
    make_ranks();
    for (int i = 0; i + 1 < job.calls; i += 2) {
        struct call *c = &job.call[i];
        job.call[i + 1].fails = NOBODY;
        make_calls(i, i + 1);
        for (int r = 0; r < RANKS; r++) {
            failed += ranks[r].error != MPI_SUCCESS;
            REQUIRE(ranks[r].error || c->exchange || !depends(c, r), "call %d: rank %d has no error", i, r);
            if (ranks[r].error == MPI_SUCCESS)
                check_result(c, r, &ranks[r].buffers);
        }
        make_calls(i + 1, i + 2);
        for (int r = 0; r < RANKS; r++) {
            REQUIRE(ranks[r].error == MPI_SUCCESS, "call %d: rank %d: error %d", i + 1, r, ranks[r].error);
            check_result(&job.call[i + 1], r, &ranks[r].buffers);
        }
    }
    ck_assert_int_gt(failed, 100);
}

START_TEST(a_rank_fails)
{
    for (int i = 0; i < (int)LAYOUTS; i++)
        check_failures(i);
}

SUITE("composed", 120)
