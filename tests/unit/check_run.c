/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The executor on an MPI of our own: ranks are threads, and a send ends when the message is received (strict rendezvous).
 * The test sees what no program can see from outside: which ranks wait for each other, the tags of messages, and between
 * which ranks messages go.
 */
#include "affine.h"
#include "hash.h"
#include "operation.h"
#include "suite.h"
#include "workshop.h"

#include <pthread.h>

enum { RANKS = 6, UNITS = 30011, WINDOW = 32 << 10, PENDING_MOST = 32 };

/* ---- An MPI of our own --------------------------------------------------------------------------------------------- */

/* The messages that one rank offers to another. The receiver takes them one after the other. */
enum { QUEUE = 64 };

struct offer_box {
    struct message {
        const void *data;
        size_t bytes;
        int tag;
    } message[QUEUE];
    int offered, taken;
};

static struct offer_box box[RANKS][RANKS]; /* [from][to] */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

/* What a rank may lack: nothing; memory for a typemap; memory for gaps; an operation that works. */
enum lack { NOTHING, MAP, GAPS, OPERATION, LACKS };

struct rank {
    const struct call *call;
    enum lack lack;
    int rank;
    int error;
    int tags, tag;             /* number of tags that it has used in this call; the last tag */
    unsigned peers;            /* bit r: sent to rank r */
    int messages;              /* sent */
    int visits;                /* of the workshop, which takes a lock */
    int64_t unmet, most_unmet; /* bytes sent since the last synchronous send */
    int flying, most_flying;   /* synchronous sends that are under way */
    int64_t in[UNITS], out[UNITS];
};

static struct rank ranks[RANKS];
static _Thread_local struct rank *self; /* the rank that this thread is */

/* tests.am wraps workshop_enter(). */
struct workshop *__real_workshop_enter(void);
struct workshop *__wrap_workshop_enter(void);

struct workshop *__wrap_workshop_enter(void)
{
    if (self)
        self->visits++;
    return __real_workshop_enter();
}

static size_t size_of(MPI_Datatype type)
{
    return type == MPI_BYTE ? 1 : sizeof(int64_t);
}

/* Returns the number of the message. */
static int offer(const void *data, int count, MPI_Datatype type, int to, int tag)
{
    if (to == MPI_PROC_NULL)
        return 0;
    struct offer_box *b = &box[self->rank][to];
    b->message[b->offered++ % QUEUE] = (struct message){data, (size_t)count * size_of(type), tag};
    pthread_cond_broadcast(&change);
    self->tags += self->tags == 0 || tag != self->tag;
    self->tag = tag;
    self->peers |= 1u << to;
    self->messages++;
    return b->offered;
}

static void wait_taken(int to, int number)
{
    while (to != MPI_PROC_NULL && box[self->rank][to].taken < number)
        pthread_cond_wait(&change, &lock);
}

static int take(void *data, int count, MPI_Datatype type, int from, MPI_Status *status)
{
    if (from == MPI_PROC_NULL)
        return MPI_SUCCESS;
    struct offer_box *b = &box[from][self->rank];
    while (b->offered == b->taken)
        pthread_cond_wait(&change, &lock);
    const struct message *m = &b->message[b->taken % QUEUE];
    if (m->bytes > (size_t)count * size_of(type))
        return MPI_ERR_TRUNCATE;
    if (m->bytes > 0) /* a message of a failed rank is empty */
        memcpy(data, m->data, m->bytes);
    status->MPI_TAG = m->tag;
    b->taken++;
    pthread_cond_broadcast(&change);
    return MPI_SUCCESS;
}

static int sendrecv(const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u, int from, int any,
                    MPI_Comm c, MPI_Status *status)
{
    (void)any, (void)c;
    self->unmet += to == MPI_PROC_NULL ? 0 : n * (int64_t)size_of(t);
    self->most_unmet = self->unmet > self->most_unmet ? self->unmet : self->most_unmet;
    pthread_mutex_lock(&lock);
    int number = offer(a, n, t, to, tag), error = take(b, m, u, from, status);
    wait_taken(to, number);
    pthread_mutex_unlock(&lock);
    return error;
}

