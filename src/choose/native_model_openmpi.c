/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The model's guess of what a native call of a large message takes in Open MPI 4.1 and 5. Their component `tuned` chooses
 * the algorithm by ranks and bytes, not by nodes. By default it cuts no message: a rank sends a message on once it has all
 * of it.
 *
 *   broadcast   below 16 ranks: the root sends to each other rank
 *               of a large message, from 16 to 31 ranks and from 1024 on: a binomial scatter, an allgather by doubling
 *               else: below 32 ranks a binomial tree, from 32 on a tree in which a rank has three children a level
 *   reduction   below 8 ranks: all send to the root
 *               in order, of a message that is not large, below 16 ranks: the same
 *               else: a binomial tree or, in order, a binary tree whose root is the last rank
 *   allreduce   halving and doubling or, in order, doubling or a reduction and a broadcast
 *   scans       a line of ranks, each of which waits for the one before
 *
 * A rank sends to all its children at once. Messages that are not sent eagerly share the rank's port, so that all of them
 * arrive only when the last one does.
 *
 * Times in scripts/lab, on 16 hosts, as multiples of beta m: a broadcast takes 3.7 at 32 KiB, 8.4 to 9.5 from 64 to 512 KiB,
 * 3.0 at 1 MiB, 3.6 at 4 MiB; a sum 4.0 from 64 KiB on, a reduction by the user's operation 6.6 to 7.0; a scan or exscan
 * 13.2 to 15. Notation as in native_model.c. The file does not model what `tuned` decides for small messages.
 */
#include "native_model.h"

#include "constants.h"

#include <math.h>

/* Bytes from which a message is large in the tables of `tuned`, by collective. */
enum { LARGE_BCAST = 1 << 20, LARGE_WIDE_BCAST = 512 << 10, LARGE_REDUCE = 256 << 10, LARGE_ALLREDUCE = 1 << 20 };

enum { RADIX = 4 }; /* of the broadcast's tree: a rank and its three children a level */

/* One rank sends to all others, or all send to one. */
static double linear_seconds(int ranks, double m, const struct figures *g)
{
    return native_start_up(ranks, g) + (ranks - 1) * g->beta * m;
}

/*
 * A rank sends to the children with the largest subtrees first. The longest way leads through the last child of each level.
 * This child waits for the messages to the other children of its level or, if messages are not sent eagerly, for those to
 * all children of its parent.
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

/* In the scatter, a rank sends on what its subtree of 2^i ranks gets, but for its own part. */
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
 * Each of two children has half of the other ranks in its subtree, and so on. If the root is not the last rank, the last
 * rank sends it the result.
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
