/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All-reduces by butterfly and circulant: right for all small numbers of ranks and samples of large ones. Their rounds,
 * messages and work are exactly what the formulas of doc/butterfly and of the paper give, and so is the butterfly's traffic
 * over the boundaries of places. With fewer blocks than parts, work is at most what the formulas give.
 */
#include "placed.h"

#include "cut.h"

#include <limits.h>

enum { FACTORS = 31 };

static const struct engine *butterfly(void)
{
    return engine_find("butterfly");
}

static struct shape shape_of(int p, int64_t n, int64_t wide, bool ordered)
{
    return (struct shape){.collective = COLL_ALLREDUCE, .ordered = ordered, .ranks = p, .blocks = n, .wide = wide};
}

#define BUTTERFLY "p=%d n=%d w=%d k=%d ordered=%d: "
#define BUTTERFLY_OF(s) (s)->ranks, (int)(s)->blocks, (int)(s)->wide, (s)->node_ranks, (s)->ordered

/* ---- Rounds ---------------------------------------------------------------------------------------------------------- */

/* Writes the prime factors of x in ascending order; returns their number. */
static int prime_factors(int x, int factor[FACTORS])
{
    int count = 0;
    for (int f = 2; x > 1; f++)
        for (; x % f == 0; x /= f)
            factor[count++] = f;
    return count;
}

/* Writes the prime factors of p in the engine's order; returns their number. The shape may have nodes, but no `places`. */
static int factors_by_node(const struct shape *s, int factor[FACTORS])
{
    const int p = s->ranks, k = s->node_ranks > 1 && p % s->node_ranks == 0 ? s->node_ranks : 1;
    int inner = prime_factors(k, factor);
    return inner + prime_factors(p / k, factor + inner);
}

/*
 * With n = 2^a < p = 2^q blocks, levels above the first a have one round. Else: the sum of 2 (f_i - 1) U_i over all levels
 * i. f_i is the factor of level i, and U_i the most pieces of any of its ranges; the loop looks at all ranges.
 */
static int64_t rounds_of(const struct shape *s)
{
    int factor[FACTORS];
    const int levels = factors_by_node(s, factor);
    int64_t rounds = 0, parts = s->ranks;
    const int64_t n = s->blocks, p = s->ranks;
    if (n < p && (p & (p - 1)) == 0 && (n & (n - 1)) == 0) {
        for (int64_t left = n / 2; left; left /= 2)
            rounds += 2 * ((left + s->wide - 1) / s->wide);
        return rounds + ceil_log2(p) - ceil_log2(n);
    }
    for (int i = 0; i < levels; i++) {
        int64_t most = 0;
        parts /= factor[i];
        for (int64_t first = 0; first < s->ranks; first += parts) {
            int64_t blocks = part_offset(s->blocks, s->ranks, first + parts) - part_offset(s->blocks, s->ranks, first);
            most = blocks > most ? blocks : most;
        }
        rounds += 2 * (factor[i] - 1) * ((most + s->wide - 1) / s->wide);
    }
    return rounds;
}

/* The schedule is right, with MPI_IN_PLACE and without, in exactly rounds_of() rounds. */
static void check_rounds(struct shape s)
{
    struct verdict v;
    REQUIRE(simulate_engine(butterfly(), &s, &v), BUTTERFLY "%s", BUTTERFLY_OF(&s), v.why);
    REQUIRE(s.ranks == 1 || simulate_bound(butterfly(), &s) == rounds_of(&s),
            BUTTERFLY "the round bound gives %d rounds, not %d", BUTTERFLY_OF(&s), (int)simulate_bound(butterfly(), &s),
            (int)rounds_of(&s));
    REQUIRE(v.rounds == rounds_of(&s), BUTTERFLY "%d rounds, not %d", BUTTERFLY_OF(&s), (int)v.rounds, (int)rounds_of(&s));
}

/*
 * Tries fewer blocks than parts, multiples of p and other numbers of blocks; pieces of one block, of three, and of a whole
 * range.
 */
