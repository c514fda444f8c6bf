/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Latency tree: for short messages, where messages between places take longer than messages inside. doc/trees says more.
 *
 * The problem is that of R. M. Karp, A. Sahay, E. Santos, K. Schauser, "Optimal Broadcast and Summation in the LogP Model",
 * SPAA 1993, for places in places. H. Saito, K. Taura, T. Chikayama, "Collective Operations for Wide-Area Message Passing
 * Systems Using Adaptive Spanning Trees", Grid 2005, describe the machine. Their tree is adaptive_latency.c; the
 * latency tree is at least a fifth faster on that machine.
 *
 * A message between two parts of a place on level l is under way for L_l. Its sender can send again after g, and its
 * receiver needs o = g to take it. A place has a leader: the root if the root lies there, else the leader of the part that
 * takes longest to finish. Every part is finished a known time after its leader has the message and is free. The parts of a
 * place are served by decreasing time to finish. The next sender is the leader that is free first, among those that have
 * the message. Leaders send to other parts first, and then inside their own.
 *
 * In one place of equal ranks this is the optimal tree of Karp et al. Making it takes O(p log p), once for each root.
 *
 * Example, broadcast, places of 3, 2 and 2 ranks, n = 2; the block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/0  -/0  -/0  -/1  -/1  -/1  -/1
 *     rank 1            0/-                 1/-
 *     rank 2                 0/-                 1/-
 *     rank 3  0/-  -/0            1/-  -/1
 *     rank 4       0/-                 1/-
 *     rank 5       0/-  -/0            1/-  -/1
 *     rank 6            0/-                 1/-
 */
#include "any_tree.h"

/*
 * The tree in the making. By rank, free[] says when a leader is free to send, and -finish[] is the time from that moment
 * until the leader's place is finished.
 */
struct builder {
    const struct places *places;
    struct tree *tree;
    double *free, *finish;
    int *leader, leaders; /* a stack of parts' leaders */
    struct heap parts;    /* leaders of the parts that are still to be served, in decreasing time to finish */
    struct heap ready;    /* leaders that have the message */
};

/* Its leader: `root` or, if NOBODY, that of the part that takes longest to finish. */
static int make_place(struct builder *w, int row, int root, int level)
{
    const struct places *x = w->places;
    struct tree *t = w->tree;
    int bottom = w->leaders;
    double finish = 0;
    if (places_single(x, row)) {
        w->finish[x->place[row].first] = 0;
        return x->place[row].first;
    }
    for (int part = places_part(row); part < x->place[row].next; part = x->place[part].next) {
        int leader = make_place(w, part, places_has(x, part, root) ? root : NOBODY, level + 1);
        w->leader[w->leaders++] = leader;
    }
    for (; w->leaders > bottom; w->leaders--)
        if (w->leader[w->leaders - 1] != root)
            heap_add(&w->parts, w->leader[w->leaders - 1]);
    if (root == NOBODY)
        root = heap_pop(&w->parts);
    w->free[root] = 0;
    heap_add(&w->ready, root);
    double cost = x->reach[level].alpha + 2 * x->gap;
    while (w->parts.count > 0) {
        int from = w->ready.rank[0], leader = heap_pop(&w->parts);
        w->leader[w->leaders++] = leader;
        t->parent[leader] = from;
        w->free[leader] = w->free[from] + cost;
        w->free[from] += x->gap;
        heap_settle(&w->ready);
        heap_add(&w->ready, leader);
    }
    /* Leaders serve these parts before parts inside their own: each part, from the last on, becomes the first child. */
    while (w->leaders > bottom) {
        int leader = w->leader[--w->leaders], from = t->parent[leader];
        t->next[leader] = t->child[from];
        t->child[from] = leader;
    }
    while (w->ready.count > 0) {
        int leader = w->ready.rank[--w->ready.count];
        if (finish < w->free[leader] - w->finish[leader])
            finish = w->free[leader] - w->finish[leader];
    }
    w->finish[root] = -finish;
    return root;
}

static void make(struct tree *t, const struct places *places)
{
    struct builder w = {.places = places, .tree = t, .free = t->value[0], .finish = t->value[1], .leader = t->spare[2]};
    w.parts = (struct heap){.rank = t->spare[0], .key = w.finish};
    w.ready = (struct heap){.rank = t->spare[1], .key = w.free};
    for (int v = 0; v < t->ranks; v++)
        t->child[v] = NOBODY;
    make_place(&w, 0, t->root, 0);
    t->next[t->root] = NOBODY;
    t->seconds = -w.finish[t->root];
}

static const struct trees tree = {any_tree_round_bound, .maker = make};

static double first(const struct shape *shape)
{
    return any_tree_first(shape, make);
}

const struct engine engine_latency_tree = {
    .name = "latency-tree",
    .summary = "one tree over nested groups, in which short messages arrive soonest",
    ANY_TREE_SERVES(.trees = &tree, .model.below_if_distant = true, .first = first),
};
