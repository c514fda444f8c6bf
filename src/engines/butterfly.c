/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Butterfly: allreduce in the least time for its bytes, 2(p-1)/p beta*m, for any p. doc/butterfly says more.
 *
 * R. Rabenseifner, "Optimization of Collective Reduction Operations", ICCS 2004, LNCS 3036: reduce-scatter by halving, then
 * allgather by doubling. M. Ruefenacht, M. Bull, S. Booth, "Generalisation of Recursive Doubling for AllReduce: Now with
 * Simulation", Parallel Computing 69 (2017), take other factors than 2.
 *
 * Let p = f_1 f_2 .. f_L, all prime, and F_i = f_1 .. f_i. The blocks form p parts. Digit i of rank r is d_i = r / F_(i-1)
 * mod f_i. At level i, f_i ranks, which differ only in digit i, work on the same p/F_(i-1) parts, cut into f_i ranges.
 *
 *     reduce-scatter   i = 1 .. L: each rank gets the range of its digit from the others, and folds it
 *     allgather        i = L .. 1: each rank gives the others the range of its digit
 *
 * If p = 2^L, and there are n = 2^a < p blocks, these are the parts. Then the reduce-scatter has the levels 1 .. a alone. At
 * each later level, the two ranks exchange the one block that both have, and both fold: a + L rounds for 2(1 - 2^-a) +
 * (L - a) 2^-a messages. With n = 1 this is recursive doubling. The operands of an element are combined alike for each n.
 *
 * A range goes in pieces of w blocks. In turn t = 1 .. f_i-1 a rank sends to digit d_i+t and receives from digit d_i-t, mod
 * f_i. If the largest range of level i has U_i pieces, there are exactly 2 sum (f_i-1) U_i rounds.
 *
 * Example, p = 3, n = 6, w = 2; the blocks received / the blocks sent:
 *
 *     step        0          1          2          3
 *     rank 0  0..1/2..3  0..1/4..5  4..5/0..1  2..3/0..1
 *     rank 1  2..3/4..5  2..3/0..1  0..1/2..3  4..5/2..3
 *     rank 2  4..5/0..1  4..5/2..3  2..3/4..5  0..1/4..5
 *
 * Invariant: before level i a rank's partial results combine an aligned interval of F_(i-1) ranks, itself among them. The
 * intervals of the f_i ranks follow each other in the order of their digits. So the pieces from lower digits d-1, .., 0 are
 * folded from the left. Where the order counts, the pieces from higher digits f-1, .., d+1 are first combined in T1.
 */
#include "engine.h"
#include "part_pieces.h"
#include "place_tree.h"

#include <assert.h>

enum { MOST_FACTORS = 30 }; /* of a number below 2^31 */

/* The use of cursor.state. schedule.number has f_1 .. f_L. */
enum {
    STAGE,  /* 0 .. L-1: level 1 .. L of the reduce-scatter, or of doubling; from L on: those of the allgather, down to 1 */
    STRIDE, /* F_(i-1) of the level */
    FAN,    /* f_i */
    DIGIT,  /* d_i */
    PARTS,  /* parts of a range */
    BEGIN,  /* the first part of the ranges */
    PIECES, /* U_i */
    PIECE,  /* number of the coming piece in its range */
    TURN,   /* t */
    WHEN,   /* the coming step's number */
    USED
};
_Static_assert((int)USED <= (int)MOVING && (int)MOST_FACTORS <= (int)SCHEDULE_NUMBERS, "they fit");

/* ---- Levels ---------------------------------------------------------------------------------------------------------- */

static bool divides(int64_t a, int64_t b)
{
    return a > 0 && b % a == 0;
}

/*
 * The size of the smallest node or place of more than `inner` ranks; p if there is none. Nodes, or the places of one level,
 * count only if all of them have the same size and `inner` divides this size.
 */
static int64_t next_boundary(const struct shape *s, int64_t inner)
{
    const int64_t p = s->ranks, k = s->node_ranks;
    int64_t outer = k > inner && divides(inner, k) && divides(k, p) ? k : p;
    for (int i = 0; s->places && i < s->places->depth; i++) {
        const struct level *l = &s->places->level[i];
        if ((int64_t)l->parts * l->largest == p && l->largest > inner && l->largest < outer && divides(inner, l->largest))
            outer = l->largest;
    }
    return outer;
}

