/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Native calls by MPICH 4's algorithms for large messages. There are p ranks and m bytes; q = ceil(log2 p).
 *
 *     broadcast              a scatter and a ring allgather, or a binomial tree if that takes less time
 *     reduction, built-in    a reduce-scatter and a gather (Rabenseifner), or a binomial tree if that takes less time
 *     reduction, user's      a binomial tree to rank 0, which sends the result to another root
 *     scans                  recursive doubling
 *     allreduce, built-in    the ranks of a node reduce to one rank; these ranks make a reduce-scatter by halving and an
 *                            allgather by doubling (Rabenseifner); each of them broadcasts to the ranks of its node
 *     allreduce, user's      recursive doubling of whole messages among all ranks, whatever their nodes
 *     allreduce, few         recursive doubling among one rank of each node, if a built-in operation has fewer elements than
 *                            P, see below
 *
 * - A rank of a reduction first copies its operand, which costs as much as a fold. - In a round of a scan, half of the ranks
 * fold the message twice: alpha + (beta + 2 gamma) m. - Halving and doubling work on P ranks, the largest power of two. The
 * others hand them operands and get results. - In an allreduce, MPICH treats commutative operations as built-in; the model
 * does not know of them.
 */
#include "native_model.h"

#include "constants.h"
#include "model.h"

#include <math.h>

double native_start_up(int ranks, const struct figures *g)
{
    return ranks == 2 ? g->hop : g->alpha;
}

/* The share of the message outside a rank's own part. */
static double others(int ranks)
{
    return 1 - 1 / (double)ranks;
}

static double bcast_seconds(int ranks, double m, const struct figures *g)
{
    int q = ceil_log2(ranks);
    double alpha = native_start_up(ranks, g);
    return fmin(q * (alpha + g->beta * m), ((double)q + ranks - 1) * alpha + 2 * others(ranks) * g->beta * m);
}

/* `ordered`: a binomial tree to rank 0. `on`: it sends the result on. */
static double reduce_seconds(int ranks, bool ordered, bool on, double m, const struct figures *g)
{
    int q = ceil_log2(ranks);
    double alpha = native_start_up(ranks, g), binomial = q * (alpha + (g->beta + g->gamma) * m);
    if (on)
        binomial += alpha + g->beta * m;
    double halving = 2 * q * alpha + others(ranks) * (2 * g->beta + g->gamma) * m, copy = g->gamma * m;
    return copy + (ordered ? binomial : fmin(binomial, halving));
}

static double scan_seconds(int ranks, double m, const struct figures *g)
{
    return ceil_log2(ranks) * (g->alpha + (g->beta + 2 * g->gamma) * m);
}

/*
 * A short message between nodes of several ranks: binomial trees cross a card once per doubling of the nodes, even if ranks
 * are dealt out. `folds`: of a round; `phases`: on the node.
 */
static double by_nodes(const struct facts *f, double phases, double folds, const struct figures *g,
                       const struct figures *node)
{
    const struct machine *m = f->machine;
    const double bytes = (double)f->bytes, folding = folds * g->gamma;
    return ceil_log2(m->nodes) * (native_start_up(m->nodes, g) + (g->beta + folding) * bytes) +
           phases * ceil_log2(m->node_ranks) * (node->alpha + (node->beta + folding) * bytes);
}

/* Is it short enough for that? Scans need consecutive ranks, a user's reduction a flat tree. */
static bool goes_by_nodes(const struct facts *f)
{
    const struct machine *m = f->machine;
    const bool kind = f->collective == COLL_BCAST || (f->collective == COLL_REDUCE && f->op != OP_ORDERED) ||
                      (f->collective == COLL_SCAN && m->gathered);
    return kind && m->nodes > 1 && m->node_ranks > 1 && f->bytes < SHORT_MPICH;
}

/* ---- Allreduce ------------------------------------------------------------------------------------------------------- */

struct halves {
    int h;             /* log2 P */
    double all, extra; /* P; 1 if p > P, else 0 */
};

static struct halves halves_of(int ranks)
{
    int q = ceil_log2(ranks), h = (int64_t)1 << q > ranks ? q - 1 : q;
    int64_t all = (int64_t)1 << h;
    return (struct halves){h, (double)all, ranks > all};
}

static bool is_mpich(const struct facts *f)
{
    return f->machine->natives == NATIVES_MPICH;
}

static bool led(const struct facts *f)
{
    return is_mpich(f) && f->machine->nodes > 1 && f->machine->node_ranks > 1 && f->op != OP_ORDERED;
}

static int talking(const struct facts *f)
{
    return led(f) ? f->machine->nodes : f->ranks;
}

static bool whole(const struct facts *f)
{
    return f->op == OP_ORDERED || (double)f->units < halves_of(talking(f)).all;
}

/* Of k ranks near each other, those whose peer r XOR d is elsewhere. `in_order`: the k ranks are consecutive. */
static double leaving(int k, bool in_order, int64_t d)
{
    if (in_order && d < k)
        return k % (2 * d) == 0 ? 0 : (double)d;
    return k;
}

