/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mesh: recursive doubling along the root's row of a near-square grid, then along all columns at once.
 *
 * The book that binomial_tree.c cites, Sect. 4.1.2, for a square mesh with the root in its corner. Here a column is `height`
 * = ceil(sqrt p) neighbouring positions v = (rank - root) mod p, the last one perhaps fewer; the first of each are the
 * root's row.
 *
 * Example, p = 7: height 3, and the columns 0 1 2, 3 4 5 and 6. Broadcast from root 0, n = 1:
 *
 *     step     0    1    2    3
 *     rank 0  -/0  -/0  -/0  -/0
 *     rank 1                 0/-
 *     rank 2            0/-
 *     rank 3       0/-  -/0  -/0
 *     rank 4                 0/-
 *     rank 5            0/-
 *     rank 6  0/-
 *
 * The invariants are those of binomial_tree.c. A reduction goes along the columns first, so it keeps the order at roots 0
 * and p-1.
 */
#include "binomial_tree.h"

#include <math.h>

static int grid(int p, int v, struct binomial_line line[BINOMIAL_LINES])
{
    const int height = (int)ceil(sqrt(p)), first = v - v % height, rest = p - first, columns = (p - 1) / height + 1;
    line[0] = (struct binomial_line){0, height, columns, ceil_log2(columns)};
    line[1] = (struct binomial_line){first, 1, rest < height ? rest : height, ceil_log2(height)};
    return 2;
}

static void generate(struct schedule *s)
{
    binomial_generate(s, grid);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = ceil_log2(s->ranks) + 1, .latency = 0};
}

#define DOUBLING .model.reference = true, .text.rounds = "qn+n", .round_bound = round_bound, .generate = generate

const struct engine engine_mesh = {
    .name = "mesh",
    .summary = "recursive doubling along a row, then along all columns of a near-square grid",
    .scratch = 2,
    .serves = {[COLL_BCAST] = {DOUBLING}, [COLL_REDUCE] = {DOUBLING, .needs = NEED_COMMUTATIVE_OR_END_ROOT}},
};
