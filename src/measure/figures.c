/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Alpha, beta, gamma and the native calls within a node; see figures.h.
 *
 * A step of an engine is a Sendrecv by all ranks at once. So rings of all ranks of a node are timed, on all nodes together,
 * and then a ring of a rank of each node. The line through the times of a small and a large block gives alpha and beta. In a
 * ring each step waits for the neighbour's last one. Opened to lines, in which ranks before are ahead, they give the gap.
 *
 * Disturbed (sample.h) or impossible measurements become nominal; hop and gap become alpha.
 */
#include "figures.h"

#include "budget.h"
#include "model.h"
#include "native.h"
#include "sample.h"

#include <string.h>

/* Bytes and counts. */
enum {
    SMALL = 4 << 10,
    BEYOND_JUMP = 2 * SMALLEST_BLOCK,
    SHORT_STREAM = 16, /* messages of SMALL bytes, enough to fill the pipeline */
    LONG_STREAM = 64,
    REPEATS = 16,
    /* Least exchanges in a batch. */
    STEADY_SMALL = REPEATS,
    STEADY_LARGE = 8,
};

/* Seconds; a Sendrecv takes longer. */
static const double SHORTEST_GAP = 1e-7;

/* Seconds for further batches after disturbances. */
static const double EXTRA = 50e-3;

static void send_and_receive(struct measurement *w, int to, int from)
{
    pmpi.wire.Sendrecv(w->out, w->bytes, MPI_BYTE, to, 0, w->in, w->bytes, MPI_BYTE, from, 0, w->comm, MPI_STATUS_IGNORE);
}

static void exchange(struct measurement *w)
{
    send_and_receive(w, w->to, w->from);
}

static void stream(struct measurement *w)
{
    int behind = w->from != MPI_PROC_NULL;
    for (int i = 0; i < w->messages + behind; i++)
        send_and_receive(w, i < behind ? MPI_PROC_NULL : w->to, i < w->messages ? w->from : MPI_PROC_NULL);
}

static void fold(struct measurement *w)
{
    pmpi.wire.Reduce_local(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM);
}

static void native(struct measurement *w)
{
    native_call(pmpi.native[w->collective][0], &(struct call){.collective = w->collective,
                                                              .in = w->in,
                                                              .out = w->out,
                                                              .count = w->bytes / (int)sizeof(double),
                                                              .datatype = (argument)MPI_DOUBLE,
                                                              .op = (argument)MPI_SUM,
                                                              .comm = (argument)w->comm});
}

/*
 * Streams through a line of `hops` hops, which *w describes: a gap a message, and the first one's way. gap <= hop <= a step
 * of the ring. If disturbed, both equal alpha.
 */
static void measure_stream(struct measurement *w, int hops, struct figures *f)
{
    w->bytes = SMALL;
    /* One stream a batch: several would be one long stream. */
    w->once = stream;
    w->messages = SHORT_STREAM;
    const struct sample few = sample_measure(w, 1, 1);
    w->messages = LONG_STREAM;
    const struct sample many = sample_measure(w, 1, 1);
    double each = (many.seconds - few.seconds) / (LONG_STREAM - SHORT_STREAM), moving = f->beta * SMALL;
    double gap = each - moving, hop = (few.seconds - SHORT_STREAM * each) / hops - moving;
    bool noisy = few.noisy || many.noisy;
    f->alpha = f->alpha > SHORTEST_GAP ? f->alpha : SHORTEST_GAP;
    f->gap = noisy ? f->alpha : gap > SHORTEST_GAP ? gap : SHORTEST_GAP;
    f->alpha = f->alpha > f->gap ? f->alpha : f->gap;
    f->hop = noisy || hop > f->alpha ? f->alpha : hop > f->gap ? hop : f->gap;
}

/* Returns false if the figures are not credible. */
static bool measure_ring(struct measurement *w, int most, struct figures *f)
{
    w->once = exchange;
    w->bytes = SMALL;
    const struct sample small = sample_measure(w, STEADY_SMALL, REPEATS);
    w->bytes = most;
    const struct sample large = sample_measure(w, STEADY_LARGE, REPEATS);
    f->beta = (large.seconds - small.seconds) / (most - SMALL);
    /* The line at zero bytes. Engines make no steps of a few bytes. */
    f->alpha = small.seconds - f->beta * SMALL;
    w->bytes = BEYOND_JUMP;
    const struct sample middle = sample_measure(w, STEADY_LARGE, REPEATS);
    double jump = middle.seconds - f->alpha - f->beta * w->bytes;
    f->jump = middle.noisy || jump < 0 ? 0 : jump;
    return !small.noisy && !large.noisy && f->beta > 0;
}

/* MPI_PROC_NULL: not in it. */
struct ring {
    int to, from;
    bool first, last;
};