static int issend(const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *request)
{
    (void)c;
    pthread_mutex_lock(&lock);
    *request = offer(a, n, t, to, tag) * RANKS + to;
    pthread_mutex_unlock(&lock);
    self->unmet = 0;
    self->flying++;
    self->most_flying = self->flying > self->most_flying ? self->flying : self->most_flying;
    return MPI_SUCCESS;
}

static int recv(void *b, int m, MPI_Datatype u, int from, int any, MPI_Comm c, MPI_Status *status)
{
    return sendrecv(NULL, 0, u, MPI_PROC_NULL, any, b, m, u, from, any, c, status);
}

static int wait_for(MPI_Request *request, MPI_Status *status)
{
    (void)status;
    pthread_mutex_lock(&lock);
    wait_taken(*request % RANKS, *request / RANKS);
    pthread_mutex_unlock(&lock);
    self->flying--;
    return MPI_SUCCESS;
}

static int fold(const void *low, void *high, int count, MPI_Datatype type, MPI_Op op)
{
    int64_t *y = high;
    (void)type;
    if (self->lack == OPERATION)
        return MPI_ERR_OTHER;
    for (int i = 0; i < count; i++)
        y[i] = op == MPI_SUM ? y[i] + ((const int64_t *)low)[i] : affine_then(((const int64_t *)low)[i], y[i]);
    return MPI_SUCCESS;
}

static const struct wire wire = {
    .Isend = issend, .Issend = issend, .Recv = recv, .Reduce_local = fold, .Sendrecv = sendrecv, .Wait = wait_for};

/* ---- A call on all ranks ------------------------------------------------------------------------------------------- */

/* No places; two nodes, or two sites, one with the even and one with the odd ranks; two sites of three consecutive ranks. */
enum layout { ALIKE, NODES, SITES, BLOCKS, LAYOUTS };
static const int paths[LAYOUTS][RANKS] = {
    [NODES] = {0, 1, 0, 1, 0, 1}, [SITES] = {0, 1, 0, 1, 0, 1}, [BLOCKS] = {0, 0, 0, 1, 1, 1}};
static const int order[RANKS] = {0, 2, 4, 1, 3, 5}, position[RANKS] = {0, 3, 1, 4, 2, 5};

static struct machine machine_of(enum layout layout)
{
    struct places *t = places_of(paths[layout], RANKS, 1, layout != NODES);
    return (struct machine){.nodes = 2, .node_ranks = 3, .places = {t, t}};
}

struct call {
    struct facts facts;
    struct plan plan;
    bool in_place;
    uint64_t number; /* on its communicator */
    enum lack lack;  /* of rank `lacks` */
    int lacks;
    enum layout layout;
};

static int64_t input(int rank, int64_t i)
{
    return (int64_t)(mix64((uint64_t)(rank * UNITS + i)) >> 8);
}

static void *run_rank(void *with)
{
    struct rank *r = self = with;
    const struct machine machine = machine_of(r->call->layout); /* each rank has its own */
    struct facts facts = r->call->facts;
    const struct facts *f = &facts;
    facts.machine = &machine;
    const bool stream = f->collective == COLL_BCAST;
    const int64_t size = stream ? 1 : (int64_t)sizeof(int64_t);
    struct operation o = {.facts = *f,
                          .datatype = stream ? MPI_BYTE : MPI_INT64_T,
                          .in_place = r->call->in_place,
                          .plan = r->call->plan,
                          .element = {.size = size, .extent = size, .end = size, .plain = true}};
    r->lack = r->rank == r->call->lacks ? r->call->lack : NOTHING;
    o.element.plain = r->lack != MAP;
    operation_make(&o, r->rank);
    struct walk walk;
    struct channel channel = {
        .mpi = &wire, .calls = r->call->number, .scratch = malloc((size_t)o.scratch + 1), .bytes = o.scratch, .walk = &walk};
    o.scratch += r->lack == GAPS;
    const void *in = r->call->in_place ? r->out : r->in;
    const struct view v = {.in = stream ? NULL : in,
                           .out = r->out,
                           .count = f->units,
                           .datatype = o.datatype,
                           .op = f->op == OP_EXACT ? MPI_SUM : MPI_OP_NULL};
    r->error = operation_run(&o, &v, &channel);
    free(channel.scratch);
    places_free((struct places *)machine.places[SOURCE_SURE]);
    return NULL;
}