/* Prime factors of p, ascending within each boundary, from the inside out. Returns their number. */
static int factors_of(const struct shape *s, int64_t factor[MOST_FACTORS])
{
    int count = 0;
    for (int64_t inner = 1, outer; inner < s->ranks; inner = outer) {
        outer = next_boundary(s, inner);
        int64_t rest = outer / inner;
        for (int64_t f = 2; rest > 1; f = f * f > rest ? rest : f + 1)
            for (; divides(f, rest); rest /= f)
                factor[count++] = f;
    }
    assert(count <= MOST_FACTORS);
    return count;
}

static bool doubles(const struct shape *s)
{
    const int64_t p = s->ranks, n = s->blocks;
    return n < p && (p & (p - 1)) == 0 && (n & (n - 1)) == 0;
}

static int64_t parts_of(const struct shape *s)
{
    return doubles(s) ? s->blocks : s->ranks;
}

static int64_t halved(const struct shape *s, int64_t levels)
{
    return doubles(s) ? ceil_log2(s->blocks) : levels;
}

static bool is_double(const struct schedule *s, int64_t stage)
{
    return stage >= halved(&s->shape, s->numbers) && stage < s->numbers;
}

static void enter_stage(int64_t state[MOVING], const struct schedule *s)
{
    const int64_t stage = state[STAGE], levels = s->numbers, a = halved(&s->shape, levels);
    const int64_t level = stage < levels ? stage : levels + a - 1 - stage;
    state[STRIDE] = 1;
    state[PARTS] = parts_of(&s->shape);
    state[BEGIN] = 0;
    for (int64_t i = 0;; i++) {
        state[FAN] = s->number[i];
        state[PARTS] /= i < a ? state[FAN] : 1;
        state[DIGIT] = s->rank / state[STRIDE] % state[FAN];
        if (i == level)
            break;
        state[BEGIN] += i < a ? state[DIGIT] * state[PARTS] : 0;
        state[STRIDE] *= state[FAN];
    }
    state[PIECES] = parts_pieces(&s->shape, parts_of(&s->shape), state[PARTS]);
    state[PIECE] = 0;
    state[TURN] = 1;
}

/* ---- Schedule -------------------------------------------------------------------------------------------------------- */

/* False: there is none. */
static bool find_piece(struct cursor *c, const struct schedule *s, int64_t digit, int slot, struct piece *piece)
{
    const int64_t parts = c->state[PARTS];
    *piece = parts_piece(&s->shape, parts_of(&s->shape), slot, c->state[BEGIN] + digit * parts, parts, c->state[PIECE]);
    return piece->more >= 0;
}

/* The exchange x of the reduce-scatter, its folds and copies. `upper`: from a rank with a higher digit. */
static void push_reduction(struct cursor *c, const struct schedule *s, struct step x, bool upper)
{
    const int64_t d = c->state[DIGIT], t = c->state[TURN];
    const bool first = c->state[STAGE] == 0;
    const int own = first && s->shape.ordered && d == 0 ? SLOT_IN : SLOT_OUT; /* where this rank's operand is */
    if (first && t == 1 && own == SLOT_OUT)
        cursor_push_piece(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, x.b);
    cursor_push(c, s, x);
    if (!upper)
        cursor_push_piece(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, x.b);
    if (upper && x.b.slot == SLOT_T0)
        cursor_push_piece(c, s, STEP_FOLD, SLOT_T0, SLOT_T1, x.b);
    if (upper && t == c->state[FAN] - 1) {
        cursor_push_piece(c, s, STEP_FOLD, own, SLOT_T1, x.b);
        cursor_push_piece(c, s, STEP_COPY, SLOT_T1, SLOT_OUT, x.b);
    }
}

/* Both ranks fold the lower rank's partial result with the upper one's. */
static void push_double(struct cursor *c, const struct schedule *s)
{
    const int64_t *state = c->state, d = state[DIGIT];
    const int own = state[STAGE] == 0 ? SLOT_IN : SLOT_OUT, peer = s->rank + (int)((1 - 2 * d) * state[STRIDE]);
    const struct piece sent = one_block(own, state[BEGIN]), received = one_block(SLOT_T0, state[BEGIN]);
    if (d == 1 && own == SLOT_IN)
        cursor_push_act(c, s, STEP_COPY, SLOT_IN, SLOT_OUT, state[BEGIN]);
    cursor_push(
        c, s, (struct step){.kind = STEP_EXCHANGE, .when = state[WHEN], .to = peer, .from = peer, .a = sent, .b = received});
    if (d == 1)
        cursor_push_act(c, s, STEP_FOLD, SLOT_T0, SLOT_OUT, state[BEGIN]);
    else {
        cursor_push_act(c, s, STEP_FOLD, own, SLOT_T0, state[BEGIN]);
        cursor_push_act(c, s, STEP_COPY, SLOT_T0, SLOT_OUT, state[BEGIN]);
    }
}

