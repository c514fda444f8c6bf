/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls by engine `lanes` on nodes of many layouts, and their runs on abstract values: the stages of all ranks as they stand
 * on a tape, on which a test may change them.
 */
#ifndef TESTS_STAGED_H
#define TESTS_STAGED_H

#include "lanes.h"
#include "suite.h"

enum { NODES = 5, NODE_RANKS = 4, RANKS = NODES * NODE_RANKS, SLICES = 2 * NODE_RANKS, PARTS = SLICES * STAGE_PHASES };

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

struct layout {
    int first[NODES + 1], rank[RANKS], position[RANKS], node[RANKS];
    struct node_list list;
};

struct call {
    struct lanes lanes;
    int root;
    uint32_t in_place; /* ranks that pass MPI_IN_PLACE, as bits */
};

/* Fills node after node, or deals the ranks out to all nodes with room in turn. */
static void lay_out(struct layout *l, const int *size, int nodes, bool dealt)
{
    int has[NODES] = {0}, p = 0;
    for (int n = 0; n < nodes; n++) {
        l->first[n] = p;
        p += size[n];
    }
    l->first[nodes] = p;
    for (int r = 0, n = dealt ? nodes - 1 : 0; r < p; r++) {
        for (n = dealt ? (n + 1) % nodes : n; has[n] == size[n];)
            n = (n + 1) % nodes;
        l->node[r] = n;
        l->position[r] = l->first[n] + has[n]++;
        l->rank[l->position[r]] = r;
    }
    l->list = (struct node_list){p, nodes, l->first, l->rank, l->position, l->node, NULL};
}

/* All calls of a collective on these nodes. */
static int for_kind(enum collective c, bool ordered, const struct node_list *nodes, int least,
                    void (*check)(const struct call *))
{
    static const uint32_t in_place[] = {0, ~0u, 0x55555555};
    const int most = lanes_one(c, ordered) ? 1 : least;
    int calls = 0;
    for (int root = 0; root < (collective_rooted(c) ? nodes->ranks : 1); root++)
        for (int lanes = 1; lanes <= most; lanes++)
            for (int chunks = 1; chunks <= 2; chunks++)
                for (size_t i = 0; i < (collective_reduces(c) ? COUNT(in_place) : 1); i++, calls++)
                    check(&(struct call){
                        {c, ordered, node_rank_of(nodes, root), lanes, lanes * chunks, nodes}, root, in_place[i]});
    return calls;
}

/* All calls on so many nodes of 2 to `most` ranks each. Returns their number. */
static int for_calls(int nodes, int most, void (*check)(const struct call *))
{
    struct layout l;
    int size[NODES] = {2, 2, 2, 2, 2}, calls = 0;
    for (int n = 0; n < nodes;) {
        int least = size[0];
        for (n = 1; n < nodes; n++)
            least = size[n] < least ? size[n] : least;
        for (int dealt = 0; dealt <= 1; dealt++)
            for (enum collective c = 0; c < COLLECTIVES; c++)
                for (int ordered = 0; ordered <= (collective_reduces(c) && !dealt); ordered++) {
                    lay_out(&l, size, nodes, dealt);
                    calls += dealt && collective_prefix(c) ? 0 : for_kind(c, ordered, &l.list, least, check);
                }
        for (n = 0; n < nodes && ++size[n] > most; n++)
            size[n] = 2;
    }
    return calls;
}

/* ---- A run ----------------------------------------------------------------------------------------------------------- */

/* A rank's part in a stage. */
struct part {
    int64_t number;
    struct stage s;
};

struct tape {
    struct part part[RANKS][PARTS + 1]; /* a mutator may add one */
    int parts[RANKS];
};

/* The ranks whose operands are combined, as bits; 0: undefined. */
typedef uint32_t value;

struct memory {
    value in[SLICES], out[SLICES], held;
    int64_t slice; /* which `held` belongs to */
};

