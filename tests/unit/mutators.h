/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mutants for the test of the simulator. A tape records the schedules of all ranks, a mutator changes it in one place, and
 * the simulator plays it back. If a mutator has the flag EVERYWHERE, the simulator must find each of its changes. Otherwise
 * it must find one of the mutator's changes at least, for each engine and collective that the mutator can change.
 */
#pragma once

#include "schedules.h"

enum { RANKS = 7, BLOCKS = 4, STEPS = 512 };

struct tape {
    struct step step[RANKS][STEPS];
    int steps[RANKS], next[RANKS];
};

static void rewind_tape(void *self, struct walk *s, const struct shape *shape, int rank)
{
    struct tape *t = self;
    (void)s;
    (void)shape;
    t->next[rank] = 0;
}

static bool play(void *self, struct walk *s, struct step *step, int rank)
{
    struct tape *t = self;
    (void)s;
    if (t->next[rank] == t->steps[rank])
        return false;
    *step = t->step[rank][t->next[rank]++];
    return true;
}

static void record(struct tape *t, const struct engine *e, const struct shape *s)
{
    memset(t->steps, 0, sizeof t->steps);
    for (int rank = 0; rank < s->ranks; rank++) {
        struct walk schedule;
        engine_walk(e, &schedule, s, rank);
        while (t->steps[rank] < STEPS && walk_next(&schedule, &t->step[rank][t->steps[rank]]))
            t->steps[rank]++;
        if (t->steps[rank] > STEPS / 2) /* room is left for steps that mutators add */
            abort();
    }
}

static void copy_tape(struct tape *to, const struct tape *from)
{
    for (int r = 0; r < RANKS; r++)
        memcpy(to->step[r], from->step[r], (size_t)(to->steps[r] = from->steps[r]) * sizeof to->step[0][0]);
}

static bool same_piece(struct piece a, struct piece b)
{
    return a.slot == b.slot && a.block == b.block && a.more == b.more;
}

static bool same_step(const struct step *a, const struct step *b)
{
    return a->kind == b->kind && a->when == b->when && a->to == b->to && a->from == b->from && same_piece(a->a, b->a) &&
           same_piece(a->b, b->b);
}

static bool same_tape(const struct tape *a, const struct tape *b)
{
    for (int r = 0; r < RANKS; r++)
        for (int k = 0; k < a->steps[r] || k < b->steps[r]; k++)
            if (a->steps[r] != b->steps[r] || !same_step(&a->step[r][k], &b->step[r][k]))
                return false;
    return true;
}

static void insert(struct tape *t, int rank, int k, struct step x)
{
    memmove(&t->step[rank][k + 1], &t->step[rank][k], (size_t)(t->steps[rank]++ - k) * sizeof x);
    t->step[rank][k] = x;
}

static void drop(struct tape *t, int rank, int k)
{
    memmove(&t->step[rank][k], &t->step[rank][k + 1], (size_t)(--t->steps[rank] - k) * sizeof t->step[0][0]);
}

/* ---- Mutators: most change step k of a rank; some change all steps, when called for step 0 of rank 0 ------------------ */

struct target {
    const struct engine *engine;
    const struct shape *shape;
    struct tape *tape;
    int rank, k;
    struct step *x;    /* the step to change */
    struct step *next; /* the exchange that follows the step, or NULL */
};

static bool is(const struct target *p, enum step_kind kind)
{
    return p->x->kind == kind;
}
static bool sends(const struct step *x)
{
    return x->kind == STEP_EXCHANGE && x->to != NOBODY;
}
static bool receives(const struct step *x)
{
    return x->kind == STEP_EXCHANGE && x->from != NOBODY;
}
static bool merged(const struct step *x)
{
    return sends(x) && receives(x);
}
static bool whole(const struct target *p)
{
    return p->rank == 0 && p->k == 0;
}
static int beside(const struct target *p, int peer)
{
    return (peer + 1) % p->shape->ranks;
}
static bool last(const struct target *p)
{
    return p->k == p->tape->steps[p->rank] - 1;
}

