/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages between nodes of the engine multiport, with stages on nodes before and after them, as in a composed call: the
 * simulator finds no race, no deadlock and no wrong result, however many nodes and ports there are. It notices if a rank
 * leaves out one of the awaits that it needs, if a port is missing, or if it sends what has not come yet.
 */
#include "cell.h"
#include "own_memory.h"
#include "schedules.h"
#include "suite.h"

enum { NODES = 28, SIZE = 5, SETS = 3, CALLS = 3 * SETS };

static struct node_list *nodes;
static int smallest;

/* Sets `nodes` to `count` nodes of 2 to `most` ranks, drawn at random. */
static void lay_out(int count, int most)
{
    int node[NODES * SIZE], ranks = 0;
    smallest = SIZE;
    for (int n = 0; n < count; n++) {
        const int size = 2 + below(most - 1);
        smallest = size < smallest ? size : smallest;
        for (int i = 0; i < size; i++)
            node[ranks++] = n;
    }
    own_memory_free(nodes);
    nodes = node_list_new(node, ranks);
    ck_assert_ptr_nonnull(nodes);
}

struct stage_call {
    const struct engine *engine;
    struct shape shape[NODES];
    int lacks;    /* the rank that leaves out a step; NOBODY: none does */
    int from, at; /* the kind of its step, which is number `at` of that kind */
    int seen, left_out;
};

static void start(void *self, struct walk *w, const struct shape *shape, int rank)
{
    const struct stage_call *c = self;
    engine_walk(c->engine, w, shape, rank);
}

static bool next(void *self, struct walk *w, struct step *step, int rank)
{
    struct stage_call *c = self;
    while (walk_next(w, step)) {
        if (rank != c->lacks || (int)step->kind != c->from || c->seen++ != c->at)
            return true;
        c->left_out++;
    }
    return false;
}

static struct sequence {
    struct stage_call stage[CALLS];
    struct generator generator[CALLS];
    struct segment_call call[CALLS];
    int count;
} sequence;

static struct stage_call *add(const struct engine *e)
{
    const int at = sequence.count++;
    ck_assert_int_lt(at, CALLS);
    sequence.stage[at] = (struct stage_call){.engine = e, .lacks = NOBODY};
    sequence.generator[at] = (struct generator){.start = start, .next = next, .self = &sequence.stage[at]};
    sequence.call[at] =
        (struct segment_call){&sequence.generator[at], sequence.stage[at].shape, below(2), 1 << below(2), false};
    return &sequence.stage[at];
}

/* Adds a stage on all nodes, to or from the rank `leader` of node `at`, and rank 0 of the others. */
static void add_on_nodes(const char *engine, enum collective c, bool ordered, int at, int leader)
{
    struct stage_call *x = add(engine_find(engine));
    for (int n = 0; n < nodes->nodes; n++)
        x->shape[n] = (struct shape){.collective = c,
                                     .ordered = ordered,
                                     .ranks = nodes->first[n + 1] - nodes->first[n],
                                     .root = n == at ? leader : 0,
                                     .blocks = 1,
                                     .wide = 1,
                                     .depth = 2};
}

static struct stage_call *add_ports(enum collective c, bool ordered, int root, int leader, int ports)
{
    struct stage_call *x = add(engine_find("multiport"));
    for (int n = 0; n < nodes->nodes; n++)
        x->shape[n] =
            (struct shape){.collective = c,
                           .ordered = ordered,
                           .ranks = nodes->nodes,
                           .root = root,
                           .readers = c == COLL_REDUCE || c == COLL_EXSCAN ? READERS_ONE : READERS_ALL,
                           .reader = n == root ? leader : 0,
                           .blocks = nodes->nodes,
                           .wide = nodes->nodes,
                           .depth = 2,
                           .ports = {.most = smallest, .used = ports, .ranks = nodes->first[n + 1] - nodes->first[n]}};
    return x;
}

static const char *text_of(const struct stage_call *x)
{
    static char text[160];
    const struct shape *s = x->shape;
    snprintf(text, sizeof text, "%s%s, %d nodes, %d ranks, %d ports, root %d", collective_name(s->collective),
             s->ordered ? " in order" : "", nodes->nodes, nodes->ranks, s->ports.used, s->root);
    return text;
}

