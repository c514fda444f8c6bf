/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What MPICH 4 does with large messages, as the model's guess of what the native call takes: broadcast as scatter and ring
 * allgather, built-in reductions as reduce-scatter and gather (Rabenseifner), user-defined reductions by a binomial tree to
 * rank 0, scans by recursive doubling; the first two by a binomial tree where that is cheaper. In a round of MPICH's
 * recursive doubling half of the ranks fold the message twice: into the partial result and into the result. So a round of
 * a scan costs alpha + (beta + 2 gamma) m. A rank of a reduction first copies its operand to where it will be folded: one
 * more pass over it, like a folding.
 *
 * Notation: p ranks, q = ceil(log2 p), m bytes, alpha, beta, gamma as in struct figures.
 */
#include "model.h"

#include <math.h>

/* The way of a message: between two ranks there is no round in which others wait. */
static double start_up(const struct shape *s, const struct figures *f)
{
    return s->ranks == 2 ? f->hop : f->alpha;
}

/* The share of the message that a rank has no part of where all ranks have the same. */
static double others(const struct shape *s)
{
    return 1 - 1 / (double)s->ranks;
}

static double bcast_seconds(const struct shape *s, double m, const struct figures *f)
{
    int q = ceil_log2(s->ranks);
    double alpha = start_up(s, f);
    return fmin(q * (alpha + f->beta * m), ((double)q + s->ranks - 1) * alpha + 2 * others(s) * f->beta * m);
}

static double reduce_seconds(const struct shape *s, double m, const struct figures *f)
{
    int q = ceil_log2(s->ranks);
    double alpha = start_up(s, f), binomial = q * (alpha + (f->beta + f->gamma) * m);
    if (s->ordered && s->root != 0) /* to rank 0, which sends it on */
        binomial += alpha + f->beta * m;
    double halving = 2 * q * alpha + others(s) * (2 * f->beta + f->gamma) * m, copy = f->gamma * m;
    return copy + (s->ordered ? binomial : fmin(binomial, halving));
}

static double scan_seconds(const struct shape *s, double m, const struct figures *f)
{
    return ceil_log2(s->ranks) * (f->alpha + (f->beta + 2 * f->gamma) * m);
}

/*
 * Built-in operations by Rabenseifner's algorithm: reduce-scatter by halving, allgather by doubling. Others, and messages of
 * fewer elements than ranks, by recursive doubling of whole messages. Where p is no power of two, P is the one below, and the
 * p-P ranks too many hand their messages over before and get the result after.
 */
static double allreduce_seconds(const struct shape *s, double m, const struct figures *f)
{
    const int q = ceil_log2(s->ranks), h = 1 << q > s->ranks ? q - 1 : q; /* floor(log2 p) */
    const double all = 1 << h, extra = s->ranks > all ? 1 : 0, alpha = start_up(s, f);
    if (s->ordered)
        return (h + 2 * extra) * (alpha + f->beta * m) + (h + extra) * f->gamma * m;
    return 2 * (h + extra) * alpha + (2 - 2 / all + 2 * extra) * f->beta * m + (1 - 1 / all + extra) * f->gamma * m;
}

double native_seconds(const struct shape *s, double m, const struct figures *f)
{
    switch (s->collective) {
    case COLL_BCAST:
        return bcast_seconds(s, m, f);
    case COLL_REDUCE:
        return reduce_seconds(s, m, f);
    case COLL_ALLREDUCE:
        return allreduce_seconds(s, m, f);
    default:
        return scan_seconds(s, m, f);
    }
}