/* Defines a mutator, which does `what` if the condition `where` holds. */
#define MUTATOR(name, where, what)                                                                                          \
    static bool name(struct target *p)                                                                                      \
    {                                                                                                                       \
        if (!(where))                                                                                                       \
            return false;                                                                                                   \
        what;                                                                                                               \
        return true;                                                                                                        \
    }

#define DROP drop(p->tape, p->rank, p->k)
#define TWICE insert(p->tape, p->rank, p->k, *p->x)
#define SWAP(type, u, v)                                                                                                    \
    do {                                                                                                                    \
        type swapped = u;                                                                                                   \
        u = v;                                                                                                              \
        v = swapped;                                                                                                        \
    } while (0)
#define OTHER(b) (b) = ((b) + 1) % p->shape->blocks

MUTATOR(drop_exchange, is(p, STEP_EXCHANGE), DROP)
MUTATOR(drop_fold, is(p, STEP_FOLD), DROP)
MUTATOR(drop_copy, is(p, STEP_COPY), DROP)
MUTATOR(drop_end, last(p), DROP)
MUTATOR(lose_send, sends(p->x), p->x->to = NOBODY)
MUTATOR(lose_receive, receives(p->x), p->x->from = NOBODY)
MUTATOR(empty_exchange, is(p, STEP_EXCHANGE), p->x->to = p->x->from = NOBODY)
MUTATOR(swap_exchanges, is(p, STEP_EXCHANGE) && p->next, SWAP(struct step, *p->x, *p->next))
MUTATOR(swap_messages, is(p, STEP_EXCHANGE) && p->next, SWAP(struct step, *p->x, *p->next);
        SWAP(int64_t, p->x->when, p->next->when))
MUTATOR(swap_neighbours, !last(p) && !(is(p, STEP_EXCHANGE) && p->x[1].kind == STEP_EXCHANGE),
        SWAP(struct step, p->x[0], p->x[1]))
MUTATOR(wrong_receiver, sends(p->x) && beside(p, p->x->to) != p->rank, p->x->to = beside(p, p->x->to))
MUTATOR(wrong_sender, receives(p->x) && beside(p, p->x->from) != p->rank, p->x->from = beside(p, p->x->from))
MUTATOR(no_such_receiver, sends(p->x), p->x->to = p->shape->ranks)
MUTATOR(to_itself, sends(p->x), p->x->to = p->rank)
MUTATOR(wrong_block_sent, sends(p->x) && p->shape->blocks > 1, OTHER(p->x->a.block))
MUTATOR(wrong_block_received, receives(p->x) && p->shape->blocks > 1, OTHER(p->x->b.block))
MUTATOR(wrong_block_copied, is(p, STEP_COPY) && p->shape->blocks > 1, OTHER(p->x->a.block))
MUTATOR(wrong_block_folded, is(p, STEP_FOLD) && p->shape->blocks > 1, OTHER(p->x->a.block))
MUTATOR(sent_too_long, sends(p->x) && p->shape->wide > 1, p->x->a.more++)
MUTATOR(sent_too_short, sends(p->x) && p->x->a.more > 0, p->x->a.more--)
MUTATOR(received_too_long, receives(p->x) && p->shape->wide > 1, p->x->b.more++)
MUTATOR(received_too_short, receives(p->x) && p->x->b.more > 0, p->x->b.more--)
MUTATOR(sent_around_the_end, sends(p->x) && p->x->a.more > 0, p->x->a.block = p->shape->blocks - 1)
MUTATOR(lengths_differ, !is(p, STEP_EXCHANGE) && p->x->a.more > 0, p->x->a.more--)
MUTATOR(folds_too_much, is(p, STEP_FOLD) && p->shape->wide > 1, p->x->a.more++; p->x->b.more++)
MUTATOR(folds_too_little, is(p, STEP_FOLD) && p->x->a.more > 0, p->x->a.more--; p->x->b.more--)
MUTATOR(no_such_piece, sends(p->x) && p->shape->wide > 1, p->x->a.more = p->shape->wide)
MUTATOR(no_such_block, receives(p->x), p->x->b.block = p->shape->blocks)
MUTATOR(no_such_slot, sends(p->x), p->x->a.slot = SLOT_T0 + p->engine->scratch)
MUTATOR(operands_swapped, is(p, STEP_FOLD), SWAP(struct piece, p->x->a, p->x->b))
MUTATOR(copy_for_fold, is(p, STEP_FOLD), p->x->kind = STEP_COPY)
MUTATOR(write_in, !is(p, STEP_EXCHANGE) || receives(p->x), p->x->b.slot = SLOT_IN)
MUTATOR(exchange_twice, is(p, STEP_EXCHANGE), TWICE)
MUTATOR(exchange_more, is(p, STEP_EXCHANGE) && !p->next, TWICE; p->x[1].when++)
MUTATOR(fold_twice, is(p, STEP_FOLD), TWICE)
MUTATOR(wrong_parity, sends(p->x) && p->engine->scratch > 1 && p->x->a.slot >= SLOT_T0,
        p->x->a.slot = SLOT_T0 + (p->x->a.slot == SLOT_T0))