struct run {
    const struct call *call;
    const struct tape *tape;
    int next[RANKS];
    struct memory memory[RANKS];
    const char *error; /* the first one; NULL: none */
};

/* The number of the stage at a place in the order in which stages are to run. */
typedef int64_t order(const struct lanes *l, int64_t place);

static int64_t in_order(const struct lanes *l, int64_t place)
{
    (void)l;
    return place;
}

static void record_rank(struct tape *t, const struct lanes *l, int rank, order *number)
{
    const int64_t stages = lanes_stages(l);
    t->parts[rank] = 0;
    for (int64_t i = 0; i < stages; i++) {
        struct part *x = &t->part[rank][t->parts[rank]];
        x->number = i;
        t->parts[rank] += lanes_stage(l, node_rank_of(l->nodes, rank), number(l, i), &x->s);
    }
}

static void record(struct tape *t, const struct lanes *l, order *number)
{
    for (int rank = 0; rank < l->nodes->ranks; rank++)
        record_rank(t, l, rank, number);
}

static void fails(struct run *r, const char *why)
{
    r->error = r->error ? r->error : why;
}

static bool in_place(const struct call *c, int rank)
{
    return c->in_place >> rank & 1 && collective_in_place(c->lanes.collective, rank, c->root);
}

static value read_value(struct run *r, int rank, enum stage_buffer from, int64_t slice)
{
    const struct memory *m = &r->memory[rank];
    const value v = from == BUFFER_HELD                             ? (m->slice == slice ? m->held : 0)
                    : from == BUFFER_OUT || in_place(r->call, rank) ? m->out[slice]
                                                                    : m->in[slice];
    if (!v)
        fails(r, "reads what nobody has written");
    return v;
}

static void write_value(struct run *r, int rank, enum stage_buffer to, int64_t slice, value v)
{
    struct memory *m = &r->memory[rank];
    if (to == BUFFER_HELD) {
        m->held = v;
        m->slice = slice;
    } else if (to == BUFFER_IN && !in_place(r->call, rank))
        fails(r, "writes in");
    else if (!collective_writes(r->call->lanes.collective, rank, r->call->root))
        fails(r, "writes out");
    else
        m->out[slice] = v;
}

/* a (+) b. If the order counts, the ranks of b follow those of a. */
static value combined(struct run *r, value a, value b)
{
    if (a & b)
        fails(r, "combines an operand twice");
    else if (r->call->lanes.ordered && a && b && (value)1 << (32 - __builtin_clz(a)) != (b & -b))
        fails(r, "combines out of order");
    return a | b;
}

static bool same_stage(const struct stage *a, const struct stage *b)
{
    return a->phase == b->phase && a->group == b->group && a->collective == b->collective && a->root == b->root &&
           a->slice == b->slice;
}

static const struct part *part_of(const struct run *r, int rank)
{
    return r->next[rank] < r->tape->parts[rank] ? &r->tape->part[rank][r->next[rank]] : NULL;
}

/* Sets the ranks of the group that performs a stage of this rank; returns their number. */
static int members_of(const struct lanes *l, int rank, const struct stage *s, int *member)
{
    const struct node_list *nodes = l->nodes;
    const int node = nodes->node[rank], first = nodes->first[node];
    int count = 0;
    if (s->group == GROUP_LANE)
        for (int n = 0; n < nodes->nodes; n++)
            member[count++] = node_list_rank(nodes, n, lanes_member(l, n, (int)(s->slice % l->lanes)));
    else
        for (int i = first; i < nodes->first[node + 1]; i++)
            member[count++] = nodes->rank[i];
    return count;
}

static void run_alone(struct run *r, int rank, const struct stage *s)
{
    value v = read_value(r, rank, BUFFER_HELD, s->slice);
    if (s->phase == STAGE_ADD)
        v = combined(r, v, read_value(r, rank, BUFFER_IN, s->slice));
    else if (s->phase != STAGE_KEEP)
        fails(r, "does nothing alone in this phase");
    write_value(r, rank, BUFFER_OUT, s->slice, v);
}

