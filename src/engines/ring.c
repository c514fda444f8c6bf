/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ring: an ordered reduction to any root in beta*m. doc/classics says more.
 *
 * The algorithm is ours. P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction
 * and Scan", Parallel Computing 35 (2009), footnote 11, gives 2 beta*m as a lower bound at an interior root. The footnote is
 * wrong.
 *
 * From root rho the pipeline visits rho, rho+1, .., p-1, then rho-1, rho-2, .., 0, and then rho again. The ranks above rho
 * append their operand on the right; if the order is free, they prepend it instead. The ranks below rho prepend theirs on
 * the left. Position k of the walk receives block j in step k-1+j and sends it in step k+j. The root is also position p,
 * where it receives the result. Rounds: p-1+n.
 *
 * Example, p = 5, rho = 2; the operands that travel:
 *
 *     2 -[2..2]-> 3 -[2..3]-> 4 -[2..4]-> 1 -[1..4]-> 0 -[0..4]-> 2
 *
 * With n = 3, the block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6
 *     rank 0                 0/-  1/0  2/1  -/2
 *     rank 1            0/-  1/0  2/1  -/2
 *     rank 2  -/0  -/1  -/2       0/-  1/-  2/-
 *     rank 3  0/-  1/0  2/1  -/2
 *     rank 4       0/-  1/0  2/1  -/2
 *
 * Invariant: a travelling block combines an interval of ranks. The rank visited next is next to the interval.
 */
#include "engine.h"

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 1, .latency = s->ranks - 1};
}

/* The rank at position k of the walk, 0 <= k <= p. */
static int visited(const struct shape *s, int k)
{
    int above = s->ranks - s->root; /* ranks rho .. p-1 */
    if (k == s->ranks)
        return s->root;
    return k < above ? s->root + k : s->ranks - 1 - k;
}

static void generate_reduce(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int p = shape->ranks;
    int k = s->rank >= shape->root ? s->rank - shape->root : p - 1 - s->rank;
    bool append = shape->ordered && s->rank > shape->root;
    int before = (k > 0 ? k : p) - 1; /* the position from which this rank receives */
    struct lane in = {.leg = LEG_RECV, .slot = SLOT_T0 | SLOT_ALTERNATE, .when = before, .period = 1, .left = shape->blocks};
    struct lane out = {.leg = LEG_SEND, .slot = SLOT_T0 | SLOT_ALTERNATE, .when = k, .period = 1, .left = shape->blocks};

    in.peer = visited(shape, before);
    out.peer = visited(shape, k + 1);
    if (k == 0) {
        out.slot = SLOT_IN;
        in.slot = SLOT_OUT;
    } else if (append) {
        in.slot = SLOT_T0;
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T1};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_T1};
        out.slot = SLOT_T1;
    } else {
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
    }
    schedule_lane(s, in);
    schedule_lane(s, out);
}

const struct engine engine_ring = {
    .name = "ring",
    .summary = "ordered reduction to any root in one pass around all ranks",
    .scratch = 2,
    .serves = {[COLL_REDUCE] = {.text.rounds = "p-1+n",
                                .model.streams = true,
                                .executor.chained = true,
                                .round_bound = round_bound,
                                .generate = generate_reduce}},
};