/* Rank r's result in element i; -1, which was there before, if rank r has no result. */
static int64_t expected(const struct facts *f, int r, int64_t i)
{
    int last = f->collective == COLL_SCAN ? r : f->collective == COLL_EXSCAN ? r - 1 : RANKS - 1;
    if (f->collective == COLL_BCAST)
        return input(f->root, i);
    if (last < 0 || (f->collective == COLL_REDUCE && r != f->root))
        return -1;
    int64_t value = input(0, i);
    for (int k = 1; k <= last; k++)
        value = f->op == OP_EXACT ? value + input(k, i) : affine_then(value, input(k, i));
    return value;
}

/* Makes the call on all ranks. Elements of a broadcast have 8 bytes, too, but its units are bytes. */
static void make_call(struct call *c)
{
    pthread_t thread[RANKS];
    const struct facts *f = &c->facts;
    memset(ranks, 0, sizeof ranks);
    for (int r = 0; r < RANKS; r++) {
        ranks[r].call = c;
        ranks[r].rank = r;
        bool has_in_out = f->collective == COLL_BCAST ? r == f->root : c->in_place;
        for (int64_t i = 0; i < UNITS; i++) {
            ranks[r].in[i] = input(r, i);
            ranks[r].out[i] = has_in_out ? input(r, i) : -1;
        }
    }
    for (int r = 0; r < RANKS; r++)
        ck_assert_int_eq(pthread_create(&thread[r], NULL, run_rank, &ranks[r]), 0);
    for (int r = 0; r < RANKS; r++)
        pthread_join(thread[r], NULL);
}

static struct call call_of(const struct engine *e, enum collective c, enum op_class op, int root, int64_t blocks,
                           enum layout layout)
{
    const int64_t bytes = UNITS * (int64_t)sizeof(int64_t);
    return (struct call){.facts = {.collective = c,
                                   .op = op,
                                   .ranks = RANKS,
                                   .root = root,
                                   .bytes = bytes,
                                   .units = c == COLL_BCAST ? bytes : UNITS},
                         .plan = {.engine = e, .blocks = blocks},
                         .layout = layout};
}

static const int64_t blocks_of[] = {1, 2, 7, 30};

/* `variant` selects the number of blocks, the layout, and MPI_IN_PLACE for collectives in which all ranks can pass it. */
static void try_engine(const struct engine *e, enum collective c, enum op_class op, int root, int variant)
{
    const enum layout layout = (enum layout)(variant / 2 % LAYOUTS);
    struct call call = call_of(e, c, op, root, blocks_of[variant % 4], layout);
    call.in_place = variant & 1 && !collective_rooted(c);
    call.plan.wide = e->serves[c].work ? 1 + variant % 5 : 0;
    call.number = (uint64_t)variant;
    const struct machine machine = machine_of(layout);
    call.facts.machine = &machine;
    const struct shape shape = choose_shape(&call.facts, call.plan.blocks);
    const int64_t wide = call.plan.wide > 1 ? call.plan.wide : 1;
    const int64_t piece = wide * (call.facts.bytes / call.plan.blocks + 2 * (int64_t)sizeof(int64_t));
    const bool sites = shape.places && shape.places->place[0].line;
    const bool fits = engine_fits(e, &shape) && (!e->halves || call.plan.blocks != 7);
    places_free((struct places *)machine.places[SOURCE_SURE]); /* ranks make their own */
    if (!fits)
        return;
    make_call(&call);
    for (int r = 0; r < RANKS; r++) {
        const struct rank *k = &ranks[r];
        ck_assert_msg(k->error == MPI_SUCCESS, "%s: rank %d: error %d", e->name, r, k->error);
        int64_t wrong = 0;
        for (int64_t i = 0; i < UNITS; i++) {
            int64_t want = expected(&call.facts, r, i);
            wrong += k->out[i] != want && (want != -1 || !call.in_place);
        }
        ck_assert_msg(wrong == 0, "%s %s, root %d, variant %d: %lld wrong elements on rank %d", e->name, collective_name(c),
                      root, variant, (long long)wrong, r);
        ck_assert_msg(k->tags <= 1 && (!k->peers || k->tag == ranks[root].tag || !ranks[root].peers), "%s: tags differ",
                      e->name);
        bool chained = e->serves[c].executor.chained;
        ck_assert_msg(k->flying == 0 && k->most_flying <= (sites ? PENDING_MOST + 1 : 1),
                      "%s: rank %d has %d sends under way", e->name, r, k->most_flying);
        ck_assert_msg(chained || k->most_unmet < WINDOW + piece, "%s: rank %d ran ahead by %lld bytes", e->name, r,
                      (long long)k->most_unmet);
    }
}