MUTATOR(into_what_is_sent, merged(p->x) && p->x->a.slot >= SLOT_T0, p->x->b.slot = p->x->a.slot)
MUTATOR(number_up, is(p, STEP_EXCHANGE), p->x->when++)
MUTATOR(number_down, is(p, STEP_EXCHANGE) && p->x->when > 0, p->x->when--)
MUTATOR(split_here, merged(p->x), TWICE; p->x[0].from = p->x[1].to = NOBODY)

/* Returns the piece into which the peer receives the message that the step sends. */
static struct piece *other_end(struct target *p)
{
    for (int k = 0; k < p->tape->steps[p->x->to]; k++) {
        struct step *y = &p->tape->step[p->x->to][k];
        if (receives(y) && y->when == p->x->when)
            return &y->b;
    }
    abort();
}

/* The message carries another block, or one block less, and both its ends agree on that. */
MUTATOR(wrong_block_agreed, sends(p->x) && p->shape->blocks > 1, OTHER(other_end(p)->block); OTHER(p->x->a.block))
MUTATOR(too_short_agreed, sends(p->x) && p->x->a.more > 0, other_end(p)->more--; p->x->a.more--)

/* The steps b = x, b = z (+) b become b = z, b = x (+) b. */
static bool fold_reversed(struct target *p)
{
    for (int k = p->k - 1; is(p, STEP_FOLD) && k >= 0; k--) {
        struct step *copy = &p->tape->step[p->rank][k];
        if (copy->kind == STEP_COPY && copy->b.slot == p->x->b.slot && copy->b.block == p->x->b.block) {
            struct step fold = *p->x, own = *copy;
            SWAP(struct piece, fold.a, own.a);
            *p->x = fold;
            drop(p->tape, p->rank, k);
            insert(p->tape, p->rank, p->k - 1, own);
            return true;
        }
    }
    return false;
}

/* Writes OUT before a block of IN is read. This is wrong only with MPI_IN_PLACE. */
static bool in_read_late(struct target *p)
{
    struct step *x = p->x;
    if (p->tape->steps[p->rank] - p->k < 2 || p->engine->serves[p->shape->collective].executor.keeps_input)
        return false;
    if (is(p, STEP_COPY) && x->a.slot == SLOT_IN && receives(&x[1]) && x[1].b.slot == SLOT_OUT &&
        x[1].b.block == x->a.block && !same_piece(x->b, x[1].a))
        SWAP(struct step, x[0], x[1]); /* IN is copied after OUT has been written */
    else if (receives(x) && x->b.slot >= SLOT_T0 && p->tape->steps[p->rank] - p->k > 2 && x[1].a.slot == SLOT_IN &&
             x[1].kind != STEP_EXCHANGE && x[2].kind != STEP_EXCHANGE && x[2].b.slot == SLOT_OUT) {
        x->b.slot = SLOT_OUT; /* the message is received in OUT, and IN is folded into it */
        x[1] = (struct step){STEP_FOLD, 0, NOBODY, NOBODY, {SLOT_IN, x->b.block, x->b.more}, x->b, 0, 0};
        drop(p->tape, p->rank, p->k + 2);
    } else
        return false;
    return true;
}

