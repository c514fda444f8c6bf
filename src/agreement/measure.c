/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measuring alpha, beta, gamma and the native calls within a node; see measure.h.
 *
 * A step of an engine is a Sendrecv of all ranks at once, so that is what is timed: rings of all ranks of a node, on all
 * nodes together, and one ring through a rank of each node. The line through the times for a small and a large block gives
 * alpha and beta. In a ring every rank waits in every step for what another sent in the step before. In a chain it does
 * not: the ranks before are ahead. So the same rings, cut open, give the gap. What counts is the slowest rank, in the
 * fastest of several batches.
 */
#include "measure.h"

#include "model.h"
#include "nodes.h"
#include "process.h"
#include "record.h"
#include "seconds.h"

#include <string.h>

/*
 * The constants of measuring. Bytes and counts; where no source is said, chosen by hand so that all of it takes milliseconds
 * and `pleach figures`, called again on a quiet machine, says the same within some per cent.
 */
enum {
    SMALL = 4 << 10,          /* a page, and the size from which MPICH's messages cost more with every byte */
    LARGE_NETWORK = 64 << 10, /* the network may be slow: 5 ms at 100 Mbit/s */
    LARGE = 256 << 10,        /* the largest block (LARGEST_BLOCK), as caches make smaller ones cheaper within a node */
    MESSAGE = 256 << 10,      /* of native calls; also room for a block */
    SHORT_STREAM = 16,        /* messages, of SMALL bytes: the pipeline is full before they are all sent */
    LONG_STREAM = 64,         /* four times as many, so that their difference is three quarters of it */
    BATCHES = 3,              /* of which the fastest counts */
    REPEATS = 16,             /* most in a batch */
    /*
     * Exchanges around a ring. The first do not count for much: ranks leave the barrier one after the other, which makes
     * those longer, and what is between the ranks may take a message at once and carry it later. With fewer, alpha came out
     * 20 times too large in scripts/lab.
     */
    STEADY_SMALL = REPEATS,
    STEADY_LARGE = 8,
};

static const double BATCH_SECONDS = 0.5e-3; /* a batch repeats its exchange for about so long: a tenth of a time slice */

/*
 * Seconds. A gap is what processors do for a message. What looks like less than 100 ns is an error of measurement, as a
 * Sendrecv alone takes longer. What looks like more than 10 us is ranks that wait, which a stream does not do (scripts/lab,
 * where the kernel's TCP is the processor's work: 4 to 9 us).
 */
static const double SHORTEST_GAP = 1e-7, LONGEST_GAP = 10e-6;

/* A step within a node takes no longer (0.5 to 5 us on quiet cores), but where the cores were busy with something else. */
static const double LONGEST_STEP = 50e-6;

/* What a batch times. */
struct work {
    struct comm *c;
    char *out, *in; /* MESSAGE bytes each */
    int to, from;   /* ring; MPI_PROC_NULL for who does not take part */
    int bytes;
    int messages; /* of a stream */
    void (*once)(const struct work *w);
};

/* x, or the bound that it is beyond. */
static double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double slowest(struct comm *c, double seconds)
{
    double all = seconds;
    pmpi.Allreduce(&seconds, &all, 1, MPI_DOUBLE, MPI_MAX, c->channel.comm);
    return all;
}

/*
 * Seconds of the work, once, of the slowest rank in the fastest batch, which repeats it `least` to `most` times. Collective;
 * the same on all ranks.
 */
static double seconds_of(const struct work *w, int least, int most)
{
    double best = 1e9;
    int repeats = least;
    w->once(w); /* the first exchange of two ranks sets up their connection */
    for (int batch = 0; batch <= BATCHES; batch++) {
        slowest(w->c, 0);
        double start = seconds_now();
        for (int i = 0; i < repeats; i++)
            w->once(w);
        double seconds = slowest(w->c, (seconds_now() - start) / repeats);
        if (seconds < best)
            best = seconds;
        if (batch == 0 && seconds > 0)
            repeats = (int)between(least, BATCH_SECONDS / seconds, most);
    }
    return best;
}

static void send_and_receive(const struct work *w, int to, int from)
{
    pmpi.wire.Sendrecv(w->out, w->bytes, MPI_BYTE, to, 0, w->in, w->bytes, MPI_BYTE, from, 0, w->c->channel.comm,
                       MPI_STATUS_IGNORE);
}

static void exchange(const struct work *w)
{
    send_and_receive(w, w->to, w->from);
}

