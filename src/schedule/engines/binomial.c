/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans of the engine binomial: one tree, up and then down.
 *
 * "Binomial tree" in P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.1.
 * The paper's n is f = floor(log2 p) here; its total of 2 ceil(log2 p) rounds counts more than its phases have.
 *
 *     up, round k = 0 .. f-1     a rank whose lower k+1 bits are all 1 receives from j - 2^k and then holds the
 *                                combination of j - 2^(k+1) + 1 .. j; j - 2^k is done with this phase
 *     down, round k = f .. 1     a rank whose lower k bits are all 1 holds the combination of 0 .. j and sends it to
 *                                j + 2^(k-1), if there is such a rank
 *
 * So with t = the number of 1s at the end of j, a rank has at most 2t+2 messages, numbered i = 0 .. 2t+1:
 *
 *     i            what             peer             step
 *     0 .. t-1     receives, up     j - 2^i          i
 *     t            sends, up        j + 2^t          t
 *     t+1          receives, down   j - 2^t          2f-t-1
 *     t+2 .. 2t+1  sends, down      j + 2^(2t+1-i)   2f-2t-2+i
 *
 * Those to or from no rank are omitted. In a step a rank sends or receives, never both. A block is sent less than 2p times
 * in all; engine doubling sends it about p log2 p times, in half the steps.
 *
 * Example, scan, p = 7, n = 1 (f = 2); the block received / the block sent:
 *
 *     step     0    1    2    3
 *     rank 0  -/0
 *     rank 1  0/-  -/0       -/0
 *     rank 2  -/0            0/-
 *     rank 3  0/-  0/-  -/0  -/0
 *     rank 4  -/0            0/-
 *     rank 5  0/-       0/-  -/0
 *     rank 6                 0/-
 *
 * Any number of blocks: one is done with before the next one comes, 2fn rounds. More blocks do not overlap; they only bound
 * the memory.
 *
 * Invariants. What comes in ends where the rank's partial result begins, so it is prepended in place: b = a (+) b. In the
 * scan the partial result lies in OUT. In the exclusive scan OUT has the lower ranks alone; what is sent has x, the rank's
 * own input, too, which is set aside in T1 before OUT is written, as IN may be the same memory; thereafter IN is not read
 * again. T1 becomes OUT (+) x when it is first sent. If this was upwards, what comes down is prepended to both.
 *
 * Folds of a block, all of which are needed. Scan: one for each message that comes in, t or t+1. Exclusive scan: one less,
 * as the first one comes into OUT; and if t > 0, one for T1 and another if T1 was sent upwards before something comes down.
 * The last rank sends nothing and has no T1. Rank 0 folds nothing.
 */
#include "binomial_tree.h"

/* The use of schedule.state. BEGUN: the last block of which there is a partial result with x in it, to be sent. */
enum { BLOCK, MESSAGE, BEGUN };

static int phase(int p)
{
    return ceil_log2((int64_t)p + 1) - 1; /* floor(log2 p) */
}

static int trailing_ones(int j)
{
    return __builtin_ctz(~(unsigned)j);
}

/* Takes the rank's next exchange, whose slots are still to be told; returns the number of its message, or -1 at the end. */
static int next_message(struct schedule *s, struct step *x)
{
    int64_t *state = s->state;
    int f = phase(s->shape.ranks), t = trailing_ones(s->rank);
    *x = (struct step){.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY};
    for (; state[BLOCK] < s->shape.blocks; state[BLOCK]++, state[MESSAGE] = 0)
        while (state[MESSAGE] < 2 * t + 2) {
            int i = (int)state[MESSAGE]++;
            bool sends = i == t || i > t + 1;
            int64_t distance = (int64_t)1 << (i <= t ? i : 2 * t + 1 - i);
            int64_t peer = s->rank + (sends ? distance : -distance);
            if (peer < 0 || peer >= s->shape.ranks)
                continue;
            *(sends ? &x->to : &x->from) = (int)peer;
            x->when = 2 * f * state[BLOCK] + (i <= t ? i : 2 * (f - t - 1) + i);
            x->a.block = x->b.block = state[BLOCK];
            return i;
        }
    return -1;
}

static bool scan_refill(struct schedule *s)
{
    struct step x;
    if (next_message(s, &x) < 0)
        return false;
    int64_t block = x.a.block;
    if (s->state[BEGUN] != block)
        schedule_push_act(s, STEP_COPY, SLOT_IN, SLOT_OUT, block);
    s->state[BEGUN] = block;
    x.a.slot = SLOT_OUT;
    x.b.slot = SLOT_T0;
    schedule_push(s, x);
    if (x.from != NOBODY)
        schedule_push_act(s, STEP_FOLD, SLOT_T0, SLOT_OUT, block);
    return true;
}

static bool exscan_refill(struct schedule *s)
{
    struct step x;
    int t = trailing_ones(s->rank), i = next_message(s, &x);
    if (i < 0)
        return false;
    int64_t block = x.a.block;
    bool inner = t > 0 && s->rank < s->shape.ranks - 1; /* both receives and sends on */
    if (inner && i == 0)
        schedule_push_act(s, STEP_COPY, SLOT_IN, SLOT_T1, block);
    if (x.to != NOBODY) {
        if (inner && s->state[BEGUN] != block)
            schedule_push_act(s, STEP_FOLD, SLOT_OUT, SLOT_T1, block);
        s->state[BEGUN] = block;
        x.a.slot = inner ? SLOT_T1 : SLOT_IN;
        schedule_push(s, x);
        return true;
    }
    bool first = i == (t > 0 ? 0 : 1); /* of what comes in */
    x.b.slot = first ? SLOT_OUT : SLOT_T0;
    schedule_push(s, x);
    if (!first)
        schedule_push_act(s, STEP_FOLD, SLOT_T0, SLOT_OUT, block);
    if (inner && s->state[BEGUN] == block)
        schedule_push_act(s, STEP_FOLD, SLOT_T0, SLOT_T1, block);
    return true;
}

static void begin(struct schedule *s, bool (*refill)(struct schedule *s))
{
    s->refill = refill;
    s->state[BLOCK] = s->state[MESSAGE] = 0;
    s->state[BEGUN] = -1;
}

static void generate_scan(struct schedule *s)
{
    begin(s, scan_refill);
}

static void generate_exscan(struct schedule *s)
{
    begin(s, exscan_refill);
}

static struct pace scan_pace(const struct shape *s)
{
    return (struct pace){.slope = 2 * phase(s->ranks), .latency = 0};
}

const struct engine engine_binomial = {
    .name = "binomial",
    .summary = "recursive doubling, one block after the other",
    .trees = 1,
    .scratch = 2,
    .serves =
        {
            [COLL_BCAST] = {.model.reference = true, .text.rounds = "qn", .pace = binomial_pace, .generate = binomial_bcast},
            [COLL_REDUCE] = {.model.reference = true,
                             .text.rounds = "qn",
                             .text.interior = "qn+n",
                             .pace = binomial_pace,
                             .generate = binomial_reduce},
            [COLL_SCAN] = {.text.rounds = "2hn", .pace = scan_pace, .generate = generate_scan},
            [COLL_EXSCAN] = {.text.rounds = "2hn", .pace = scan_pace, .generate = generate_exscan},
        },
};