static bool right(struct verdict *v)
{
    for (int i = 0; i < sequence.count; i++)
        sequence.stage[i].seen = 0;
    return simulate_segments(sequence.call, sequence.count, 8, 1 + below(3), nodes, v);
}

/* Calls of one sort in a row, with stages on the nodes before and after. Returns one of the stages between nodes. */
static struct stage_call *check_calls(enum collective c, bool ordered, int root, int ports)
{
    struct stage_call *x = NULL;
    struct verdict v;
    const int leader = collective_rooted(c) ? below(nodes->first[root + 1] - nodes->first[root]) : 0;
    sequence.count = 0;
    for (int i = 0; i < SETS; i++) {
        if (collective_reduces(c))
            add_on_nodes(below(2) ? "node-flat" : "node-tree", COLL_REDUCE, ordered, root, leader);
        x = add_ports(c, ordered, root, leader, ports);
        if (collective_prefix(c))
            add_on_nodes("node-tree", COLL_SCAN, ordered, root, leader);
    }
    REQUIRE(right(&v), "%s: %s", text_of(x), v.why);
    return x;
}

static void check_nodes(void (*check)(enum collective c, bool ordered, int root, int ports))
{
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (int ordered = 0; ordered <= collective_reduces(c); ordered++)
            for (int root = 0; c != COLL_SCAN && root < (collective_rooted(c) ? nodes->nodes : 1); root++)
                for (int ports = 1; ports <= smallest; ports++)
                    check(c, ordered, root, ports);
}

static void check_one(enum collective c, bool ordered, int root, int ports)
{
    check_calls(c, ordered, root, ports);
}

START_TEST(all_numbers_of_nodes)
{
    for (int count = 2; count <= 10; count++) {
        lay_out(count, 2 + count % (SIZE - 1));
        check_nodes(check_one);
    }
    const int more[] = {16, 17, 26, NODES};
    for (size_t i = 0; i < COUNT(more); i++) {
        lay_out(more[i], SIZE);
        for (int ports = 1; ports <= smallest; ports++) {
            check_calls(COLL_ALLREDUCE, true, 0, ports);
            check_calls(COLL_EXSCAN, true, 0, ports);
            check_calls(COLL_REDUCE, true, below(more[i]), ports);
            check_calls(COLL_BCAST, false, below(more[i]), ports);
        }
    }
}

static int missed[STEP_LEAVE + 1], mutants[STEP_LEAVE + 1];

/*
 * Leaves out one step of one rank. Some awaits are not needed, as another one implies them, and some turns, as the rank soon
 * tells a later one.
 */
static void mutate(enum collective c, bool ordered, int root, int ports)
{
    static const enum step_kind kinds[] = {STEP_EXCHANGE, STEP_AWAIT, STEP_TELL, STEP_COPY, STEP_FOLD};
    struct stage_call *x = check_calls(c, ordered, root, ports);
    struct verdict v;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (int rank = 0; rank < nodes->ranks; rank++) {
            x->from = (int)kinds[i];
            x->lacks = rank;
            for (x->at = 0;; x->at++) {
                x->left_out = 0;
                const bool found = !right(&v);
                if (!x->left_out)
                    break;
                mutants[kinds[i]]++;
                missed[kinds[i]] += !found;
            }
        }
    x->lacks = NOBODY;
}

START_TEST(steps_left_out)
{
    for (int count = 3; count <= 5; count++) {
        lay_out(count, 4);
        check_nodes(mutate);
    }
    ck_assert_int_eq(missed[STEP_EXCHANGE] + missed[STEP_FOLD] + missed[STEP_COPY], 0);
    ck_assert_int_gt(mutants[STEP_EXCHANGE], 500);
    ck_assert_int_gt(mutants[STEP_AWAIT], 3 * missed[STEP_AWAIT]);
    ck_assert_int_gt(mutants[STEP_TELL], missed[STEP_TELL]);
}

SUITE("multiport", 120)