START_TEST(small)
{
    for (int p = 1; p <= 64; p++) {
        const int blocks[] = {1, 2, p / 2 + 1, p, p + 1, 2 * p, 3 * p + 2};
        for (size_t i = 0; i < COUNT(blocks); i++)
            for (int ordered = 0; ordered < 2; ordered++) {
                check_rounds(shape_of(p, blocks[i], 1, ordered));
                check_rounds(shape_of(p, blocks[i], 3, ordered));
                check_rounds(shape_of(p, blocks[i], blocks[i], ordered));
            }
    }
}

START_TEST(large)
{
    const int whole[] = {96, 97, 100, 128, 192, 243, 256, 257, 360, 500};
    for (size_t i = 0; i < COUNT(whole); i++)
        for (int ordered = 0; ordered < 2; ordered++)
            check_rounds(shape_of(whole[i], whole[i], whole[i] / 3, ordered));
    const int few[] = {512, 1000, 1023, 1024, 1031, 2048, 2187, 3600, 4094, 4095, 4096};
    for (size_t i = 0; i < COUNT(few); i++)
        for (int ordered = 0; ordered < 2; ordered++)
            check_rounds(shape_of(few[i], 9, 4, ordered));
}

/* Tries numbers of ranks that fill all nodes, and others. */
START_TEST(by_node)
{
    for (int p = 2; p <= 40; p++)
        for (int k = 1; k <= p + 1; k++) {
            struct shape s = shape_of(p, 2 * p, 3, p % 2);
            s.node_ranks = k;
            check_rounds(s);
        }
}

/* ---- The order of the factors ---------------------------------------------------------------------------------------- */

/* The ranks to which rank 0 sends, in the order of its first messages to them. The order shows the factors. */
static const char *peers_of_0(const struct shape *s)
{
    static char text[512];
    struct walk schedule;
    struct step x;
    char *end = text;
    int last = NOBODY;
    engine_walk(butterfly(), &schedule, s, 0);
    for (int64_t half = simulate_bound(butterfly(), s) / 2; walk_next(&schedule, &x) && (x.when < half || x.kind);)
        if (x.kind == STEP_EXCHANGE && x.to != last)
            end += sprintf(end, " %d", last = x.to);
    return text + 1;
}