/* Messages through a line, where a rank sends what it received in the step before. */
static void stream(const struct work *w)
{
    int behind = w->from != MPI_PROC_NULL;
    for (int i = 0; i < w->messages + behind; i++)
        send_and_receive(w, i < behind ? MPI_PROC_NULL : w->to, i < w->messages ? w->from : MPI_PROC_NULL);
}

static void fold(const struct work *w)
{
    pmpi.wire.Reduce_local(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM);
}

static void bcast(const struct work *w)
{
    pmpi.Bcast(w->out, w->bytes, MPI_BYTE, 0, w->c->channel.comm);
}

static void reduce(const struct work *w)
{
    pmpi.Reduce(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, 0, w->c->channel.comm);
}

static void scan(const struct work *w)
{
    pmpi.Scan(w->in, w->out, w->bytes / (int)sizeof(double), MPI_DOUBLE, MPI_SUM, w->c->channel.comm);
}

/*
 * A stream through the line that *w describes, of so many hops. Each message adds the gap once the stream flows. The rest of
 * the time is the first message's way: hops, each at least a gap and at most a step of the ring. A step is no less than the
 * gap, either, whatever measure_ring() says.
 */
static void measure_stream(struct work *w, int hops, struct figures *f)
{
    w->bytes = SMALL;
    /* Once a batch: one after the other, streams would be one long one. */
    w->once = stream;
    w->messages = SHORT_STREAM;
    double few = seconds_of(w, 1, 1);
    w->messages = LONG_STREAM;
    double many = seconds_of(w, 1, 1), each = (many - few) / (LONG_STREAM - SHORT_STREAM), moving = f->beta * SMALL;
    double gap = each - moving, hop = (few - SHORT_STREAM * each) / hops - moving;
    f->gap = between(SHORTEST_GAP, gap, LONGEST_GAP);
    f->alpha = f->alpha > f->gap ? f->alpha : f->gap;
    f->hop = between(f->gap, hop, f->alpha);
}

/* alpha and beta of the ring that *w describes, from blocks of SMALL and `most` bytes. */
static void measure_ring(struct work *w, int most, struct figures *f)
{
    w->once = exchange;
    w->bytes = SMALL;
    double small = seconds_of(w, STEADY_SMALL, REPEATS);
    w->bytes = most;
    double large = seconds_of(w, STEADY_LARGE, REPEATS);
    f->beta = large > small ? (large - small) / (most - SMALL) : 0;
    /* Where the line meets zero bytes; a step of a few bytes may take another time, but engines take no such steps. */
    f->alpha = small - f->beta * SMALL;
}

static int rank_at(const struct comm *c, int position)
{
    return c->nodes.order ? c->nodes.order[position] : position;
}

/* A ring through positions first .. end-1, of which this rank's is `mine`. */
static void ring_of(struct work *w, int first, int end, int mine)
{
    w->to = rank_at(w->c, mine + 1 < end ? mine + 1 : first);
    w->from = rank_at(w->c, mine > first ? mine - 1 : end - 1);
}

/* Makes the ring a line. */
static void open_ring(struct work *w, bool first, bool last)
{
    if (first)
        w->from = MPI_PROC_NULL;
    if (last)
        w->to = MPI_PROC_NULL;
}

/* The ring of this rank's node, and, for the first rank of each, the ring of the nodes; MPI_PROC_NULL: not in it. */
static void measure_links(struct work *w, const int *node, struct machine *m)
{
    struct comm *c = w->c;
    int mine = c->nodes.position ? c->nodes.position[c->rank] : c->rank, first = mine, end = mine + 1, p = c->ranks;
    while (first > 0 && node[rank_at(c, first - 1)] == node[c->rank])
        first--;
    while (end < p && node[rank_at(c, end)] == node[c->rank])
        end++;

    w->to = w->from = MPI_PROC_NULL;
    if (end - first > 1)
        ring_of(w, first, end, mine);
    if (m->node_ranks > 1) {
        measure_ring(w, LARGE, &m->figures[LINK_NODE]);
        if (m->figures[LINK_NODE].alpha > LONGEST_STEP)
            m->figures[LINK_NODE].alpha = LONGEST_STEP;
        open_ring(w, mine == first, mine == end - 1);
        measure_stream(w, m->node_ranks - 1, &m->figures[LINK_NODE]);
    }

    w->to = w->from = MPI_PROC_NULL;
    if (mine == first) {
        int before = first > 0 ? first - 1 : p - 1;
        while (before > 0 && node[rank_at(c, before - 1)] == node[rank_at(c, before)])
            before--;
        w->to = rank_at(c, end < p ? end : 0);
        w->from = rank_at(c, before);
    }
    if (m->nodes > 1) {
        measure_ring(w, LARGE_NETWORK, &m->figures[LINK_NETWORK]);
        open_ring(w, mine == 0, end == p);
        measure_stream(w, m->nodes - 1, &m->figures[LINK_NETWORK]);
    } else
        m->figures[LINK_NETWORK] = m->figures[LINK_NODE];
    if (m->node_ranks == 1)
        m->figures[LINK_NODE] = m->figures[LINK_NETWORK];
}