/* False: this rank has nothing to do in it. */
static bool push_turn(struct cursor *c, const struct schedule *s)
{
    const int64_t *state = c->state;
    const int64_t f = state[FAN], d = state[DIGIT], t = state[TURN];
    const bool gather = state[STAGE] >= s->numbers;
    if (is_double(s, state[STAGE])) {
        push_double(c, s);
        return true;
    }
    const int64_t next = (d + t) % f, before = (d - t + f) % f;
    const bool upper = !gather && s->shape.ordered && before > d;
    const int in = gather ? SLOT_OUT : upper && t == d + 1 ? SLOT_T1 : SLOT_T0;
    struct step x = {.kind = STEP_EXCHANGE, .when = state[WHEN], .to = NOBODY, .from = NOBODY};
    if (find_piece(c, s, gather ? d : next, state[STAGE] == 0 ? SLOT_IN : SLOT_OUT, &x.a))
        x.to = s->rank + (int)((next - d) * state[STRIDE]);
    if (find_piece(c, s, gather ? before : d, in, &x.b))
        x.from = s->rank + (int)((before - d) * state[STRIDE]);
    if (!gather && x.from != NOBODY)
        push_reduction(c, s, x, upper);
    else if (x.to != NOBODY || x.from != NOBODY)
        cursor_push(c, s, x);
    return x.to != NOBODY || x.from != NOBODY;
}

static bool refill(struct cursor *c, const struct schedule *s)
{
    int64_t *const state = c->state;
    for (bool pushed = false; !pushed; state[WHEN]++) {
        if (state[STAGE] == s->numbers + halved(&s->shape, s->numbers))
            return false;
        pushed = push_turn(c, s);
        if (++state[TURN] < state[FAN])
            continue;
        state[TURN] = 1;
        if (++state[PIECE] == state[PIECES] && ++state[STAGE] < s->numbers + halved(&s->shape, s->numbers))
            enter_stage(state, s);
    }
    return true;
}

static void generate(struct schedule *s)
{
    s->numbers = factors_of(&s->shape, s->number);
    enter_stage(s->start, s);
    s->refill = refill;
}

/* ---- Cost ------------------------------------------------------------------------------------------------------------ */

/* Aligned ranks. */
static bool on_a_node(const struct shape *s, int64_t ranks)
{
    return s->node_ranks >= s->ranks || (s->node_ranks > 0 && divides(ranks, s->node_ranks));
}

static struct rank_work work(const struct shape *s)
{
    int64_t factor[MOST_FACTORS], inside = 1;
    const int levels = factors_of(s, factor);
    struct rank_work sum = {.folded = 0};
    const int64_t a = halved(s, levels), all = parts_of(s);
    for (int i = 0; i < levels; i++) {
        const bool twice = i < a; /* the level has a part in the allgather, too */
        const int64_t f = factor[i], parts = twice ? all / (inside *= f) : 1;
        inside *= twice ? 1 : f;
        const double share = (double)part_offset(s->blocks, all, parts) / (double)s->blocks, ways = twice ? 2 : 1;
        const double rounds = ways * (double)((f - 1) * parts_pieces(s, all, parts)), sent = ways * (double)(f - 1) * share;
        if (on_a_node(s, inside)) {
            sum.on_node.rounds += rounds;
            sum.on_node.sent += sent;
        } else {
            sum.between.rounds += rounds;
            sum.between.sent += sent;
        }
        /*
         * If the order of operands counts, some rank folds in each of f-1 turns, and twice in the last one if f > 2. Then it
         * copies. The lower one of two ranks that double copies, too. Copies from IN to OUT do not count.
         */
        sum.folded += (double)(s->ordered || !twice ? f + (f > 2) : f - 1) * share;
    }
    return sum;
}

static struct round_bound round_bound(const struct shape *s)
{
    const struct rank_work sum = work(s);
    return (struct round_bound){.slope = 0, .latency = sum.on_node.rounds + sum.between.rounds};
}

const struct engine engine_butterfly = {
    .name = "butterfly",
    .summary = "reduce-scatter and allgather among ranks that differ in one digit, factor by factor of p",
    .scratch = 2,
    .serves = {[COLL_ALLREDUCE] = {.text.rounds = "sum 2(f-1)ceil(N/(Fw))",
                                   .round_bound = round_bound,
                                   .work = work,
                                   .generate = generate,
                                   .model.doubles = true}},
};