static void run_group(struct run *r, const int *member, int count)
{
    const struct stage *s = &part_of(r, member[0])->s, *mine[RANKS];
    const enum collective c = s->collective;
    value sum[RANKS + 1] = {0}, moved = 0;
    for (int i = 0; i < count; i++) {
        mine[i] = &part_of(r, member[i])->s;
        if (!same_stage(s, mine[i]))
            fails(r, "ranks of a stage disagree");
    }
    if (c != lanes_collective(r->call->lanes.collective, s->phase) || s->root < 0 || s->root >= count)
        fails(r, "no such stage");
    if (r->error)
        return;
    if (!collective_reduces(c))
        moved = read_value(r, member[s->root], mine[s->root]->to, s->slice);
    else
        for (int i = 0; i < count; i++)
            sum[i + 1] = combined(r, sum[i], read_value(r, member[i], mine[i]->from, s->slice));
    for (int i = 0; i < count; i++)
        if (collective_writes(c, i, s->root))
            write_value(r, member[i], mine[i]->to, s->slice,
                        collective_reduces(c) ? sum[collective_last(c, i, count) + 1] : moved);
}

/* Runs the stage that the rank has come to if all ranks of its group have come to it. */
static bool advance(struct run *r, int rank)
{
    const struct part *x = part_of(r, rank), *other;
    int member[RANKS], count = 1;
    if (!x)
        return false;
    member[0] = rank;
    if (x->s.group != GROUP_SELF)
        count = members_of(&r->call->lanes, rank, &x->s, member);
    for (int i = 0; i < count; i++)
        if (!(other = part_of(r, member[i])) || other->number != x->number || other->s.group != x->s.group)
            return false;
    if (x->s.group == GROUP_SELF)
        run_alone(r, rank, &x->s);
    else
        run_group(r, member, count);
    for (int i = 0; i < count; i++)
        r->next[member[i]]++;
    return true;
}

static value expected(const struct call *c, int rank)
{
    const enum collective k = c->lanes.collective;
    const int last = collective_last(k, rank, c->lanes.nodes->ranks);
    return collective_reduces(k) ? ((value)1 << (last + 1)) - 1 : (value)1 << c->root;
}

/* Runs the call. Returns what is wrong, or NULL. */
static const char *run(const struct call *c, const struct tape *t)
{
    const int p = c->lanes.nodes->ranks;
    struct run r = {.call = c, .tape = t};
    for (int rank = 0; rank < p; rank++)
        for (int i = 0; i < c->lanes.slices; i++) {
            struct memory *m = &r.memory[rank];
            const bool out = in_place(c, rank) || collective_source(c->lanes.collective, rank, c->root);
            m->in[i] = collective_reduces(c->lanes.collective) ? (value)1 << rank : 0;
            m->out[i] = out ? (value)1 << rank : 0;
        }
    for (bool any = true; any && !r.error;) {
        any = false;
        for (int rank = 0; rank < p; rank++)
            any = advance(&r, rank) || any;
    }
    for (int rank = 0; rank < p; rank++) {
        if (part_of(&r, rank))
            fails(&r, "deadlock");
        for (int i = 0; i < c->lanes.slices; i++)
            if (collective_writes(c->lanes.collective, rank, c->root) && r.memory[rank].out[i] != expected(c, rank))
                fails(&r, "wrong result");
    }
    return r.error;
}

static const char *text_of(const struct call *c, char text[160])
{
    const struct node_list *n = c->lanes.nodes;
    snprintf(text, 160, "%s%s of %d ranks on %d nodes%s, root %d, %d lanes, %d slices, in place %#x",
             c->lanes.ordered ? "ordered " : "", collective_name(c->lanes.collective), n->ranks, n->nodes,
             n->node[1] ? ", dealt out" : "", c->root, c->lanes.lanes, (int)c->lanes.slices, c->in_place);
    return text;
}

#endif
