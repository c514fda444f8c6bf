/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mesh: recursive doubling along the root's row of a near-square grid, then along all columns at once.
 *
 * A. Grama, A. Gupta, G. Karypis, V. Kumar, "Introduction to Parallel Computing", 2nd ed. 2003, Sect. 4.1.2. The book has
 * a square mesh with the root in its corner. Here the positions are v = (rank - root) mod p. A column is a range of
 * `height` = ceil(sqrt p) neighbouring positions, and the last one may be shorter. The first positions of the columns are
 * the root's row.
 *
 * Example, p = 7: height 3, and the columns 0 1 2, 3 4 5 and 6. Broadcast from root 0, n = 1; the block received / the
 * block sent:
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
 * With w columns, a block takes ceil(log2 w) + ceil(log2 height) steps: at most q+1, as both are at most q/2 if q is even,
 * else (q+1)/2. Binomial never takes more steps; this engine is for networks that are a mesh. The invariants are those of
 * binomial_tree.c. A reduction goes along the columns first, and columns are ranges: so it keeps the order at roots 0 and
 * p-1.
 */
#include "binomial_tree.h"

#include <math.h>

/* The grid, and the two lines on which a rank may lie. */
struct grid {
    struct positions row, column;
    int row_steps, column_steps;
};

static struct grid grid_of(int p, int v)
{
    int height = (int)ceil(sqrt(p)), first = v - v % height, rest = p - first;
    struct grid g = {.row = {0, height, (p - 1) / height + 1}, .column = {first, 1, rest < height ? rest : height}};
    g.row_steps = ceil_log2(g.row.count);
    g.column_steps = ceil_log2(height);
    return g;
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    bool reduces = shape->collective == COLL_REDUCE, down = reduces && shape->ordered && shape->root == shape->ranks - 1;
    struct binomial_tree d = {.shape = shape, .top = shape->root, .down = down};
    binomial_tree_begin(&d, s->rank);
    struct grid g = grid_of(shape->ranks, d.v);
    bool in_row = d.v == g.column.first;
    d.period = g.row_steps + g.column_steps;
    if (!reduces && in_row)
        binomial_tree_bcast(s, &d, g.row, 0);
    if (!reduces) {
        binomial_tree_bcast(s, &d, g.column, g.row_steps);
        return;
    }
    binomial_tree_reduce(s, &d, g.column, 0);
    if (in_row)
        binomial_tree_reduce(s, &d, g.row, g.column_steps);
    if (s->rank == shape->root)
        binomial_tree_finish(s, &d);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = ceil_log2(s->ranks) + 1, .latency = 0};
}

#define DOUBLING .model.reference = true, .text.rounds = "qn+n", .round_bound = round_bound, .generate = generate

const struct engine engine_mesh = {
    .name = "mesh",
    .summary = "recursive doubling along a row, then along all columns of a near-square grid",
    .trees = 1,
    .scratch = 2,
    .serves = {[COLL_BCAST] = {DOUBLING}, [COLL_REDUCE] = {DOUBLING, .needs = NEED_COMMUTATIVE_OR_END_ROOT}},
};
