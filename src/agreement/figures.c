/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measuring alpha, beta, gamma and the native calls within a node; see figures.h.
 *
 * A step of an engine is a Sendrecv of all ranks at once. So we time rings of all ranks of a node, on all nodes together,
 * and one ring through a rank of each node. The line through the times for a small and a large block gives alpha and beta.
 * In a ring every rank waits in every step for the message that another sent in the step before. In a chain it does not: the
 * ranks before are ahead. So the same rings, cut open, give the gap.
 *
 * Disturbed measurements are not believed (sample.h), nor impossible ones, in which more bytes take less time. Nominal
 * figures take their place.
 */
#include "figures.h"

#include "model.h"
#include "sample.h"

#include <string.h>

/*
 * The constants of measuring, in bytes and counts. Those without a source are chosen by hand: all of it takes milliseconds,
 * and on a quiet machine `pleach figures` repeats its results within some per cent.
 */
enum {
    SMALL = 4 << 10,            /* a page, and the size from which messages may cost more with every byte */
    SMALLEST_MESSAGE = 8 << 10, /* as SMALLEST_BLOCK; twice as many bytes tell the jump behind it */
    LARGE_NETWORK = 64 << 10,   /* the network may be slow: 5 ms at 100 Mbit/s */
    LARGE = 256 << 10,          /* the largest block (LARGEST_BLOCK); within a node, caches make smaller ones cheaper */
    SHORT_STREAM = 16,          /* messages, of SMALL bytes: the pipeline is full before they are all sent */
    LONG_STREAM = 64,           /* four times as many: their difference is three quarters of it */
    REPEATS = 16,               /* most in a batch */
    NATIVE_REPEATS = 4,         /* likewise, of native calls */
    /*
     * Exchanges around a ring. The first ones must not count for much. Ranks leave the barrier one after the other, which
     * makes those exchanges longer; and the medium may take a message at once and carry it later. With fewer, alpha came out
     * 20 times too large in scripts/lab.
     */
    STEADY_SMALL = REPEATS,
    STEADY_LARGE = 8,
};

/* Seconds. A lower bound for a processor's part in a message: a Sendrecv alone takes longer. */
static const double SHORTEST_GAP = 1e-7;

/* Seconds in all, by hand, for measuring again after a disturbance. */
static const double EXTRA = 50e-3;

/* Seconds, by hand. A message size is left out if its native call would take longer. */
static const double LONGEST_NATIVE = 0.4e-3;

static void send_and_receive(struct measurement *w, int to, int from)
{
    pmpi.wire.Sendrecv(w->out, w->bytes, MPI_BYTE, to, 0, w->in, w->bytes, MPI_BYTE, from, 0, w->comm, MPI_STATUS_IGNORE);
}

static void exchange(struct measurement *w)
{
    send_and_receive(w, w->to, w->from);
}

/* Sends messages through a line: in each step a rank passes on the message of the step before. */
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

static void bcast(struct measurement *w)
{
    pmpi.Bcast(w->out, w->bytes, MPI_BYTE, 0, w->comm);
}

static void reduce(struct measurement *w)
{
    pmpi.Reduce(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, 0, w->comm);
}

static void exscan(struct measurement *w)
{
    pmpi.Exscan(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, w->comm);
}

static void scan(struct measurement *w)
{
    pmpi.Scan(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, w->comm);
}

static void allreduce(struct measurement *w)
{
    pmpi.Allreduce(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, w->comm);
}

/*
 * Measures a stream through the line that *w describes, of so many hops. Each message adds the gap once the stream flows.
 * The rest of the time is the first message's way: hops, each at least a gap and at most a step of the ring. A step is no
 * less than the gap, either, whatever measure_ring() says. If the stream was disturbed, both are as alpha.
 */
static void measure_stream(struct measurement *w, int hops, struct figures *f)
{
    w->bytes = SMALL;
    /* Once a batch: streams one after the other would be one long stream. */
    w->once = stream;
    w->messages = SHORT_STREAM;
    const struct sample few = sample_take(w, 1, 1);
    w->messages = LONG_STREAM;
    const struct sample many = sample_take(w, 1, 1);
    double each = (many.seconds - few.seconds) / (LONG_STREAM - SHORT_STREAM), moving = f->beta * SMALL;
    double gap = each - moving, hop = (few.seconds - SHORT_STREAM * each) / hops - moving;
    bool noisy = few.noisy || many.noisy;
    f->alpha = f->alpha > SHORTEST_GAP ? f->alpha : SHORTEST_GAP; /* the line may be below zero at zero bytes */
    f->gap = noisy ? f->alpha : gap > SHORTEST_GAP ? gap : SHORTEST_GAP;
    f->alpha = f->alpha > f->gap ? f->alpha : f->gap;
    f->hop = noisy || hop > f->alpha ? f->alpha : hop > f->gap ? hop : f->gap;
}