LOOPED_TEST(engines_run, engine_count() - 1)
{
    const struct engine *e = engines[_i + 1];
    for (int variant = 0; variant < 2 * LAYOUTS; variant++) {
        for (int root = 0; root < RANKS; root += 2) {
            try_engine(e, COLL_BCAST, OP_NONE, root, variant);
            try_engine(e, COLL_REDUCE, OP_EXACT, root, variant);
            try_engine(e, COLL_REDUCE, OP_ORDERED, root, variant);
        }
        try_engine(e, COLL_SCAN, OP_ORDERED, 0, variant);
        try_engine(e, COLL_EXSCAN, OP_ORDERED, 0, variant);
        try_engine(e, COLL_ALLREDUCE, OP_EXACT, 0, variant);
        try_engine(e, COLL_ALLREDUCE, OP_ORDERED, 0, variant);
    }
}

/* Between sites a rank may have up to PENDING_MOST pending sends; here rank 2 has as many. */
START_TEST(blocks_fly)
{
    struct call call = call_of(engine_find("chain"), COLL_BCAST, OP_NONE, 0, 60, BLOCKS);
    make_call(&call);
    for (int r = 0; r < RANKS; r++)
        ck_assert_int_eq(ranks[r].most_flying, r == 2 ? PENDING_MOST : 0);
}

/*
 * The blocks of a piece go in one message. Six ranks are 2*3, so butterfly has two levels: in the first, a rank sends half
 * of its 12 blocks to one rank; in the second, a sixth to each of two ranks. Then the blocks go back by the same two levels.
 */
START_TEST(blocks_go_together)
{
    static const struct {
        int64_t wide;
        int messages;
    } table[] = {{1, 2 * (6 + 2 * 2)}, {2, 2 * (3 + 2)}, {4, 2 * (2 + 2)}, {6, 2 * (1 + 2)}};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct call call = call_of(engine_find("butterfly"), COLL_ALLREDUCE, OP_ORDERED, 0, 12, ALIKE);
        call.plan.wide = table[i].wide;
        make_call(&call);
        for (int r = 0; r < RANKS; r++)
            ck_assert_int_eq(ranks[r].messages, table[i].messages);
    }
}

/* A rank that has several children lists them once, however many messages it sends, even if no schedule is kept. */
START_TEST(no_lock_in_a_step)
{
    const int64_t blocks[] = {2, 30};
    int visits[COUNT(blocks)] = {0};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        struct call call = call_of(engine_find("latency-tree"), COLL_BCAST, OP_NONE, 0, blocks[i], BLOCKS);
        make_call(&call);
        ck_assert_int_ge(ranks[0].messages, 2 * (int)blocks[i]);
        for (int r = 0; r < RANKS; r++)
            visits[i] += ranks[r].visits;
    }
    ck_assert_int_gt(visits[0], 0);
    ck_assert_int_eq(visits[0], visits[1]);
}