/* Writes OUT on a rank where MPI forbids it. */
static bool write_out(struct target *p)
{
    enum collective c = p->shape->collective;
    if (p->k > 0 || collective_writes(c, p->rank, p->shape->root))
        return false;
    struct piece from = one_block(c == COLL_BCAST ? SLOT_OUT : SLOT_IN, 0), to = one_block(SLOT_OUT, p->shape->blocks - 1);
    insert(p->tape, p->rank, 0, (struct step){STEP_COPY, 0, NOBODY, NOBODY, from, to, 0, 0});
    return true;
}

static bool one_scratch_slot(struct target *p)
{
    if (p->k > 0)
        return false;
    for (int k = 0; k < p->tape->steps[p->rank]; k++) {
        struct step *x = &p->tape->step[p->rank][k];
        x->a.slot = x->a.slot >= SLOT_T0 ? SLOT_T0 : x->a.slot;
        x->b.slot = x->b.slot >= SLOT_T0 ? SLOT_T0 : x->b.slot;
    }
    return true;
}

/* Each exchange that sends and receives becomes two: a send and then a receive, or the other way round. */
static bool split_all(struct target *p, bool send_first)
{
    bool found = false;
    for (int r = 0; whole(p) && r < p->shape->ranks; r++)
        for (int k = 0; k < p->tape->steps[r]; k++) {
            struct step *x = &p->tape->step[r][k];
            x->when *= 2;
            if (!merged(x))
                continue;
            insert(p->tape, r, k++, *x);
            x[!send_first].from = x[send_first].to = NOBODY;
            x[1].when++;
            found = true;
        }
    return found;
}

MUTATOR(send_then_receive, whole(p), return split_all(p, true))
MUTATOR(receive_then_send, whole(p), return split_all(p, false))

static bool record_instead(struct target *p, struct shape s)
{
    if (!whole(p) || s.blocks == 0 || !engine_fits(p->engine, &s))
        return false;
    record(p->tape, p->engine, &s);
    return true;
}

#define OTHER_SHAPE(name, change)                                                                                           \
    static bool name(struct target *p)                                                                                      \
    {                                                                                                                       \
        struct shape s = *p->shape;                                                                                         \
        change;                                                                                                             \
        return record_instead(p, s);                                                                                        \
    }

OTHER_SHAPE(last_block_lost, s.blocks--)
OTHER_SHAPE(order_forgotten, s.ordered = false)
OTHER_SHAPE(wrong_root, if (s.collective <= COLL_REDUCE) s.root = (s.root + 1) % s.ranks)

/* ---- The table ------------------------------------------------------------------------------------------------------- */

enum { SOMEWHERE, EVERYWHERE = 1, ORDERED = 2, IN_PLACE = 4 }; /* ORDERED, IN_PLACE: wrong only in such calls */

#define ANY_ORDER "sends in step|sends block|deadlock|does not hold|folds [|result is wrong"

