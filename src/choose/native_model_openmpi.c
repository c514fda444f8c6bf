/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What Open MPI 4.1 and 5 do with large messages, by its component `tuned`, as the model's guess of what the native call
 * takes. It decides by ranks and bytes, not by nodes, and by default it cuts no message: a rank sends on what it has whole.
 *
 *   broadcast   below 16 ranks the root sends to each of the others; below 32, and from 1024 on, large messages go by a
 *               binomial scatter and an allgather by doubling; else by a tree in which a rank has three children a level,
 *               below 32 ranks by a binomial tree
 *   reduction   below 8 ranks all send to the root, as below 16 for an operation that is not commutative, unless the
 *               message is large; else by a binomial tree or, in order, by a binary one whose root is the last rank
 *   allreduce   by halving and doubling or, where operands have an order, by doubling or by a reduction and a broadcast
 *   scans       by a line of ranks, each of which waits for the one before
 *
 * A rank gives all its children their messages at once. One that is not sent eagerly leaves as fast as its receiver takes
 * it, so they share the rank's port, and each is there only when the last one is.
 *
 * In scripts/lab, on 16 hosts, in beta m: a broadcast takes 3.7 at 32 KiB, 8.4 to 9.5 from 64 to 512 KiB, 3.0 at 1 MiB, 3.6
 * at 4 MiB; a sum 4.0 from 64 KiB on, a reduction by the user's operation 6.6 to 7.0; a scan or exscan 13.2 to 15. Notation
 * as in native_model.c. Of what `tuned` decides for small messages nothing is told.
 */
#include "native_model.h"

#include "constants.h"

#include <math.h>

/* Bytes from which `tuned` takes a message for large; by collective, as its tables have it. */
enum { LARGE_BCAST = 1 << 20, LARGE_WIDE_BCAST = 512 << 10, LARGE_REDUCE = 256 << 10, LARGE_ALLREDUCE = 1 << 20 };

enum { RADIX = 4 }; /* of the broadcast's tree: a rank and its three children a level */

/* One rank sends to all others, or all send to one. */
static double linear_seconds(int ranks, double m, const struct figures *g)
{
    return native_start_up(ranks, g) + (ranks - 1) * g->beta * m;
}

/* A rank sends to those with the largest subtrees first, so that the last one of each level is on the longest way. */
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

/* A rank hands on what its subtree of 2^i ranks gets, but for its own part. */
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

/*
 * The root's two children have the halves of the others below them; so on. The last rank sends the result to another root.
 */
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
    const bool apart = p < 4 || (p >= 8 && p < 16 && m >= LARGE_ALLREDUCE) || (p >= 128 && p < 512);
    if (f->op == OP_ORDERED && apart)
        return reduce_seconds(f, m, g) + bcast_seconds(f, m, g);
    return native_exchanges(f, m, g, node);
}

/* Where the ranks of each node follow each other, the line leaves a node once. */
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
    switch (f->collective) {
    case COLL_BCAST:
        return bcast_seconds(f, m, g);
    case COLL_REDUCE:
        return reduce_seconds(f, m, g);
    case COLL_ALLREDUCE:
        return allreduce_seconds(f, m, g, node);
    default:
        return scan_seconds(f, m, g, node);
    }
}
