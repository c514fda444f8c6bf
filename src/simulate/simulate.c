/* SPDX-License-Identifier: BSD-2-Clause */
/* See simulate.h. */
#include "simulate.h"

#include "block_value.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct rank {
    struct walk walk;
    struct step step;
    bool send, recv;      /* legs that have not met their counterparts */
    bool done, talks;     /* talks: with other nodes */
    int64_t ready, until; /* rounds before it was posted; until its met legs are complete */
    int64_t last;         /* last exchange's step; -1: none */
};

struct world {
    const struct generator *g;
    const struct shape *shape;
    bool in_place;
    struct rank *rank;
    struct sim_value *value; /* [rank][IN, OUT, a piece for each scratch slot] */
    uint64_t *weights;
    int *todo, todos;
    /* By row of places; or NULL: */
    struct boundary *crossed;
    int *around;
    int *row;
    struct verdict *v;
};

static bool object(struct world *w, int rank, const char *format, ...)
{
    int used = snprintf(w->v->why, sizeof w->v->why, "rank %d: ", rank);
    va_list ap;
    va_start(ap, format);
    vsnprintf(w->v->why + used, sizeof w->v->why - (size_t)used, format, ap);
    va_end(ap);
    return false;
}

static int64_t values(const struct shape *s)
{
    return 2 * s->blocks + (SLOTS - SLOT_T0) * shape_wide(s);
}

static int64_t block_of(const struct world *w, struct piece p, int64_t i)
{
    return (p.block + i) % w->shape->blocks;
}

/* In a scratch slot, blocks lie one behind the other. */
static struct sim_value *value_of(struct world *w, int rank, struct piece p, int64_t i)
{
    int64_t n = w->shape->blocks, wide = shape_wide(w->shape);
    int64_t column = p.slot == SLOT_IN    ? block_of(w, p, i)
                     : p.slot == SLOT_OUT ? n + block_of(w, p, i)
                                          : 2 * n + (p.slot - SLOT_T0) * wide + i;
    return &w->value[rank * values(w->shape) + column];
}

static bool aliased(const struct world *w, int rank)
{
    return w->in_place && !w->g->keeps_input && collective_in_place(w->shape->collective, rank, w->shape->root);
}

static bool in_range(struct world *w, int rank, struct piece p)
{
    if (p.slot < 0 || p.slot >= SLOTS || p.slot - SLOT_T0 >= w->g->scratch)
        return object(w, rank, "no slot %d", p.slot);
    if (p.block < 0 || p.block >= w->shape->blocks)
        return object(w, rank, "no block %lld", (long long)p.block);
    if (p.more < 0 || p.more >= shape_wide(w->shape) || p.more >= w->shape->blocks)
        return object(w, rank, "no piece of %lld blocks", (long long)p.more + 1);
    return true;
}

static bool readable(struct world *w, int rank, struct piece p)
{
    if (!in_range(w, rank, p))
        return false;
    for (int64_t i = 0; i <= p.more; i++) {
        const struct sim_value *x = value_of(w, rank, p, i);
        if (!x->set || (p.slot >= SLOT_T0 && x->tag != block_of(w, p, i)))
            return object(w, rank, "%s does not hold block %lld", slot_name(p.slot, (char[SLOT_TEXT]){0}),
                          (long long)block_of(w, p, i));
    }
    return true;
}

static bool writable(struct world *w, int rank, struct piece p)
{
    const struct shape *s = w->shape;
    if (!in_range(w, rank, p))
        return false;
    if (p.slot == SLOT_IN || (p.slot == SLOT_OUT && !collective_writes(s->collective, rank, s->root)))
        return object(w, rank, "writes %s", slot_name(p.slot, (char[SLOT_TEXT]){0}));
    return true;
}

static bool overlap(const struct world *w, int rank, struct piece a, struct piece b)
{
    return pieces_meet(w->shape, a, b) && (a.slot == b.slot || aliased(w, rank));
}

static void clear_slot(struct world *w, int rank, struct piece p)
{
    for (int64_t i = 0; p.slot >= SLOT_T0 && i < shape_wide(w->shape); i++)
        value_of(w, rank, p, i)->set = false;
}

static void write_block(struct world *w, int rank, struct piece p, int64_t i, struct sim_value x)
{
    x.tag = block_of(w, p, i);
    *value_of(w, rank, p, i) = x;
    if (p.slot == SLOT_OUT && aliased(w, rank))
        value_of(w, rank, (struct piece){SLOT_IN, p.block, p.more}, i)->set = false;
}

static bool fold_block(struct world *w, int rank, const struct step *x, int64_t i)
{
    struct sim_value a = *value_of(w, rank, x->a, i), b = *value_of(w, rank, x->b, i);
    if (!sim_fold(w->shape, &a, &b))
        return object(w, rank, "folds [%lld..%lld] with [%lld..%lld]", (long long)a.lo, (long long)a.hi, (long long)b.lo,
                      (long long)b.hi);
    write_block(w, rank, x->b, i, b);
    return true;
}