/* How the native calls compare with their formulas, where all ranks share a node. */
static void measure_native(struct work *w, struct machine *m)
{
    static void (*const calls[COLLECTIVES])(const struct work *) = {bcast, reduce, scan, scan};
    w->bytes = MESSAGE;
    for (int i = 0; i < COLLECTIVES; i++) {
        const struct shape shape = {.collective = (enum collective)i, .ranks = w->c->ranks, .blocks = 1};
        m->native[i] = 0;
        w->once = calls[i];
        if (m->nodes == 1 && i != COLL_EXSCAN) /* which is made like the scan */
            m->native[i] = seconds_of(w, 1, REPEATS) / native_seconds(&shape, MESSAGE, &m->figures[LINK_NODE]);
    }
    m->native[COLL_EXSCAN] = m->native[COLL_SCAN];
}

static void record_figures(const struct machine *m)
{
    const struct figures *n = &m->figures[LINK_NODE], *w = &m->figures[LINK_NETWORK];
    record_note("measured: within a node alpha %.3g us, beta %.3g ns/B, hop %.3g us, gap %.3g us; between nodes alpha %.3g "
                "us, beta %.3g ns/B, hop %.3g us, gap %.3g us; gamma %.3g ns/B; %d nodes, at most %d ranks on one",
                n->alpha * 1e6, n->beta * 1e9, n->hop * 1e6, n->gap * 1e6, w->alpha * 1e6, w->beta * 1e9, w->hop * 1e6,
                w->gap * 1e6, n->gamma * 1e9, m->nodes, m->node_ranks);
}

static void take(struct comm *c, const struct findings *found)
{
    memcpy(c->nodes.machine.figures, found->figures, sizeof found->figures);
    memcpy(c->nodes.machine.native, found->native, sizeof found->native);
    c->nodes.machine.measured = true;
}

bool measure_inherit(struct comm *c)
{
    const struct findings *around = findings_about(c->user, true);
    if (c->findings->asked) { /* ranks may have found others, or none */
        uint64_t id = around ? around->id : 0, most[2] = {id, ~id};
        pmpi.Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, c->user);
        if (most[0] != ~most[1])
            around = NULL;
    }
    if (around)
        take(c, around);
    return around != NULL;
}

bool measure(struct comm *c)
{
    struct machine *m = &c->nodes.machine;
    struct findings *found = findings_copy(c->findings, c->ranks);
    if (!pmpi_agreed(c->channel.comm, found && nodes_numbers(c, found->node), MPI_MIN) || !found ||
        !comm_scratch(c, 2 * MESSAGE, 0)) {
        if (found)
            findings_free(found);
        return false;
    }
    struct work w = {.c = c, .out = c->channel.scratch, .in = c->channel.scratch + MESSAGE};
    memset(c->channel.scratch, 0, 2 * MESSAGE);
    measure_links(&w, found->node, m);
    w.once = fold;
    w.bytes = SMALL;
    m->figures[LINK_NODE].gamma = m->figures[LINK_NETWORK].gamma = seconds_of(&w, 1, REPEATS) / SMALL;
    measure_native(&w, m);
    /* Ranks may round otherwise: those of rank 0 are everybody's. */
    pmpi.Bcast(m, (int)sizeof *m, MPI_BYTE, 0, c->channel.comm);
    m->measured = true;
    memcpy(found->figures, m->figures, sizeof found->figures);
    memcpy(found->native, m->native, sizeof found->native);
    found->measured = true;
    record_figures(m);
    found->id = findings_new_id(process.rank);
    pmpi.Bcast(&found->id, 1, MPI_UINT64_T, 0, c->channel.comm);
    findings_remember(found, c->user);
    return true;
}