static const struct mutator {
    const char *name;
    bool (*mutate)(struct target *p);
    int flags;
    const char *why; /* the simulator's message contains one of these texts, which bars separate */
} mutators[] = {
#define ROW(name, ...)                                                                                                      \
    {                                                                                                                       \
#name, name, __VA_ARGS__                                                                                            \
    }
    ROW(drop_exchange, EVERYWHERE, ANY_ORDER),
    ROW(drop_fold, EVERYWHERE, "folds [|result is wrong|does not hold"),
    ROW(drop_copy, SOMEWHERE, "folds [|result is wrong|does not hold"),
    ROW(drop_end, SOMEWHERE, ANY_ORDER),
    ROW(lose_send, EVERYWHERE, "is empty|" ANY_ORDER),
    ROW(lose_receive, EVERYWHERE, "is empty|" ANY_ORDER),
    ROW(empty_exchange, EVERYWHERE, "is empty"),
    ROW(swap_exchanges, EVERYWHERE, "follows step|" ANY_ORDER),
    ROW(swap_messages, EVERYWHERE, ANY_ORDER),
    ROW(swap_neighbours, SOMEWHERE, "result is wrong|does not hold|folds ["),
    ROW(wrong_receiver, EVERYWHERE, ANY_ORDER),
    ROW(wrong_sender, EVERYWHERE, ANY_ORDER),
    ROW(no_such_receiver, EVERYWHERE, "no peer|does not hold"),
    ROW(to_itself, EVERYWHERE, "no peer|does not hold"),
    ROW(wrong_block_sent, EVERYWHERE, "receives into|sends block|does not hold|around the end"),
    ROW(wrong_block_received, EVERYWHERE, "receives into|sends block|does not hold|around the end"),
    ROW(wrong_block_agreed, EVERYWHERE, "receives into|folds block|around the end|" ANY_ORDER),
    ROW(wrong_block_copied, EVERYWHERE, "overwrites block|does not hold"),
    ROW(wrong_block_folded, EVERYWHERE, "folds block|does not hold"),
    ROW(sent_too_long, EVERYWHERE, "no piece|receives into|sends block|does not hold|around the end"),
    ROW(sent_too_short, EVERYWHERE, "sends block"),
    ROW(received_too_long, EVERYWHERE, "no piece|receives into|sends block|around the end"),
    ROW(received_too_short, EVERYWHERE, "sends block"),
    ROW(too_short_agreed, EVERYWHERE, "does not hold|result is wrong"),
    ROW(sent_around_the_end, EVERYWHERE, "around the end|does not hold"),
    ROW(lengths_differ, EVERYWHERE, "folds block|overwrites block"),
    ROW(folds_too_much, EVERYWHERE, "no piece|does not hold"),
    ROW(folds_too_little, EVERYWHERE, "does not hold|folds [|result is wrong"),
    ROW(no_such_piece, EVERYWHERE, "no piece"),
    ROW(no_such_block, EVERYWHERE, "no block"),
    ROW(no_such_slot, EVERYWHERE, "no slot"),
    ROW(operands_swapped, EVERYWHERE, "folds [|writes in|result is wrong|does not hold|writes out"),
    ROW(fold_reversed, EVERYWHERE | ORDERED, "folds [|result is wrong|does not hold"),
    ROW(order_forgotten, EVERYWHERE | ORDERED, "folds ["),
    ROW(copy_for_fold, EVERYWHERE, "result is wrong|folds [|does not hold"),
    ROW(write_in, EVERYWHERE, "writes in|does not hold"),
    ROW(write_out, EVERYWHERE, "writes out"),
    ROW(in_read_late, EVERYWHERE | IN_PLACE, "in does not hold|receives into what it sends"),
    ROW(exchange_twice, EVERYWHERE, "follows step|deadlock|sends in step"),
    ROW(exchange_more, EVERYWHERE, "deadlock|sends in step"),
    ROW(fold_twice, EVERYWHERE, "folds [|result is wrong"),
    ROW(wrong_parity, SOMEWHERE, "does not hold|receives into|folds [|result is wrong"),
    ROW(one_scratch_slot, SOMEWHERE, "does not hold|receives into|folds |result is wrong|copies a block"),
    ROW(into_what_is_sent, EVERYWHERE, "receives into what it sends"),
    ROW(number_up, EVERYWHERE, "sends in step|follows step|deadlock"),
    ROW(number_down, EVERYWHERE, "sends in step|follows step|deadlock"),
    ROW(split_here, EVERYWHERE, "follows step|deadlock|sends in step"),
    ROW(send_then_receive, EVERYWHERE, "sends in step|deadlock"),
    ROW(receive_then_send, EVERYWHERE, "sends in step|deadlock"),
    ROW(last_block_lost, EVERYWHERE, "result is wrong|does not hold"),
    ROW(wrong_root, EVERYWHERE, ANY_ORDER "|writes out"),
#undef ROW
};