static bool act(struct world *w, int rank, const struct step *x)
{
    const bool fold = x->kind == STEP_FOLD, same = overlap(w, rank, x->a, x->b);
    const int64_t n = w->shape->blocks;
    char old[PIECE_TEXT], new[PIECE_TEXT];
    if (!readable(w, rank, x->a) || !writable(w, rank, x->b))
        return false;
    if (x->a.block != x->b.block || x->a.more != x->b.more)
        return object(w, rank, "%s block %s with block %s", fold ? "folds" : "overwrites", piece_text(n, x->b, old),
                      piece_text(n, x->a, new));
    if (fold && !readable(w, rank, x->b))
        return false;
    if (same && fold)
        return object(w, rank, "folds a block with itself");
    if (same && x->a.slot == x->b.slot)
        return object(w, rank, "copies a block onto itself");
    if (!fold)
        clear_slot(w, rank, x->b);
    for (int64_t i = 0; i <= x->a.more; i++) {
        if (fold && !fold_block(w, rank, x, i))
            return false;
        if (!fold && same) /* in place: IN stays valid until OUT changes */
            *value_of(w, rank, x->b, i) = *value_of(w, rank, x->a, i);
        else if (!fold)
            write_block(w, rank, x->b, i, *value_of(w, rank, x->a, i));
    }
    return true;
}

static bool stretch(struct world *w, int rank, struct piece p)
{
    if (p.slot < SLOT_T0 && p.block + p.more >= w->shape->blocks)
        return object(w, rank, "exchanges blocks around the end of %s", slot_name(p.slot, (char[SLOT_TEXT]){0}));
    return true;
}

static bool legal(struct world *w, int rank, const struct step *x)
{
    int p = w->shape->ranks;
    if (x->to < NOBODY || x->to >= p || x->from < NOBODY || x->from >= p || x->to == rank || x->from == rank)
        return object(w, rank, "step %lld: no peer %d or %d", (long long)x->when, x->to, x->from);
    if (x->to == NOBODY && x->from == NOBODY)
        return object(w, rank, "step %lld is empty", (long long)x->when);
    if (w->g->simplex && x->to != NOBODY && x->from != NOBODY)
        return object(w, rank, "step %lld sends and receives at once", (long long)x->when);
    if (x->when <= w->rank[rank].last)
        return object(w, rank, "step %lld follows step %lld", (long long)x->when, (long long)w->rank[rank].last);
    if (x->to != NOBODY && (!readable(w, rank, x->a) || !stretch(w, rank, x->a)))
        return false;
    if (x->from != NOBODY && (!writable(w, rank, x->b) || !stretch(w, rank, x->b)))
        return false;
    if (x->to != NOBODY && x->from != NOBODY && overlap(w, rank, x->a, x->b))
        return object(w, rank, "step %lld receives into what it sends", (long long)x->when);
    return true;
}

static bool nodes_differ(const struct shape *s, int a, int b)
{
    return s->node_ranks > 0 && a / s->node_ranks != b / s->node_ranks;
}

static bool place_has(const struct world *w, int row, int rank)
{
    const struct place *place = &w->shape->places->place[row];
    return place->first <= rank && rank < place->end;
}

static void cross(struct world *w, int from, int to, int64_t blocks)
{
    for (int row = w->row[from]; !place_has(w, row, to); row = w->around[row])
        w->crossed[row].out += blocks;
    for (int row = w->row[to]; !place_has(w, row, from); row = w->around[row])
        w->crossed[row].in += blocks;
}

static void keep_most(struct boundary *most, const struct boundary *x)
{
    most->in = x->in > most->in ? x->in : most->in;
    most->out = x->out > most->out ? x->out : most->out;
}

static bool meet(struct world *w, int from, int to)
{
    struct rank *s = &w->rank[from], *r = &w->rank[to];
    const int64_t n = w->shape->blocks;
    char sent[PIECE_TEXT], received[PIECE_TEXT];
    if (s->step.when != r->step.when)
        return object(w, from, "sends in step %lld what rank %d receives in step %lld", (long long)s->step.when, to,
                      (long long)r->step.when);
    if (s->step.a.block != r->step.b.block || s->step.a.more != r->step.b.more)
        return object(w, from, "sends block %s where rank %d receives block %s", piece_text(n, s->step.a, sent), to,
                      piece_text(n, r->step.b, received));
    const int64_t blocks = s->step.a.more + 1;
    clear_slot(w, to, r->step.b);
    for (int64_t i = 0; i < blocks; i++)
        write_block(w, to, r->step.b, i, *value_of(w, from, s->step.a, i));
    int64_t end = (s->ready > r->ready ? s->ready : r->ready) + 1;
    s->send = r->recv = false;
    if (s->until < end)
        s->until = end;
    if (r->until < end)
        r->until = end;
    if (!s->recv)
        w->todo[w->todos++] = from;
    if (!r->send)
        w->todo[w->todos++] = to;
    w->v->messages++;
    if (nodes_differ(w->shape, from, to)) {
        w->v->crossing += blocks;
        s->talks = r->talks = true;
    }
    if (w->crossed)
        cross(w, from, to, blocks);
    return true;
}