/* A chain goes in the order of the ranks, or node by node. */
START_TEST(ranks_by_node)
{
    for (int by_node = 0; by_node < 2; by_node++) {
        struct call call = call_of(engine_find("chain"), COLL_BCAST, OP_NONE, 2, 3, by_node ? NODES : ALIKE);
        make_call(&call);
        for (int r = 0; r < RANKS; r++) {
            int next = by_node ? order[(position[r] + 1) % RANKS] : (r + 1) % RANKS;
            ck_assert_uint_eq(ranks[r].peers, next == 2 ? 0 : 1u << next);
        }
    }
}

START_TEST(tags_tell_calls_apart)
{
    struct call calls[5];
    int tag[5];
    for (int i = 0; i < 5; i++)
        calls[i] = call_of(engine_find("chain"), COLL_BCAST, OP_NONE, 0, 3, ALIKE);
    calls[1].number = 1;
    calls[2].facts.root = 1;
    calls[3].plan.blocks = 4;
    calls[4].facts.bytes = calls[4].facts.units = 1000;
    for (int i = 0; i < 5; i++) {
        make_call(&calls[i]);
        tag[i] = ranks[2].tag;
        ck_assert(tag[i] >= 0 && tag[i] < 1 << 15);
        for (int k = 0; k < i; k++)
            ck_assert_int_ne(tag[i], tag[k]);
    }
}

/*
 * One rank lacks something, and no other rank knows. That rank gets an error, as do all ranks whose results depend on it.
 * The others get their results, and no rank hangs. Returns the number of ranks with an error.
 */
static int try_lack(struct call *call)
{
    const struct machine machine = machine_of(call->layout);
    const struct facts *f = &call->facts;
    call->facts.machine = &machine;
    const struct shape shape = choose_shape(f, call->plan.blocks);
    int errors = 0;
    if (!engine_fits(call->plan.engine, &shape))
        return 0;
    make_call(call);
    for (int r = 0; r < RANKS; r++) {
        const struct rank *k = &ranks[r];
        const char *name = call->plan.engine->name;
        const bool depends = f->collective == COLL_BCAST       ? call->lacks == f->root
                             : f->collective == COLL_REDUCE    ? r == f->root
                             : f->collective == COLL_ALLREDUCE ? true
                                                               : r > call->lacks;
        errors += k->error != MPI_SUCCESS;
        if (call->lack == MAP || call->lack == GAPS) {
            ck_assert_msg(r != call->lacks || k->error == MPI_ERR_NO_MEM, "%s: rank %d: error %d", name, r, k->error);
            ck_assert_msg(!depends || k->error != MPI_SUCCESS, "%s %s: rank %d has no error", name,
                          collective_name(f->collective), r);
        }
        for (int64_t i = 0; i < UNITS && k->error == MPI_SUCCESS; i++) {
            int64_t want = expected(f, r, i);
            REQUIRE(want == -1 || k->out[i] == want, "%s %s: rank %d: element %lld", name, collective_name(f->collective), r,
                    (long long)i);
        }
    }
    return errors;
}

START_TEST(an_error_of_one_rank_is_no_hang)
{
    int errors[LACKS] = {0};
    for (int lack = MAP; lack < LACKS; lack++)
        for (int i = 1; engines[i]; i++)
            for (enum collective c = 0; c < COLLECTIVES; c++) {
                const enum layout layout = (enum layout)((i + c) % LAYOUTS);
                struct call call = call_of(engines[i], c, c == COLL_BCAST ? OP_NONE : OP_ORDERED, 0, 30, layout);
                call.lack = (enum lack)lack;
                call.lacks = (i + c + lack) % RANKS;
                errors[lack] += try_lack(&call);
            }
    for (int lack = MAP; lack < LACKS; lack++)
        ck_assert_int_gt(errors[lack], 10);
}

SUITE("run", 20)
