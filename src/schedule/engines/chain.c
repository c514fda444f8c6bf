/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chain: a linear pipeline through all ranks.
 *
 * Folklore; analysed as "linear pipeline" in P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth
 * Broadcast, Reduction and Scan", Parallel Computing 35 (2009), Sect. 2, and for prefix sums in P. Sanders, J. L. Traeff,
 * "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006. It is the only scan that takes beta*m.
 *
 * The ranks stand in a line at positions v = 0 .. p-1. Position v receives block j in step v-1+j and sends it on in step
 * v+j, so that it sends block j while block j+1 comes in: p-2+n rounds.
 *
 * Example, broadcast from root 0 (v = rank), p = 4, n = 3; an entry is the block received / the block sent:
 *
 *     step     0    1    2    3    4
 *     rank 0  -/0  -/1  -/2
 *     rank 1  0/-  1/0  2/1  -/2
 *     rank 2       0/-  1/0  2/1  -/2
 *     rank 3            0/-  1/-  2/-
 *
 * Where the line runs:
 *   broadcast         root, root+1, .., root-1 (mod p): v = rank - root
 *   reduction         root+1, .., p-1, 0, .., root: v = rank - root - 1 (mod p). This keeps the rank order only if
 *                     root = p-1; for root = 0 an ordered reduction runs down, v = p-1-rank. At an interior root an
 *                     ordered reduction is no line: engine `ring` does it.
 *   scan, exscan      v = rank
 *
 * Invariant of the ordered reduction and the scans: what arrives at a position is the combination of all ranks that stand
 * before it, so its interval touches this rank's own.
 */
#include "engine.h"

static struct pace pace(const struct shape *s)
{
    return (struct pace){.slope = 1, .latency = s->ranks - 2};
}

/* Adds the messages in and out of position v: from `before` unless first, to `after` unless last. */
static void line(struct schedule *s, const struct shape *shape, int v, int before, struct lane in, int after,
                 struct lane out)
{
    in.leg = LEG_RECV;
    in.peer = before;
    in.when = v - 1;
    in.period = 1;
    in.left = v > 0 ? shape->blocks : 0;
    out.leg = LEG_SEND;
    out.peer = after;
    out.when = v;
    out.period = 1;
    out.left = v < shape->ranks - 1 ? shape->blocks : 0;
    schedule_lane(s, in);
    schedule_lane(s, out);
}

static void bcast_start(struct schedule *s, const struct shape *shape, int rank)
{
    int p = shape->ranks;
    int v = (rank - shape->root + p) % p;
    schedule_clear(s);
    line(s, shape, v, (rank - 1 + p) % p, (struct lane){.slot = SLOT_OUT}, (rank + 1) % p, (struct lane){.slot = SLOT_OUT});
}

static bool reduce_fits(const struct shape *s)
{
    return !shape_interior(s);
}

static void reduce_start(struct schedule *s, const struct shape *shape, int rank)
{
    int p = shape->ranks;
    bool down = shape->ordered && shape->root == 0 && p > 1;
    bool append = shape->ordered && !down; /* what arrives holds the lower ranks */
    int v = down ? p - 1 - rank : (int)(((int64_t)rank - shape->root - 1 + p) % p);
    struct lane in = {.slot = SLOT_T0}, out = {.slot = SLOT_IN};

    schedule_clear(s);
    if (p == 1) {
        schedule_alone(s, shape);
        return;
    }
    if (v == p - 1 && down) {
        /* The root itself. IN is used up before OUT is written: they may be the same memory. */
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0};
        in.after[1] = (struct act){STEP_COPY, SLOT_T0, SLOT_OUT};
    } else if (v == p - 1) {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_OUT};
    } else if (v > 0 && append) {
        in.after[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T1};
        in.after[1] = (struct act){STEP_FOLD, SLOT_T0, SLOT_T1};
        out.slot = SLOT_T1;
    } else if (v > 0) {
        in.slot = out.slot = SLOT_T0 | SLOT_ALTERNATE;
        in.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
    }
    int step = down ? -1 : 1;
    line(s, shape, v, (rank - step + p) % p, in, (rank + step + p) % p, out);
}

static void scan_start(struct schedule *s, const struct shape *shape, int rank)
{
    struct lane in = {.slot = SLOT_T0, .after = {{STEP_COPY, SLOT_IN, SLOT_OUT}, {STEP_FOLD, SLOT_T0, SLOT_OUT}}};
    struct lane out = {.slot = SLOT_OUT};
    schedule_clear(s);
    if (shape->ranks == 1)
        schedule_alone(s, shape);
    if (rank == 0)
        out.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};
    line(s, shape, rank, rank - 1, in, rank + 1, out);
}

/* What comes in is the result; what goes out is it with this rank's own input appended, which is set aside in time. */
static void exscan_start(struct schedule *s, const struct shape *shape, int rank)
{
    struct lane in = {.slot = SLOT_OUT}, out = {.slot = SLOT_IN};
    schedule_clear(s);
    if (rank > 0 && rank < shape->ranks - 1) {
        in.before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_T0 | SLOT_ALTERNATE};
        in.after[0] = (struct act){STEP_FOLD, SLOT_OUT, SLOT_T0 | SLOT_ALTERNATE};
        out.slot = SLOT_T0 | SLOT_ALTERNATE;
    }
    line(s, shape, rank, rank - 1, in, rank + 1, out);
}

const struct engine engine_chain = {
    .name = "chain",
    .summary = "linear pipeline through all ranks",
    .trees = 1,
    .scratch = 2,
    .serves =
        {
            [COLL_BCAST] = {.text.rounds = "p-2+n",
                            .model.streams = true,
                            .executor.chained = true,
                            .pace = pace,
                            .start = bcast_start},
            [COLL_REDUCE] = {.text.rounds = "p-2+n",
                             .model.streams = true,
                             .executor.chained = true,
                             .text.needs = "a commutative operation, or root 0 or p-1",
                             .fits = reduce_fits,
                             .pace = pace,
                             .start = reduce_start},
            [COLL_SCAN] =
                {.text.rounds = "p-2+n", .model.streams = true, .executor.chained = true, .pace = pace, .start = scan_start},
            [COLL_EXSCAN] = {.text.rounds = "p-2+n",
                             .model.streams = true,
                             .executor.chained = true,
                             .pace = pace,
                             .start = exscan_start},
        },
};