static bool advance(struct world *w, int me)
{
    struct rank *r = &w->rank[me];
    struct step x;
    r->ready = r->until;
    for (;;) {
        if (!w->g->next(w->g->self, &r->walk, &x, me)) {
            r->done = true;
            return true;
        }
        if (x.kind == STEP_EXCHANGE)
            break;
        if (!step_acts(&x) || x.kind == STEP_FOLD_INTO)
            return object(w, me, "takes a step that needs a segment");
        if (!act(w, me, &x))
            return false;
    }
    if (!legal(w, me, &x))
        return false;
    r->step = x;
    r->last = x.when;
    r->send = x.to != NOBODY;
    r->recv = x.from != NOBODY;
    if (r->send && w->rank[x.to].recv && w->rank[x.to].step.from == me && !meet(w, me, x.to))
        return false;
    if (r->recv && w->rank[x.from].send && w->rank[x.from].step.to == me && !meet(w, x.from, me))
        return false;
    return true;
}

static void begin_rank(struct world *w, int rank)
{
    const struct shape *s = w->shape;
    w->rank[rank].last = -1;
    for (int64_t j = 0; j < s->blocks; j++)
        if (collective_reduces(s->collective))
            *value_of(w, rank, (struct piece){.slot = SLOT_IN}, j) = sim_operand(rank);
        else if (collective_source(s->collective, rank, s->root))
            *value_of(w, rank, (struct piece){.slot = SLOT_OUT}, j) = sim_block(j);
    w->g->start(w->g->self, &w->rank[rank].walk, s, rank);
}

static bool finished(struct world *w, int rank)
{
    for (int64_t j = 0; j < w->shape->blocks; j++)
        if (!sim_right(w->shape, w->weights, rank, j, value_of(w, rank, (struct piece){.slot = SLOT_OUT}, j)))
            return object(w, rank, "block %lld of the result is wrong", (long long)j);
    return true;
}

static bool run_all(struct world *w)
{
    int p = w->shape->ranks, talkers = 0;
    for (int i = p - 1; i >= 0; i--) {
        begin_rank(w, i);
        w->todo[w->todos++] = i;
    }
    while (w->todos > 0)
        if (!advance(w, w->todo[--w->todos]))
            return false;
    for (int i = 0; i < p; i++) {
        const struct rank *r = &w->rank[i];
        if (!r->done)
            return object(w, i, "deadlock in step %lld (to %d, from %d)", (long long)r->step.when,
                          r->send ? r->step.to : NOBODY, r->recv ? r->step.from : NOBODY);
        if (!finished(w, i))
            return false;
        if (w->v->rounds < r->ready)
            w->v->rounds = r->ready;
        talkers = i > 0 && !nodes_differ(w->shape, i - 1, i) ? talkers + r->talks : r->talks;
        if (w->v->talkers < talkers)
            w->v->talkers = talkers;
    }
    for (int row = 1; w->crossed && row < w->shape->places->rows; row++) {
        int level = 0;
        for (int around = w->around[row]; around > 0; around = w->around[around])
            level++;
        assert(level < BOUNDARIES);
        keep_most(place_has(w, row, w->shape->root) ? &w->v->with_root[level] : &w->v->without_root[level],
                  &w->crossed[row]);
    }
    return true;
}

static bool begin_places(struct world *w)
{
    const struct places *t = w->shape->places;
    if (!t)
        return true;
    w->crossed = calloc((size_t)t->rows, sizeof *w->crossed);
    w->around = calloc((size_t)t->rows, sizeof *w->around);
    w->row = calloc((size_t)w->shape->ranks, sizeof *w->row);
    if (!w->crossed || !w->around || !w->row)
        return false;
    for (int row = 0; row < t->rows; row++) {
        for (int part = places_part(row); part < t->place[row].next; part = t->place[part].next)
            w->around[part] = row;
        if (places_parts(t, row) == 0)
            w->row[t->place[row].first] = row;
    }
    return true;
}

bool simulate(const struct generator *g, const struct shape *shape, bool in_place, struct verdict *v)
{
    size_t p = (size_t)shape->ranks;
    struct world w = {.g = g, .shape = shape, .in_place = in_place, .v = v};
    *v = (struct verdict){0};
    w.rank = calloc(p, sizeof *w.rank);
    w.value = calloc(p * (size_t)values(shape), sizeof *w.value);
    w.todo = calloc(2 * p, sizeof *w.todo);
    w.weights = sim_weights(shape->ranks);
    if (w.rank && w.value && w.todo && w.weights && begin_places(&w))
        v->ok = run_all(&w);
    else
        object(&w, 0, "not enough memory to simulate");
    free(w.rank);
    free(w.value);
    free(w.todo);
    free(w.weights);
    free(w.crossed);
    free(w.around);
    free(w.row);
    return v->ok;
}
