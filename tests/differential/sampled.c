/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Combinations of collective, form, datatype and operation that MPI allows, with random counts, roots, communicators and
 * places of buffers. Up to 5 ranks make calls of all combinations; more ranks leave out half of the operations of each type.
 * With --quick, these calls are broadcasts alone; --every says which reductions are made, also with --quick. Draws are the
 * same on all ranks, and for every selection of cases.
 */
#include "differential.h"

#include <stdlib.h>

/* Where the buffers lie. */
enum place {
    APART,    /* send and receive buffer; for a broadcast its only buffer */
    IN_PLACE, /* MPI_IN_PLACE where the collective has it; no receive buffer away from a reduction's root */
    ABSOLUTE, /* MPI_BOTTOM and absolute addresses; reductions in place */
    MIXED,    /* broadcast: the same signature, by a count and datatype that differ between ranks */
    PLACES
};
static const char *const place_names[PLACES] = {"apart", "in-place", "absolute", "mixed"};

static const int counts[] = {0, 1, 2, 3, 7, 100, 1000, 4099, 20011, 100003};
static const int weights[] = {1, 2, 2, 2, 3, 6, 6, 5, 2, 1};
enum { N_COUNTS = sizeof counts / sizeof *counts, ALL_WEIGHTS = 30 };
enum { MOST_BYTES = 1 << 20, MOST_ABSOLUTE_LEAVES = 5000, MOST_THIRD = 5000, FEW_RANKS = 3 };

struct test {
    enum collective collective;
    bool large;
    const struct type *type;
    const struct op *op; /* NULL: broadcast */
    int count;
    int root;
    const struct communicator *comm;
    enum place place;
    int site, sites; /* the first call site; how many sites make the call */
};

static bool is_rooted(enum collective c)
{
    return c == COLL_BCAST || c == COLL_REDUCE;
}

/* Does the type's signature consist of MPI_UINT32_T alone? */
static bool is_words(const struct type *t)
{
    return t->words && t->leaves > 0 && (t->derived || t->handle == MPI_UINT32_T);
}

static bool fits(const struct type *t, MPI_Count count)
{
    return (!t->most || count <= t->most) && llabs(count * t->extent) <= MOST_BYTES;
}

/* MPI_Reduce of MPICH 4.0.2 itself crashes with MPI_IN_PLACE, root ≠ 0 and more than 2048 bytes. */
static bool would_crash(const struct test *t)
{
    return !settings.intercepted && t->collective == COLL_REDUCE && t->place != APART && t->root != 0;
}

/*
 * Open MPI's own MPI_Allreduce goes around a ring if the operation commutes. The ring allocates memory for received data
 * without regard to the true lower bound of the type. If this bound is not 0, the ring writes before or behind that memory.
 */
static bool would_overrun(const struct test *t)
{
#ifdef OPEN_MPI
    int commutes = 0;
    if (t->collective == COLL_ALLREDUCE)
        MPI_Op_commutative(t->op->handle, &commutes);
    return commutes && t->type->true_lb != 0 && t->count >= t->comm->least;
#else
    (void)t;
    return false;
#endif
}

static bool is_possible(const struct test *t)
{
    if (!fits(t->type, t->count) || would_crash(t) || would_overrun(t))
        return false;
    switch (t->place) {
    case IN_PLACE:
        return t->collective != COLL_BCAST;
    case ABSOLUTE: /* makes a derived type, to which no predefined operation applies */
        return !t->op || (t->op->classes & OTHER && (long)t->count * t->type->leaves <= MOST_ABSOLUTE_LEAVES);
    case MIXED:
        return t->collective == COLL_BCAST && is_words(t->type);
    default:
        return true;
    }
}

/* A buffer for the words of `count` elements of `type`; `draw`, which differs between ranks, selects its type and count. */
static struct buffer mixed_buffer(const struct type *type, int count, uint64_t draw)
{
    const MPI_Count words = (MPI_Count)count * type->leaves;
    for (int i = 0; i < n_types && draw % 3; i++) {
        const struct type *t = &types[(draw / 3 + i) % n_types];
        if (is_words(t) && words % t->leaves == 0 && fits(t, words / t->leaves))
            return buffer_create(t, words / t->leaves);
    }
    return buffer_create(type, count);
}

/*
 * The origin of absolute addresses: MPI_BOTTOM, which is NULL in Open MPI. At the root, Open MPI's own MPI_Reduce takes NULL
 * for a missing buffer, and loses the result if it reduces along a tree. For such calls, the origin is another small
 * address.
 */
