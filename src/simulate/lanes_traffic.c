/* SPDX-License-Identifier: BSD-2-Clause */
/* See simulate_lanes.h. By each rank's schedules. */
#include "simulate_lanes.h"

static const char *const on_nodes[COLLECTIVES] = {
    [COLL_BCAST] = "node-copy", [COLL_REDUCE] = "node-line", [COLL_SCAN] = "node-prefixes", [COLL_EXSCAN] = "node-prefixes"};
static const char *const between_nodes[COLLECTIVES] = {
    [COLL_BCAST] = "chain", [COLL_REDUCE] = "ring", [COLL_EXSCAN] = "chain", [COLL_ALLREDUCE] = "butterfly"};

static int64_t blocks_sent(const struct step *x, int to, struct piece piece)
{
    return x->kind == STEP_EXCHANGE && to != NOBODY ? piece.more + 1 : 0;
}

static int node_ranks(const struct lanes *l, int node)
{
    return l->nodes->first[node + 1] - l->nodes->first[node];
}

static void add_stage(struct lanes_traffic *t, const struct lanes *l, const struct stage *s, const struct engine *between,
                      struct node_rank self)
{
    const bool inside = lanes_group(s->phase) == GROUP_NODE;
    const int ranks = inside ? node_ranks(l, self.node) : l->nodes->nodes, at = inside ? self.index : self.node;
    const enum collective c = lanes_collective(l->collective, s->phase);
    const bool ports = l->ports && !inside;
    const int roots = s->slices > 1 ? s->slices : 0;
    struct shape shape = {.collective = c,
                          .ordered = l->ordered,
                          .ranks = ranks,
                          .root = collective_rooted(c) ? s->root : 0,
                          .roots = roots,
                          .readers = s->readers,
                          .reader = s->reader,
                          .blocks = 2 * (roots ? roots : ranks),
                          .depth = inside || ports ? SEGMENT_DEPTH : 0};
    const char *const name = roots && c == COLL_REDUCE ? "node-ring" : on_nodes[c];
    const char *const message = ports ? "multiport" : between_nodes[c];
    const struct engine *e = inside ? engine_find(name) : between ? between : engine_find(message);
    double share = s->slices / ((double)shape.blocks * (double)l->slices);
    struct walk walk;
    struct step x;
    if (ports) {
        shape.ports = (struct ports){l->ports, l->ports, self.index, node_ranks(l, self.node)};
        shape.blocks = shape.wide = ranks;
        share = 1;
    }
    engine_walk(e, &walk, &shape, at);
    while (walk_next(&walk, &x)) {
        t->in += share * (double)blocks_sent(&x, x.from, x.b);
        t->out += share * (double)blocks_sent(&x, x.to, x.a);
        if (step_acts(&x))
            t->moved += share * (x.kind == STEP_COPY ? 2 : 3) * (double)(x.a.more + 1);
    }
}

static void add_rank(struct lanes_traffic *t, const struct lanes *l, const struct engine *between, struct node_rank self)
{
    const int64_t stages = lanes_stages(l);
    struct stage s;
    for (int64_t i = 0; i < stages; i++) {
        if (!lanes_stage(l, self, i, &s))
            continue;
        if (lanes_group(s.phase) == GROUP_SELF)
            t->moved += (s.phase == STAGE_ADD ? 5 : 2) / (double)l->slices;
        else
            add_stage(t, l, &s, between, self);
    }
}

struct lanes_traffic lanes_traffic(const struct lanes *l, const struct engine *between)
{
    const struct node_list *nodes = l->nodes;
    struct lanes_traffic most = {0};
    for (int n = 0; n < nodes->nodes; n++) {
        struct lanes_traffic t = {0};
        for (int i = 0; i < nodes->first[n + 1] - nodes->first[n]; i++)
            add_rank(&t, l, between, (struct node_rank){n, i});
        most.in = most.in > t.in ? most.in : t.in;
        most.out = most.out > t.out ? most.out : t.out;
        most.moved = most.moved > t.moved ? most.moved : t.moved;
    }
    return most;
}

struct lanes_traffic lanes_traffic_limit(const struct lanes *l)
{
    static const double loads[COLLECTIVES] = {
        [COLL_BCAST] = 2, [COLL_REDUCE] = 3, [COLL_ALLREDUCE] = 5, [COLL_SCAN] = 7, [COLL_EXSCAN] = 7};
    const struct node_list *nodes = l->nodes;
    const double count = nodes->nodes, card = l->collective == COLL_ALLREDUCE ? 2 * (count - 1) / count : 1;
    const double folded = l->collective == COLL_BCAST ? 0 : l->collective == COLL_ALLREDUCE ? card / 2 : 1;
    int ranks = 0;
    for (int n = 0; n < nodes->nodes; n++)
        if (ranks < nodes->first[n + 1] - nodes->first[n])
            ranks = nodes->first[n + 1] - nodes->first[n];
    return (struct lanes_traffic){card, card, loads[l->collective] * ranks + 3 * folded};
}
