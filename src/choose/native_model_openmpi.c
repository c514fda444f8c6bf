/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Native calls of large messages in Open MPI 4.1 and 5: the component `tuned` chooses by ranks and bytes, not by nodes, and
 * cuts no message. "Ordered": the order of operands counts. Release 5's `han`, for several nodes of several ranks, and
 * `tuned`'s algorithms for small messages are not modelled.
 *
 *   broadcast   to fewer than 16 ranks: the root sends to each other rank
 *               a large message to 16 to 31 ranks, or to 1024 or more: a binomial scatter and an allgather by doubling
 *               else: a binomial tree below 32 ranks; from 32 ranks on, a tree where a rank has three children on each level
 *   reduction   fewer than 8 ranks: all send to the root
 *               ordered, a message that is not large, fewer than 16 ranks: all send to the root
 *               else: a binomial tree; if ordered, a binary tree whose root is the last rank
 *   allreduce   halving and doubling; if ordered, doubling of whole messages, or a reduction and a broadcast
 *   scans       a line of ranks, each of which waits for the one before
 *
 * A rank sends to all its children at once. Messages that are not eager share its port: all arrive when the last does.
 */
#include "native_model.h"

#include "model.h"

#include <math.h>

/* Bytes from which a message is large, by collective. */
enum { LARGE_BCAST = 1 << 20, LARGE_WIDE_BCAST = 512 << 10, LARGE_REDUCE = 256 << 10, LARGE_ALLREDUCE = 1 << 20 };

enum { RADIX = 4 }; /* each level has three children for every rank above it */

static double linear_seconds(int ranks, double m, const struct figures *g)
{
    return native_start_up(ranks, g) + (ranks - 1) * g->beta * m;
}

/*
 * The longest way leads through the last child of each level, which waits for its level's other children or, if messages are
 * not eager, for all of its parent's.
 */
static double tree_seconds(int ranks, int radix, double m, const struct figures *g)
{
    double levels = 0, children = 0, sends = 0;
    for (int64_t below = 1; below < ranks; below *= radix, levels++) {
        const double here = fmin(radix, ceil(ranks / (double)below)) - 1;
        children += here;
        sends += m < EAGER_OPEN_MPI ? here : children;
    }
    return levels * native_start_up(ranks, g) + sends * g->beta * m;
}

/* A subtree of 2^i ranks has 2^i / 2^q of the message. Its root sends on all but its own part. */
static double scatter_seconds(const struct facts *f, double m, const struct figures *g)
{
    const int q = ceil_log2(f->ranks);
    double bytes = 0;
    for (int i = 1; i <= q; i++)
        bytes += ldexp(m, i - q) - ldexp(m, -q) + native_exchanged(f, ldexp(m, -i));
    return 2 * q * native_start_up(f->ranks, g) + g->beta * bytes;
}

static double bcast_seconds(const struct facts *f, double m, const struct figures *g)
{
    const int p = f->ranks;
    if (p < 16)
        return linear_seconds(p, m, g);
    if (p < 32 ? m >= LARGE_BCAST : p >= 1024 && m >= LARGE_WIDE_BCAST)
        return scatter_seconds(f, m, g);
    return tree_seconds(p, p < 32 ? 2 : RADIX, m, g);
}

/* Each of a rank's two subtrees has half of the other ranks. The last rank gets the result, and sends it to another root. */
static double in_order_seconds(const struct facts *f, double m, const struct figures *g)
{
    const double way = native_start_up(f->ranks, g), message = g->beta * m;
    double seconds = f->root == f->ranks - 1 ? 0 : way + message;
    for (int below = f->ranks; below > 1; below = (below - 1) / 2)
        seconds += way + fmin(2, below - 1) * (message + g->gamma * m);
    return seconds;
}

static double reduce_seconds(const struct facts *f, double m, const struct figures *g)
{
    const int p = f->ranks;
    const double folding = g->gamma * m;
    if (p < 8 || (p < 16 && f->op == OP_ORDERED && m < LARGE_REDUCE))
        return linear_seconds(p, m, g) + (p - 1) * folding;
    if (f->op == OP_ORDERED)
        return in_order_seconds(f, m, g);
    return ceil_log2(p) * (native_start_up(p, g) + g->beta * m + folding);
}

static double allreduce_seconds(const struct facts *f, double m, const struct figures *g, const struct figures *node)
{
    const int p = f->ranks;
    const struct figures step = figures_of_step(f->machine, g, node);
    const bool apart = p < 4 || (p >= 8 && p < 16 && m >= LARGE_ALLREDUCE) || (p >= 128 && p < 512);
    if (f->op == OP_ORDERED && apart)
        return reduce_seconds(f, m, &step) + bcast_seconds(f, m, &step);
    return native_exchanges(f, m, g, node);
}

/* If nodes have consecutive ranks, the line leaves each once. */
static double scan_seconds(const struct facts *f, double m, const struct figures *g, const struct figures *node)
{
    const struct machine *at = f->machine;
    const int between = at->nodes > 1 && at->consecutive ? at->nodes - 1 : f->ranks - 1;
    return between * (native_start_up(f->ranks, g) + (g->beta + g->gamma) * m) +
           (f->ranks - 1 - between) * (node->alpha + (node->beta + g->gamma) * m);
}

double native_openmpi(const struct facts *f, const struct figures *g, const struct figures *node)
{
    const double m = (double)f->bytes;
    const struct figures step = figures_of_step(f->machine, g, node);
    switch (f->collective) {
    case COLL_BCAST:
        return bcast_seconds(f, m, &step);
    case COLL_REDUCE:
        return reduce_seconds(f, m, &step);
    case COLL_ALLREDUCE:
        return allreduce_seconds(f, m, g, node);
    default:
        return scan_seconds(f, m, g, node);
    }
}