START_TEST(factors)
{
    static const struct {
        int ranks, node_ranks;
        const char *places, *peers;
    } table[] = {
        {12, 0, NULL, "1 2 4 8"},
        {12, 1, NULL, "1 2 4 8"},
        {12, 3, NULL, "1 2 3 6"},
        {12, 6, NULL, "1 2 4 6"},
        {12, 12, NULL, "1 2 4 8"},
        {12, 5, NULL, "1 2 4 8"},  /* 5 does not divide p */
        {12, 24, NULL, "1 2 4 8"}, /* nor does 24 */
        {12, 0, "4x3", "1 2 3 6"},
        {12, 0, "2x6", "1 2 4 6"},
        {12, 3, "2x6", "1 2 3 6"}, /* nodes lie inside places */
        {12, 6, "4x3", "1 2 3 6"}, /* places lie inside nodes */
        {12, 4, "2x6", "1 2 4 8"}, /* neither lies inside the other: the smaller one counts */
        {12, 0, "(3,3),(3,3)", "1 2 3 6"},
        {12, 0, "(3,2,1),(6)", "1 2 4 6"}, /* only the outer places are equally large */
        {12, 0, "5,4,3", "1 2 4 8"},
        {18, 0, "(3,3),(3,3),(3,3)", "1 2 3 6 12"},
        {30, 0, "(5,5),(5,5),(5,5)", "1 2 3 4 5 10 20"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct shape s = shape_of(table[i].ranks, table[i].ranks, 8, true);
        struct places *t = table[i].places ? read_places(table[i].places) : NULL;
        s.node_ranks = table[i].node_ranks;
        s.places = t;
        const char *peers = peers_of_0(&s);
        ck_assert_msg(strcmp(peers, table[i].peers) == 0, "%d ranks, %d a node, places %s: peers %s, not %s", s.ranks,
                      s.node_ranks, t ? table[i].places : "-", peers, table[i].peers);
        places_free(t);
    }
}

/* ---- Boundaries ------------------------------------------------------------------------------------------------------ */

/*
 * On every level, a place of g ranks sends 2 (1 - g/p) times the message, and receives as much. One of N equal nodes sends
 * 2 (N-1)/N times the message.
 */
START_TEST(boundaries)
{
    static const char *const trees[] = {
        "6x12", "16x24", "5x7", "(3,3),(3,3),(3,3)", "(2x5),(2x5),(2x5)", "(2x(4,4)),(2x(4,4)),(2x(4,4))"};
    for (size_t i = 0; i < COUNT(trees); i++) {
        struct places *t = read_places(trees[i]);
        struct shape s = shape_of(places_ranks(t), 2 * places_ranks(t), places_ranks(t), true);
        s.places = t;
        struct verdict v = simulated(butterfly(), &s);
        ck_assert_int_gt(t->depth, 1);
        for (int level = 0; level < t->depth; level++) {
            const int64_t outside = s.ranks - t->level[level].largest, share = 2 * s.blocks / s.ranks * outside;
            const struct boundary *both[] = {&v.with_root[level], &v.without_root[level]};
            for (int b = 0; b < 2; b++)
                ck_assert_msg(both[b]->in == share && both[b]->out == share, "%s, level %d: %d in, %d out, not %d", trees[i],
                              level, (int)both[b]->in, (int)both[b]->out, (int)share);
        }
        places_free(t);
    }
}

/*
 * A node's network card also sends 2 (N-1)/N times the message if the shape has nodes and no places. The table has multiples
 * of m, the bytes of the message: a card sends 1.67 m with 12 ranks on each of 6 nodes, 1.88 m with 24 ranks on each of 16.
 */
START_TEST(cards)
{
    static const struct {
        int node_ranks, nodes;
        double card;
    } table[] = {{12, 6, 1.67}, {24, 16, 1.88}, {3, 4, 1.5}, {2, 9, 1.78}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const int nodes = table[i].nodes;
        struct shape s = shape_of(table[i].node_ranks * nodes, table[i].node_ranks * nodes, 1 << 9, false);
        s.node_ranks = table[i].node_ranks;
        struct verdict v = simulated(butterfly(), &s);
        ck_assert_int_eq(v.crossing, 2 * (nodes - 1) * s.blocks);
        ck_assert_double_eq_tol((double)v.crossing / (double)(nodes * s.blocks), table[i].card, 0.005);
        /* The card sends what the model assumes: a rank's share times the ranks of a node. */
        ck_assert_double_eq_tol(butterfly()->serves[COLL_ALLREDUCE].work(&s).between.sent * s.node_ranks,
                                2.0 * (nodes - 1) / nodes, 1e-9);
    }
}

/* ---- Work ------------------------------------------------------------------------------------------------------------ */

enum { MOST_RANKS = 64, MOST_STEPS = 2000 };

/*
 * The most work of any rank, counted in the schedules. The result's `folded` adds up, over the rounds, the most that any
 * rank folds or copies in the round.
 */
static struct rank_work work_of_schedules(const struct engine *e, const struct shape *s)
{
    static int64_t folded[MOST_STEPS];
    static bool on_node[MOST_STEPS], between[MOST_STEPS];
    struct rank_work most = {.folded = 0};
    memset(folded, 0, sizeof folded);
    memset(on_node, 0, sizeof on_node);
    memset(between, 0, sizeof between);
    for (int rank = 0; rank < s->ranks; rank++) {
        int64_t sent[2] = {0, 0}, here = 0, when = -1;
        struct walk schedule;
        struct step x;
        engine_walk(e, &schedule, s, rank);
        while (walk_next(&schedule, &x)) {
            if (x.kind == STEP_EXCHANGE) {
                when = x.when;
                here = 0;
                REQUIRE(when < MOST_STEPS, BUTTERFLY "too many steps", BUTTERFLY_OF(s));
            } else if (x.a.slot != SLOT_IN || x.b.slot != SLOT_OUT) /* no copy from IN to OUT: MPI_IN_PLACE omits it */
                here += x.a.more + 1;
            if (when >= 0)
                folded[when] = here > folded[when] ? here : folded[when];
            if (x.kind == STEP_EXCHANGE && x.to != NOBODY) {
                const bool far = s->node_ranks == 0 || x.to / s->node_ranks != rank / s->node_ranks;
                sent[far] += x.a.more + 1;
                (far ? between : on_node)[when] = true;
            }
        }
        const double n = (double)s->blocks;
        most.on_node.sent = (double)sent[0] / n > most.on_node.sent ? (double)sent[0] / n : most.on_node.sent;
        most.between.sent = (double)sent[1] / n > most.between.sent ? (double)sent[1] / n : most.between.sent;
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        most.on_node.rounds += on_node[i] && !between[i];
        most.between.rounds += between[i];
        most.folded += (double)folded[i] / (double)s->blocks;
    }
    return most;
}

/*
 * An engine's work() is exact if the number of blocks is a multiple of p. The model takes such a number if the message has
 * enough units. With fewer blocks than parts, no rank sends or folds more than work() says.
 */
static void check_work(const struct engine *e, const struct shape *s)
{
    static const char *const name[] = {"rounds on a node", "rounds between nodes", "sent on a node", "sent between nodes",
                                       "folded"};
    const bool few = s->blocks % s->ranks;
    const struct rank_work told = e->serves[COLL_ALLREDUCE].work(s), is = work_of_schedules(e, s);
    const double pairs[][2] = {{told.on_node.rounds, is.on_node.rounds},
                               {told.between.rounds, is.between.rounds},
                               {told.on_node.sent, is.on_node.sent},
                               {told.between.sent, is.between.sent},
                               {told.folded, is.folded}};
    for (size_t i = 0; i < (e == butterfly() ? COUNT(pairs) : 4); i++)
        REQUIRE(pairs[i][1] < pairs[i][0] + 1e-9 && ((few && i >= 2) || pairs[i][0] < pairs[i][1] + 1e-9),
                "%s " BUTTERFLY "%s: %g, not %g", e->name, BUTTERFLY_OF(s), name[i], pairs[i][1], pairs[i][0]);
}

START_TEST(work)
{
    for (int p = 2; p <= MOST_RANKS; p++) {
        const struct shape flat = shape_of(p, 3 * p, 4, false);
        const struct engine *circulant = engine_find("circulant");
        check_work(circulant, &flat);
        ck_assert_double_eq_tol(circulant->serves[COLL_ALLREDUCE].work(&flat).folded, (p - 1.0) / p, 1e-12);
        for (int k = 0; k <= p; k++)
            for (int i = 0; i < 4 && (k == 0 || p % k == 0); i++) {
                struct shape s = shape_of(p, i / 2 ? p / 3 + 1 : 2 * p, 3, i % 2);
                s.node_ranks = k;
                check_work(butterfly(), &s);
            }
    }
}

/*
 * A rank copies a block from IN to OUT only if it folds into that block of OUT next. If operands are ordered, ranks whose
 * digit is 0 on level 1 copy nothing.
 */
START_TEST(copies)
{
    for (int p = 2; p <= 30; p++)
        for (int rank = 0; rank < p; rank++)
            for (int ordered = 0; ordered < 2; ordered++) {
                int factor[FACTORS];
                const struct shape s = shape_of(p, 2 * p, 3, ordered);
                struct walk schedule;
                struct step x;
                int64_t copied = 0;
                prime_factors(p, factor);
                engine_walk(butterfly(), &schedule, &s, rank);
                while (walk_next(&schedule, &x))
                    copied += x.kind == STEP_COPY && x.a.slot == SLOT_IN ? x.a.more + 1 : 0;
                REQUIRE(copied == (ordered && rank % factor[0] == 0 ? 0 : s.blocks / factor[0]),
                        BUTTERFLY "rank %d copies %d blocks", BUTTERFLY_OF(&s), rank, (int)copied);
            }
}

START_TEST(rounds_of_most_ranks)
{
    static const struct {
        int ranks;
        int64_t rounds;
    } table[] = {{1 << 30, 60},
                 {INT_MAX, 2 * (int64_t)(INT_MAX - 1)}, /* a prime number */
                 {INT_MAX - 1, 2 * (1 + 4 + 6 + 10 + 30 + 150 + 330)}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const int64_t n = (int64_t)table[i].ranks << 20;
        const struct shape s = shape_of(table[i].ranks, n, n, true);
        ck_assert_int_eq(simulate_bound(butterfly(), &s), table[i].rounds);
    }
}

/* ---- Circulant ------------------------------------------------------------------------------------------------------- */

/*
 * The rounds: for each skip, twice the number of pieces of w blocks in the longest range of any rank. By definition, the
 * skips are s_0 = p, s_(k+1) = ceil(s_k / 2).
 */
static int64_t rounds_of_circulant(int64_t p, int64_t n, int64_t w)
{
    int64_t rounds = 0, blocks[2 * 4096];
    for (int64_t c = 0; c < 2 * p; c++)
        blocks[c] = part_offset(n, p, c % p + 1) - part_offset(n, p, c % p);
    for (int64_t skip = p; skip > 1; skip = (skip + 1) / 2) {
        int64_t longest = 0, length = 0;
        for (int64_t c = 0; c < p + skip / 2; c++) {
            length += blocks[c] - (c >= skip / 2 ? blocks[c - skip / 2] : 0);
            longest = length > longest ? length : longest;
        }
        rounds += 2 * ((longest + w - 1) / w);
    }
    return rounds;
}

static void check_circulant(int p, int64_t n, int64_t w)
{
    const struct engine *e = engine_find("circulant");
    const struct shape s = {.collective = COLL_ALLREDUCE, .ranks = p, .blocks = n, .wide = w};
    const struct verdict v = simulated(e, &s);
    const int64_t most = p > 1 ? rounds_of_circulant(p, n, w) : 0;
    REQUIRE(simulate_bound(e, &s) == most, SHAPE "w=%d: the bound is %d, not %d", SHAPE_OF(e, &s), (int)w,
            (int)simulate_bound(e, &s), (int)most);
    REQUIRE(n % p || v.rounds == most, SHAPE "w=%d: %d rounds, not %d", SHAPE_OF(e, &s), (int)w, (int)v.rounds, (int)most);
    /* All ranks send equally many messages. A piece that goes around the end of the message is one message, too. */
    REQUIRE(n % p || v.messages == p * most, SHAPE "w=%d: %d messages", SHAPE_OF(e, &s), (int)w, (int)v.messages);
    REQUIRE(w < n || v.rounds <= 2 * ceil_log2(p), SHAPE "w=%d: %d rounds", SHAPE_OF(e, &s), (int)w, (int)v.rounds);
    /* For each block, p-1 messages carry partial results, and p-1 more carry the result. */
    REQUIRE(w > 1 || v.messages == 2 * (p - 1) * n, SHAPE "%d blocks sent", SHAPE_OF(e, &s), (int)v.messages);
}

START_TEST(circulant)
{
    for (int p = 1; p <= 64; p++) {
        const int64_t blocks[] = {1, 2, p / 2 + 1, p, p + 1, 2 * p, 3 * p - 1, 5 * p}, wide[] = {1, 3, 5 * p};
        for (size_t i = 0; i < COUNT(blocks); i++)
            for (size_t j = 0; j < COUNT(wide); j++)
                if (p <= 32 || (i + j) % 3 == 0)
                    check_circulant(p, blocks[i], wide[j]);
    }
    const int large[] = {96, 97, 100, 127, 128, 129, 192, 257};
    for (size_t i = 0; i < COUNT(large); i++) {
        check_circulant(large[i], 1, 1);
        check_circulant(large[i], large[i], large[i]);
        check_circulant(large[i], large[i] + 1, 1);
        check_circulant(large[i], 2 * large[i], 5);
    }
    check_circulant(1000, 1000, 64);
    for (int p = 1021; p <= 1027; p++)
        check_circulant(p, 7, 1 + p % 7);
    check_circulant(4095, 2, 2);
    check_circulant(4096, 3, 1);
}

SUITE("all-reduces", 120)