static void *bottom(const struct call *c)
{
#ifdef OPEN_MPI
    if (c->collective == COLL_REDUCE && c->send == MPI_IN_PLACE)
        return (void *)64;
#endif
    (void)c;
    return MPI_BOTTOM;
}

/* Replaces the call's buffer by bottom() and one element of an absolute type; returns that type. */
static struct type absolute(struct call *c, const struct type *type)
{
    const bool receives = c->collective == COLL_BCAST || c->send == MPI_IN_PLACE;
    struct type t = {.leaf = malloc((c->count * type->leaves + 1) * sizeof *t.leaf)};
    void *const origin = bottom(c);
    MPI_Aint address;
    MPI_Get_address(receives ? c->receive : c->send, &address);
    address -= (MPI_Aint)origin;
    MPI_Type_create_hindexed_c(1, (const large_count[]){c->count}, (const large_address[]){address}, c->type, &t.handle);
    MPI_Type_commit(&t.handle);
    for (MPI_Count i = 0; i < c->count; i++)
        for (int j = 0; j < type->leaves; j++)
            t.leaf[t.leaves++] = (struct leaf){address + i * type->extent + type->leaf[j].offset, type->leaf[j].kind};
    *(receives ? (const void **)&c->receive : &c->send) = origin;
    c->count = 1;
    c->type = t.handle;
    return t;
}

static void make_call(struct call *c, const struct test *t)
{
    struct type described = {0};
    if (t->place == ABSOLUTE) {
        described = absolute(c, t->type);
        type_announce(&described);
    }
    op_expect(c->type);
    check_success(call_mpi(c), "the call");
    if (op_surprises())
        case_fail("the operation got another datatype than the call");
    if (t->place == ABSOLUTE) {
        type_announce(NULL);
        free(described.leaf);
        MPI_Type_free(&described.handle);
    }
}

static void broadcast(const struct test *t, struct call *c, struct buffer *data)
{
    struct buffer want = buffer_copy(data), expected = buffer_copy(data);
    c->receive = want.base;
    check_success(call_pmpi(c), "native");
    for (int i = 0; i < t->sites; i++) {
        struct buffer got = buffer_copy(data);
        struct call from_site = *c;
        from_site.receive = got.base;
        from_site.site = (t->site + i) % settings.sites;
        make_call(&from_site, t);
        buffer_overlay(&expected, &want, &got);
        check_equal(&got, &expected, "the buffer");
        buffer_free(&got);
    }
    buffer_free(&want);
    buffer_free(&expected);
}

static void reduction(const struct test *t, struct call *c, struct buffer *in, int rank)
{
    const bool receives = t->collective != COLL_REDUCE || rank == t->root;
    const bool has_result = receives && (t->collective != COLL_EXSCAN || rank > 0);
    const bool in_place = t->place != APART && receives;
    struct buffer before = buffer_copy(in), want = buffer_create(t->type, t->count);
    struct buffer blank = in_place ? buffer_copy(in) : buffer_create(t->type, t->count), expected = buffer_copy(&blank);

    c->send = in->base;
    c->receive = want.base;
    check_success(call_pmpi(c), "native");
    for (int i = 0; i < t->sites; i++) {
        struct buffer got = buffer_copy(&blank);
        struct call from_site = *c;
        from_site.send = in_place ? MPI_IN_PLACE : in->base;
        from_site.receive = receives || t->place == APART ? got.base : NULL;
        from_site.site = (t->site + i) % settings.sites;
        make_call(&from_site, t);
        check_equal(in, &before, "the send buffer");
        if (has_result)
            buffer_overlay(&expected, &want, &got);
        check_equal(&got, &expected, has_result ? "the result" : "a buffer that receives nothing");
        buffer_free(&got);
    }
    buffer_free(&before);
    buffer_free(&want);
    buffer_free(&blank);
    buffer_free(&expected);
}

