/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator finds no race, deadlock or wrong result in rows of short composed calls, whatever the nodes, their ranks,
 * the ports, the collectives, the roots and the sizes of cells are. A call is a stage between nodes by multiport, with
 * stages on the nodes before and after it.
 */
#include "fuzz.h"
#include "own_memory.h"
#include "simulate.h"

enum { NODES = 18, SIZE = 6, MOST_CALLS = 4, STAGES = 3 * MOST_CALLS, SPOTS = 8 };

struct fuzz_stage {
    const struct engine *engine;
    struct shape shape[NODES];
};

static struct fuzz_row {
    struct fuzz_stage stage[STAGES];
    struct generator generator[STAGES];
    struct segment_call call[STAGES];
    int count;
} row;

static void start(void *self, struct walk *w, const struct shape *shape, int rank)
{
    const struct fuzz_stage *x = self;
    engine_walk(x->engine, w, shape, rank);
}

static bool next(void *self, struct walk *w, struct step *step, int rank)
{
    (void)self, (void)rank;
    return walk_next(w, step);
}

static struct shape *add(struct bytes *b, const char *engine)
{
    const int at = row.count++;
    const int width = 1 << take_number(b, 0, 2);
    row.stage[at].engine = engine_find(engine);
    row.generator[at] = (struct generator){.start = start, .next = next, .self = &row.stage[at]};
    row.call[at] = (struct segment_call){.generator = &row.generator[at],
                                         .shape = row.stage[at].shape,
                                         .in_place = take_byte(b) % 2,
                                         .width = width,
                                         .small = width == 1 && take_byte(b) % 2};
    return row.stage[at].shape;
}

/* A stage on each node, to or from the rank `leader` of the root's node, and rank 0 of the others. */
static void add_on_nodes(struct bytes *b, const struct node_list *l, enum collective c, bool ordered, int root, int leader)
{
    struct shape *shape = add(b, c == COLL_REDUCE && take_byte(b) % 2 ? "node-flat" : "node-tree");
    for (int n = 0; n < l->nodes; n++)
        shape[n] = (struct shape){.collective = c,
                                  .ordered = ordered,
                                  .ranks = l->first[n + 1] - l->first[n],
                                  .root = n == root ? leader : 0,
                                  .blocks = 1,
                                  .wide = 1,
                                  .depth = 2};
}

static void add_between(struct bytes *b, const struct node_list *l, enum collective c, bool ordered, int root, int leader,
                        int least)
{
    const int ports = take_number(b, 1, least);
    struct shape *shape = add(b, "multiport");
    row.call[row.count - 1].small = false;
    for (int n = 0; n < l->nodes; n++)
        shape[n] = (struct shape){.collective = c,
                                  .ordered = ordered,
                                  .ranks = l->nodes,
                                  .root = root,
                                  .readers = c == COLL_REDUCE || c == COLL_EXSCAN ? READERS_ONE : READERS_ALL,
                                  .reader = n == root ? leader : 0,
                                  .blocks = l->nodes,
                                  .wide = l->nodes,
                                  .depth = 2,
                                  .ports = {.most = least, .used = ports, .ranks = l->first[n + 1] - l->first[n]}};
}

/* The stages of a composed call. Scans have an exclusive scan between nodes. */
static void add_call(struct bytes *b, const struct node_list *l, int least)
{
    const enum collective c = (enum collective)take_number(b, 0, COLLECTIVES - 1);
    const bool prefix = collective_prefix(c), ordered = collective_reduces(c) && take_byte(b) % 2;
    const int root = collective_rooted(c) ? take_number(b, 0, l->nodes - 1) : 0;
    const int leader = collective_rooted(c) ? take_number(b, 0, l->first[root + 1] - l->first[root] - 1) : 0;
    if (collective_reduces(c))
        add_on_nodes(b, l, COLL_REDUCE, ordered, root, leader);
    add_between(b, l, prefix ? COLL_EXSCAN : c, ordered, root, leader, least);
    if (prefix)
        add_on_nodes(b, l, c, ordered, root, leader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, size};
    const int count = take_number(&b, 2, NODES), calls = take_number(&b, 1, MOST_CALLS), group = take_number(&b, 1, 3);
    int node[NODES * SIZE], ranks = 0, least = SIZE;
    for (int n = 0; n < count; n++) {
        const int of_node = take_number(&b, 2, SIZE);
        least = of_node < least ? of_node : least;
        for (int i = 0; i < of_node; i++)
            node[ranks++] = n;
    }
    struct node_list *l = node_list_new(node, ranks);
    MUST(l, "no memory");
    row.count = 0;
    for (int i = 0; i < calls; i++)
        add_call(&b, l, least);
    struct verdict v;
    MUST(simulate_segments(row.call, row.count, SPOTS, group, l, &v), "%d calls on %d nodes of %d ranks in all: %s", calls,
         count, ranks, v.why);
    own_memory_free(l);
    return 0;
}