double native_allreduce_load(const struct facts *f, int k, bool in_order)
{
    const struct halves p = halves_of(talking(f));
    const int inside = led(f) ? (k - 1) / f->machine->node_ranks + 1 : k;
    double load = 2 * p.extra * leaving(inside, in_order, 1);
    for (int i = 0; i < p.h; i++)
        load += leaving(inside, in_order, INT64_C(1) << i) * (whole(f) ? 1 : ldexp(1, -i));
    return load;
}

double native_reduce_sent(const struct facts *f)
{
    return is_mpich(f) ? fmin(ceil_log2(talking(f)), 2 * others(talking(f))) : 1;
}

/* Of a message. `sharing`: ranks that share the card; 0: inside a node. */
static double message_seconds(const struct facts *f, double sharing, double bytes, const struct figures *g,
                              const struct figures *node)
{
    return sharing > 0 ? native_start_up(talking(f), g) + (sharing - 1) * g->gap * CARD_GAP + sharing * g->beta * bytes
                       : node->alpha + node->beta * bytes;
}

double native_exchanged(const struct facts *f, double bytes)
{
    if (f->machine->nodes == 1)
        return bytes;
    return bytes + (is_mpich(f) ? LARGE_EXCHANGE * fmax(bytes - LARGEST_BLOCK, 0) : fmax(bytes - EAGER_OPEN_MPI, 0));
}

/* If the order counts, half of MPICH's ranks fold into the received part and copy it back, which counts as a fold. */
double native_exchanges(const struct facts *f, double m, const struct figures *g, const struct figures *node)
{
    const struct halves p = halves_of(talking(f));
    const bool in_order = f->machine->consecutive;
    const int k = f->machine->nodes > 1 && !led(f) ? f->machine->node_ranks : 1,
              folds = is_mpich(f) && f->op == OP_ORDERED ? 2 : 1;
    double seconds = p.extra * (2 * message_seconds(f, leaving(k, in_order, 1), m, g, node) + g->gamma * m);
    for (int i = 0; i < p.h; i++) {
        const double bytes = whole(f) ? m : ldexp(m, -i - 1), sharing = leaving(k, in_order, INT64_C(1) << i);
        const double message = message_seconds(f, sharing, sharing > 0 ? native_exchanged(f, bytes) : bytes, g, node);
        seconds += (whole(f) ? 1 : 2) * message + folds * g->gamma * bytes;
    }
    return seconds;
}

static double allreduce_seconds(const struct facts *f, double m, const struct figures *g, const struct figures *node)
{
    const int k = f->machine->node_ranks;
    const double on_node = led(f) ? reduce_seconds(k, false, false, m, node) + bcast_seconds(k, m, node) : 0;
    return on_node + native_exchanges(f, m, g, node);
}

/* ---- Places ---------------------------------------------------------------------------------------------------------- */

/* Open MPI's line crosses a boundary once. In MPICH, all k ranks of a part send in each round that leaves it. */
static double scan_load(const struct facts *f, int parts, int k, bool near)
{
    return is_mpich(f) ? k * (double)ceil_log2(near ? parts + 1 : f->ranks) : 1;
}

/* Other calls, also Open MPI's, count as rings through all ranks. */
double native_load(const struct facts *f, int parts, int k, bool near)
{
    if (f->collective == COLL_ALLREDUCE)
        return native_allreduce_load(f, k, near);
    if (collective_rooted(f->collective))
        return near ? NATIVE_LOAD : k;
    return scan_load(f, parts, k, near);
}

/* ---- More ranks than cores ------------------------------------------------------------------------------------------- */

/* A waiting rank of MPICH burns its time slice. */
bool native_keeps_cores(const struct machine *m)
{
    return m->natives == NATIVES_MPICH;
}

bool native_runs_ahead(const struct facts *f)
{
    return !is_mpich(f) && f->bytes <= PUT_AT_ONCE && collective_flow(f->collective) != FLOW_ALL_TO_ALL;
}

double native_mpich(const struct facts *f, const struct figures *g, const struct figures *node)
{
    const double m = (double)f->bytes;
    const bool ordered = f->op == OP_ORDERED;
    const struct figures step = figures_of_step(f->machine, g, node);
    if (goes_by_nodes(f))
        return by_nodes(f, f->collective == COLL_SCAN ? 2 : 1,
                        f->op == OP_NONE                   ? 0
                        : collective_prefix(f->collective) ? 2
                                                           : 1,
                        g, node);
    switch (f->collective) {
    case COLL_BCAST:
        return bcast_seconds(f->ranks, m, &step);
    case COLL_REDUCE:
        return reduce_seconds(f->ranks, ordered, ordered && f->root != 0, m, &step);
    case COLL_ALLREDUCE:
        return allreduce_seconds(f, m, g, node);
    default:
        return scan_seconds(f->ranks, m, &step);
    }
}