static void run(const struct test *t)
{
    if (!case_begin("%s%s/%s/%s/n%d/root%d/%s/%s/sites%d+%d", collective_names[t->collective], t->large ? "_c" : "",
                    t->type->name, t->op ? t->op->name : "-", t->count, t->root, t->comm->name, place_names[t->place],
                    t->site, t->sites))
        return;

    int rank, world_rank;
    MPI_Comm_rank(t->comm->handle, &rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    uint64_t seed = random_hash(settings.seed + world_rank, case_name());
    struct buffer data = t->place == MIXED ? mixed_buffer(t->type, t->count, seed >> 8) : buffer_create(t->type, t->count);
    buffer_fill(&data, t->op, seed);
    struct call c = {.collective = t->collective,
                     .large = t->large,
                     .count = data.count,
                     .type = data.type->handle,
                     .op = t->op ? t->op->handle : MPI_OP_NULL,
                     .root = t->root,
                     .comm = t->comm->handle};
    if (t->collective == COLL_BCAST)
        broadcast(t, &c, &data);
    else
        reduction(t, &c, &data, rank);
    buffer_free(&data);
}

/* A random count. Small counts test edge cases, and middle ones are cheap; large ones are rare, as they take long. */
static int draw_count(uint64_t *state)
{
    int ticket = random_next(state) % ALL_WEIGHTS, i = 0;
    while (ticket >= weights[i])
        ticket -= weights[i++];
    return counts[i];
}

/*
 * Sets the call sites that make the call: one, or a third of all sites if `third`. Sites take turns; the first turn depends
 * on the number of ranks and on the seed. Calls of few ranks are cheap: with three ranks, a third of all sites makes each
 * call; with two ranks, all sites do.
 */
static void call_from(struct test *t, bool third)
{
    static int turn[COLLECTIVES];
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int sites = p <= 2 ? settings.sites : third || p <= FEW_RANKS ? (settings.sites + 2) / 3 : 1;
    t->site = (int)((4 * p + settings.seed * sites + turn[t->collective]) % settings.sites);
    t->sites = sites;
    turn[t->collective] += sites;
}

/* Draws until a test is possible. The number of draws is the same on all ranks. */
static void draw(struct test t, uint64_t *state)
{
    for (int tries = 0; tries < 50; tries++) {
        t.count = draw_count(state);
        t.comm = &communicators[random_next(state) % n_communicators];
        t.place = random_next(state) % PLACES;
        t.root = is_rooted(t.collective) ? random_next(state) % t.comm->least : 0;
        if (is_possible(&t)) {
            call_from(&t, false);
            run(&t);
            return;
        }
    }
}

static void for_each_form(const struct type *type, const struct op *op, int draws, uint64_t *state)
{
    for (enum collective c = op ? COLL_REDUCE : COLL_BCAST; c <= (op ? COLL_ALLREDUCE : COLL_BCAST); c++)
        for (int large = 0; large < 2; large++)
            for (int i = 0; i < draws; i++)
                draw((struct test){.collective = c, .large = large, .type = type, .op = op}, state);
}

/*
 * Up to this number of ranks, each rank is a root. If there are more, the first two, the middle one and the last are; with
 * --quick two of these, which depend on the number of ranks.
 */
enum { ALL_ROOTS = 5 };

static bool is_root(int rank, int p)
{
    const bool one = rank == 0 || rank == p / 2, other = rank == 1 || rank == p - 1;
    return p <= ALL_ROOTS || (settings.quick ? p % 2 ? other : one : one || other);
}

/*
 * One type and operation with many roots and every count. call_from() says how many sites make each call; if `third`, a
 * third of all sites makes each call with at most MOST_THIRD elements.
 */
static void thorough(const char *type, const char *op, bool third)
{
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (enum collective c = op ? COLL_REDUCE : COLL_BCAST; c <= (op ? COLL_ALLREDUCE : COLL_BCAST); c++) {
        for (int root = 0; root < (is_rooted(c) ? p : 1); root++) {
            for (int i = 0; i < N_COUNTS && is_root(root, p); i++) {
                struct test t = {.collective = c,
                                 .large = i % 2,
                                 .type = type_find(type),
                                 .op = op ? op_find(op) : NULL,
                                 .count = counts[i],
                                 .root = root,
                                 .comm = &communicators[0]};
                if (is_possible(&t)) {
                    call_from(&t, third && counts[i] <= MOST_THIRD);
                    run(&t);
                }
            }
        }
    }
}

void sampled_cases(void)
{
    uint64_t state = settings.seed;
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const int step = settings.every * (p > 5 ? 2 : 1); /* 2: half of a type's operations; on p + 1 ranks the other half */
    for (int i = 0; i < n_types; i++) {
        const struct type *type = &types[i];
        for_each_form(type, NULL, settings.quick ? 1 : 6, &state);
        for (int j = 0; j < n_ops; j++)
            if (step > 0 && op_applies(&ops[j], type) && (i + j + p) % step == 0)
                for_each_form(type, &ops[j], 1, &state);
    }
    if (settings.quick && settings.sites == 1)
        return;
    thorough("INT", NULL, true);
    thorough("2INT", "affine", true);
    if (settings.quick)
        return;
    thorough("INT", "sum", true);
    thorough("vector", NULL, false);
    thorough("DOUBLE_INT", "minloc", false);
    thorough("permuted_gaps", "matrix", false);
}
