/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures alpha, beta, gamma and the native calls within a node; see figures.h.
 *
 * A step of an engine is a Sendrecv by all ranks at once. So one measurement times rings of all ranks of a node, on all
 * nodes together, and another times one ring through one rank of each node. The straight line through the times for a small
 * and a large block gives alpha and beta. In a ring, each step of a rank waits for the message that its neighbour sent in
 * the step before. In a line of ranks, a rank does not wait, because the ranks before it are ahead. So the same rings,
 * opened to lines of ranks, give the gap.
 *
 * Measurements do not count if they were disturbed (sample.h), or if they are impossible because more bytes take less time.
 * Nominal figures replace them; alpha replaces hop and gap.
 */
#include "figures.h"

#include "budget.h"
#include "model.h"
#include "native.h"
#include "sample.h"

#include <string.h>

/*
 * Constants of measuring, in bytes and counts. Those without a source are chosen by hand, so that all measuring takes
 * milliseconds, and `pleach figures` repeats its results within some per cent on a quiet machine.
 */
enum {
    SMALL = 4 << 10,                  /* a page; from this size on, each further byte may cost time */
    BEYOND_JUMP = 2 * SMALLEST_BLOCK, /* messages of this size show the jump in time, see struct figures */
    SHORT_STREAM = 16,                /* messages of SMALL bytes; the pipeline is full before all of them are sent */
    LONG_STREAM = 64,                 /* four times as many, so the difference is three quarters of the longer stream */
    REPEATS = 16,                     /* most repetitions in a batch */
    /*
     * The least number of exchanges around a ring in a batch. The first exchanges must not count for much: ranks leave the
     * barrier one after the other, and the medium may accept the first messages at once and carry them later. With fewer
     * exchanges, alpha was 20 times too large in scripts/lab.
     */
    STEADY_SMALL = REPEATS,
    STEADY_LARGE = 8,
};

/* Seconds. No gap is shorter, as even a Sendrecv alone takes longer. */
static const double SHORTEST_GAP = 1e-7;

/* Seconds in all for further batches after disturbances. Chosen by hand. */
static const double EXTRA = 50e-3;

static void send_and_receive(struct measurement *w, int to, int from)
{
    pmpi.wire.Sendrecv(w->out, w->bytes, MPI_BYTE, to, 0, w->in, w->bytes, MPI_BYTE, from, 0, w->comm, MPI_STATUS_IGNORE);
}

static void exchange(struct measurement *w)
{
    send_and_receive(w, w->to, w->from);
}

/* Sends messages through a line. In each step, a rank passes on the message of the step before. */
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
 * Measures a stream of messages through a line of `hops` hops, which *w describes. Once the stream flows, each message adds
 * one gap. The rest of the time is the way of the first message, hop by hop. A hop takes at least a gap, and at most a step
 * of the ring. A step takes at least a gap, too, whatever measure_ring() has found. If the stream was disturbed, gap and hop
 * are equal to alpha.
 *
 * The gap is about zero if a wire takes longer to move SMALL bytes than the processors take to pass them on, because the
 * processors work while the wire moves bytes. In scripts/lab with wires it is 0.1 to 2 us, where alpha is 90 us. Streams of
 * blocks of 8 KiB, the smallest that the model cuts, then take as long as the model says, to 3 per cent.
 */
static void measure_stream(struct measurement *w, int hops, struct figures *f)
{
    w->bytes = SMALL;
    /* Each batch has one stream, because streams one after the other would be one long stream. */
    w->once = stream;
    w->messages = SHORT_STREAM;
    const struct sample few = sample_measure(w, 1, 1);
    w->messages = LONG_STREAM;
    const struct sample many = sample_measure(w, 1, 1);
    double each = (many.seconds - few.seconds) / (LONG_STREAM - SHORT_STREAM), moving = f->beta * SMALL;
    double gap = each - moving, hop = (few.seconds - SHORT_STREAM * each) / hops - moving;
    bool noisy = few.noisy || many.noisy;
    f->alpha = f->alpha > SHORTEST_GAP ? f->alpha : SHORTEST_GAP; /* the straight line may be below zero at zero bytes */
    f->gap = noisy ? f->alpha : gap > SHORTEST_GAP ? gap : SHORTEST_GAP;
    f->alpha = f->alpha > f->gap ? f->alpha : f->gap;
    f->hop = noisy || hop > f->alpha ? f->alpha : hop > f->gap ? hop : f->gap;
}

/*
 * Measures f->alpha and f->beta of the ring that *w describes, with blocks of SMALL and `most` bytes. Measures f->jump with
 * blocks of a size between these. Returns false if alpha and beta are not credible.
 */
static bool measure_ring(struct measurement *w, int most, struct figures *f)
{
    w->once = exchange;
    w->bytes = SMALL;
    const struct sample small = sample_measure(w, STEADY_SMALL, REPEATS);
    w->bytes = most;
    const struct sample large = sample_measure(w, STEADY_LARGE, REPEATS);
    f->beta = (large.seconds - small.seconds) / (most - SMALL);
    /* The straight line at zero bytes gives alpha. Steps of a few bytes may differ, but engines make no such steps. */
    f->alpha = small.seconds - f->beta * SMALL;
    w->bytes = BEYOND_JUMP;
    const struct sample middle = sample_measure(w, STEADY_LARGE, REPEATS);
    double jump = middle.seconds - f->alpha - f->beta * w->bytes;
    f->jump = middle.noisy || jump < 0 ? 0 : jump;
    return !small.noisy && !large.noisy && f->beta > 0;
}

/* This rank's part in a ring; both neighbours are MPI_PROC_NULL if the rank is not in the ring. */
struct ring {
    int to, from;
    bool first, last; /* where the ring is opened to a line */
};

/* The ring through this rank's node. */
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

/* The ring through the first ranks of all nodes. `order` has the ranks, and those of a node stand together. */
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

/* Measures a link by a ring, with blocks of up to `most` bytes, and by the line that the ring becomes when it is opened. */
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

/* Measures the rings of all nodes at once, then the ring between nodes. */
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

/* Replaces disturbed figures by nominal ones. A link that does not exist gets the figures of the other link. */
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

/* Compares the times of native calls with their formulas, if all ranks share a node and its figures are known. */
static void measure_native(struct measurement *w, int ranks, const struct machine *m, struct measured *found)
{
    const struct figures *node = &found->figures[LINK_NODE];
    for (int c = 0; c < COLLECTIVES && m->nodes == 1 && !found->noisy[LINK_NODE]; c++) {
        struct facts facts = {.collective = (enum collective)c,
                              .op = collective_reduces((enum collective)c) ? OP_ROUNDS : OP_NONE,
                              .ranks = ranks,
                              .machine = m};
        double each = 0; /* seconds per byte of the last size */
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
    memset(&found, 0, sizeof found); /* all bytes are sent, so none may be undefined */
    measure_links(&w, c, order, &found);
    measure_gamma(&w, found.figures);
    complete(m, &found);
    measure_native(&w, c->ranks, m, &found);
    return found;
}