static struct ring ring_on_node(const struct comm *c)
{
    const struct node_list *nodes = c->locality.nodes;
    const struct node_rank own = node_rank_of(nodes, c->rank);
    const int ranks = nodes->first[own.node + 1] - nodes->first[own.node];
    if (ranks == 1)
        return (struct ring){.to = MPI_PROC_NULL, .from = MPI_PROC_NULL};
    return (struct ring){.to = node_list_rank(nodes, own.node, (own.index + 1) % ranks),
                         .from = node_list_rank(nodes, own.node, (own.index + ranks - 1) % ranks),
                         .first = own.index == 0,
                         .last = own.index == ranks - 1};
}

/* Of their first ranks. `order`: a node's ranks together. */
static struct ring ring_of_nodes(const struct comm *c, const int *order)
{
    const struct node_list *nodes = c->locality.nodes;
    const struct node_rank own = node_rank_of(nodes, c->rank);
    const int p = c->ranks;
    int at = 0;
    if (own.index > 0)
        return (struct ring){.to = MPI_PROC_NULL, .from = MPI_PROC_NULL};
    while (order[at] != c->rank)
        at++;
    const int after = at + nodes->first[own.node + 1] - nodes->first[own.node], before = (at + p - 1) % p;
    return (struct ring){.to = order[after % p],
                         .from = node_list_rank(nodes, nodes->node[order[before]], 0),
                         .first = at == 0,
                         .last = after == p};
}

/* By a ring, blocks up to `most` bytes, and by its line. */
static void measure_link(struct measurement *w, const struct ring *ring, int ranks, int most, enum link link,
                         struct measured *found)
{
    w->to = ring->to;
    w->from = ring->from;
    found->noisy[link] = !measure_ring(w, most, &found->figures[link]);
    if (ring->first)
        w->from = MPI_PROC_NULL;
    if (ring->last)
        w->to = MPI_PROC_NULL;
    measure_stream(w, ranks - 1, &found->figures[link]);
}

static void measure_links(struct measurement *w, const struct comm *c, const int *order, struct measured *found)
{
    const struct ring on_node = ring_on_node(c), of_nodes = ring_of_nodes(c, order);
    const struct machine *m = &c->known.machine;
    if (m->node_ranks > 1)
        measure_link(w, &on_node, m->node_ranks, LARGE_NODE, LINK_NODE, found);
    if (m->nodes > 1)
        measure_link(w, &of_nodes, m->nodes, LARGE_NETWORK, LINK_NETWORK, found);
}

static void measure_gamma(struct measurement *w, struct figures figures[LINKS])
{
    w->once = fold;
    w->bytes = SMALL;
    const struct sample s = sample_measure(w, 1, REPEATS);
    for (int link = 0; link < LINKS; link++)
        figures[link].gamma = s.noisy ? nominal_figures[link].gamma : s.seconds / SMALL;
}

/* Nominal figures for disturbed ones, the other link's for an absent one. */
static void complete(const struct machine *m, struct measured *found)
{
    for (int link = 0; link < LINKS; link++)
        if (found->noisy[link])
            found->figures[link] = nominal_figures[link];
    if (m->nodes == 1)
        found->figures[LINK_NETWORK] = found->figures[LINK_NODE];
    if (m->node_ranks == 1)
        found->figures[LINK_NODE] = found->figures[LINK_NETWORK];
}

static void measure_native(struct measurement *w, int ranks, const struct machine *m, struct measured *found)
{
    const struct figures *node = &found->figures[LINK_NODE];
    for (int c = 0; c < COLLECTIVES && m->nodes == 1 && !found->noisy[LINK_NODE]; c++) {
        struct facts facts = {.collective = (enum collective)c,
                              .op = collective_reduces((enum collective)c) ? OP_ROUNDS : OP_NONE,
                              .ranks = ranks,
                              .machine = m};
        double each = 0;
        w->once = native;
        w->collective = facts.collective;
        for (int i = 0; i < NATIVE_SIZES && each * (double)native_bytes(i) < LONGEST_NATIVE; i++) {
            w->bytes = (int)native_bytes(i);
            facts.bytes = native_bytes(i);
            facts.units = collective_streams(facts.collective) ? facts.bytes : facts.bytes / (int)sizeof(double);
            const struct sample s = sample_measure(w, 1, NATIVE_CALLS);
            each = s.seconds / w->bytes;
            found->native[c][i] = s.noisy ? 0 : s.seconds / native_seconds(&facts, node, node);
        }
    }
}

struct measured figures_measure(const struct comm *c, const int *order, char *buffers, struct limit *limit)
{
    const struct machine *m = &c->known.machine;
    struct measurement w = {
        .comm = c->channel.comm, .out = buffers, .in = buffers + FIGURES_ROOM, .extra = EXTRA, .limit = limit};
    struct measured found;
    memset(buffers, 0, 2 * FIGURES_ROOM);
    memset(&found, 0, sizeof found);
    measure_links(&w, c, order, &found);
    measure_gamma(&w, found.figures);
    complete(m, &found);
    measure_native(&w, c->ranks, m, &found);
    return found;
}