/* alpha and beta of the ring that *w describes, from blocks of SMALL and `most` bytes. False: they are not credible. */
static bool measure_ring(struct measurement *w, int most, struct figures *f)
{
    w->once = exchange;
    w->bytes = SMALL;
    const struct sample small = sample_take(w, STEADY_SMALL, REPEATS);
    w->bytes = most;
    const struct sample large = sample_take(w, STEADY_LARGE, REPEATS);
    f->beta = (large.seconds - small.seconds) / (most - SMALL);
    /* The line's value at zero bytes. A step of a few bytes may take another time, but engines take no such steps. */
    f->alpha = small.seconds - f->beta * SMALL;
    w->bytes = 2 * SMALLEST_MESSAGE;
    const struct sample middle = sample_take(w, STEADY_LARGE, REPEATS);
    double jump = middle.seconds - f->alpha - f->beta * w->bytes;
    f->jump = middle.noisy || jump < 0 ? 0 : jump;
    return !small.noisy && !large.noisy && f->beta > 0;
}

/* The ring through this rank's node. */
static void ring_of(struct measurement *w, const struct by_node *l)
{
    w->to = l->rank[l->mine + 1 < l->end ? l->mine + 1 : l->first];
    w->from = l->rank[l->mine > l->first ? l->mine - 1 : l->end - 1];
}

/* Makes the ring a line. */
static void open_ring(struct measurement *w, bool first, bool last)
{
    if (first)
        w->from = MPI_PROC_NULL;
    if (last)
        w->to = MPI_PROC_NULL;
}

/* The ring of this rank's node, and, for the first rank of each, the ring of the nodes; MPI_PROC_NULL: not in it. */
static void measure_links(struct measurement *w, const struct by_node *l, struct machine *m)
{
    const int p = l->ranks;

    w->to = w->from = MPI_PROC_NULL;
    if (l->end - l->first > 1)
        ring_of(w, l);
    if (m->node_ranks > 1) {
        m->noisy[LINK_NODE] = !measure_ring(w, LARGE, &m->figures[LINK_NODE]);
        open_ring(w, l->mine == l->first, l->mine == l->end - 1);
        measure_stream(w, m->node_ranks - 1, &m->figures[LINK_NODE]);
    }

    w->to = w->from = MPI_PROC_NULL;
    if (l->mine == l->first) {
        int before = l->first > 0 ? l->first - 1 : p - 1;
        while (before > 0 && nodes_same(l, before - 1, before))
            before--;
        w->to = l->rank[l->end < p ? l->end : 0];
        w->from = l->rank[before];
    }
    if (m->nodes > 1) {
        m->noisy[LINK_NETWORK] = !measure_ring(w, LARGE_NETWORK, &m->figures[LINK_NETWORK]);
        open_ring(w, l->mine == 0, l->end == p);
        measure_stream(w, m->nodes - 1, &m->figures[LINK_NETWORK]);
    }
}

static void measure_gamma(struct measurement *w, struct machine *m)
{
    w->once = fold;
    w->bytes = SMALL;
    const struct sample s = sample_take(w, 1, REPEATS);
    for (int link = 0; link < LINKS; link++)
        m->figures[link].gamma = s.noisy ? nominal_figures[link].gamma : s.seconds / SMALL;
}

/* Disturbed figures become nominal ones; a link that does not exist gets those of the other. */
static void complete(struct machine *m)
{
    for (int link = 0; link < LINKS; link++)
        if (m->noisy[link])
            m->figures[link] = nominal_figures[link];
    if (m->nodes == 1)
        m->figures[LINK_NETWORK] = m->figures[LINK_NODE];
    if (m->node_ranks == 1)
        m->figures[LINK_NODE] = m->figures[LINK_NETWORK];
}

/* Compares the native calls with their formulas, if all ranks share a node whose figures are known. */
static void measure_native(struct measurement *w, int ranks, struct machine *m)
{
    static void (*const calls[COLLECTIVES])(struct measurement *) = {
        [COLL_BCAST] = bcast,   [COLL_REDUCE] = reduce,       [COLL_SCAN] = scan,
        [COLL_EXSCAN] = exscan, [COLL_ALLREDUCE] = allreduce,
    };
    memset(m->native, 0, sizeof m->native);
    for (int c = 0; c < COLLECTIVES && m->nodes == 1 && !m->noisy[LINK_NODE]; c++) {
        struct facts facts = {.collective = (enum collective)c,
                              .op = collective_reduces((enum collective)c) ? OP_ROUNDS : OP_NONE,
                              .ranks = ranks,
                              .machine = m};
        double seconds = 0;
        w->once = calls[c];
        for (int i = 0; i < NATIVE_SIZES && seconds * 8 < LONGEST_NATIVE; i++) {
            w->bytes = (int)NATIVE_BYTES(i);
            facts.bytes = NATIVE_BYTES(i);
            facts.units = collective_streams(facts.collective) ? facts.bytes : facts.bytes / (int)sizeof(double);
            const struct sample s = sample_take(w, 1, NATIVE_REPEATS);
            seconds = s.seconds;
            m->native[c][i] = s.noisy ? 0 : seconds / native_seconds(&facts, &m->figures[LINK_NODE], &m->figures[LINK_NODE]);
        }
    }
}

void figures_measure(struct machine *m, MPI_Comm comm, const struct by_node *list, char *buffers, struct limit *limit)
{
    struct measurement w = {.comm = comm, .out = buffers, .in = buffers + FIGURES_ROOM, .extra = EXTRA, .limit = limit};
    memset(buffers, 0, 2 * FIGURES_ROOM);
    memset(m->noisy, 0, sizeof m->noisy);
    measure_links(&w, list, m);
    measure_gamma(&w, m);
    complete(m);
    measure_native(&w, list->ranks, m);
}
