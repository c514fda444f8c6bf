/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Native: the MPI library's own collective, an engine without a schedule. Its cost is that of what MPICH 4 does with large
 * messages: broadcast as scatter and ring allgather, built-in reductions as reduce-scatter and gather (Rabenseifner),
 * user-defined reductions by a binomial tree to rank 0, scans by recursive doubling; the first two by a binomial tree where
 * that is cheaper. In a round of MPICH's recursive doubling half of the ranks fold the message twice, into the partial
 * result and into the result, which makes a round of a scan cost alpha + (beta + 2 gamma) m.
 *
 * Notation: p ranks, q = ceil(log2 p), m bytes, alpha, beta, gamma as in struct figures.
 */
#include <pleach/engine.h>

static double least(double a, double b)
{
    return a < b ? a : b;
}

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
    return least(q * (alpha + f->beta * m), (q + s->ranks - 1) * alpha + 2 * others(s) * f->beta * m);
}

static double reduce_seconds(const struct shape *s, double m, const struct figures *f)
{
    int q = ceil_log2(s->ranks);
    double alpha = start_up(s, f), binomial = q * (alpha + (f->beta + f->gamma) * m);
    if (s->ordered && s->root != 0) /* to rank 0, which sends it on */
        binomial += alpha + f->beta * m;
    return s->ordered ? binomial : least(binomial, 2 * q * alpha + others(s) * (2 * f->beta + f->gamma) * m);
}

static double scan_seconds(const struct shape *s, double m, const struct figures *f)
{
    return ceil_log2(s->ranks) * (f->alpha + (f->beta + 2 * f->gamma) * m);
}

const struct engine engine_native = {
    .name = "native",
    .summary = "the MPI library's own collective",
    .trees = 1,
    .serves =
        {
            [COLL_BCAST] = {.formula = "q, or q+p-1 for 2m", .seconds = bcast_seconds},
            [COLL_REDUCE] = {.formula = "q, or 2q for 2m", .seconds = reduce_seconds},
            [COLL_SCAN] = {.formula = "q", .seconds = scan_seconds},
            [COLL_EXSCAN] = {.formula = "q", .seconds = scan_seconds},
        },
};
