/* SPDX-License-Identifier: BSD-2-Clause */
/* The scans of the engines doubling and binomial: rounds and messages as in the papers, and no needless fold. */
#include "schedules.h"

#include <limits.h>

static struct shape shape_of(enum collective c, int p, int64_t n)
{
    return (struct shape){.collective = c, .ordered = true, .ranks = p, .blocks = n};
}

/* ceil(log2(a / b)) for a >= b > 0. */
static int ceil_log2_of(int64_t a, int64_t b)
{
    int k = 0;
    for (; b << k < a; k++)
        ;
    return k;
}

/* floor(log2(a / b)) for a >= b > 0; -1 for a < b. */
static int floor_log2_of(int64_t a, int64_t b)
{
    int k = -1;
    for (; b << (k + 1) <= a; k++)
        ;
    return k;
}

/*
 * Is p worth a test? All small numbers of ranks are, large ones at which or behind which scans need one round more, and
 * some others.
 */
static bool telling(int p)
{
    return p < 200 || p % 97 == 0 || ceil_log2_of(p, 1) != ceil_log2_of(p - 1, 1) ||
           ceil_log2_of(4 * (p - 1), 3) != ceil_log2_of(4 * (p - 2), 3) ||
           ceil_log2_of(4 * (p - 1), 3) != ceil_log2_of(4 * p, 3);
}

/* One block takes exactly the papers' number of rounds. The next block begins when the one before has ended. */
START_TEST(rounds_of_doubling)
{
    for (int p = 2; p <= 2000; p++)
        for (int c = COLL_SCAN; c <= COLL_EXSCAN && telling(p); c++) {
            int rounds = c == COLL_SCAN ? ceil_log2_of(p, 1) : ceil_log2_of(4 * (p - 1), 3);
            for (int n = 1; n <= (p < 100 ? 3 : 1); n++) {
                struct shape s = shape_of((enum collective)c, p, n);
                struct verdict v = simulated(engine_find("doubling"), &s);
                ck_assert_msg(v.rounds == rounds * n, "%s p=%d n=%d: %d rounds, not %d", collective_name(s.collective), p, n,
                              (int)v.rounds, rounds * n);
            }
        }
}

/*
 * Let f = floor(log2 p). In the last round, messages go down the tree only if p >= 3/2 * 2^f. No step both sends and
 * receives, and a block crosses each edge of a tree at most twice.
 */
START_TEST(rounds_of_binomial)
{
    for (int p = 2; p <= 600; p++)
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            struct shape s = shape_of((enum collective)c, p, 1);
            struct verdict v = simulated(engine_find("binomial"), &s);
            int rounds = floor_log2_of(p, 1) + floor_log2_of(2 * p, 3);
            ck_assert_msg(v.rounds == rounds, "%s p=%d: %d rounds, not %d", collective_name(s.collective), p, (int)v.rounds,
                          rounds);
            ck_assert_int_lt(v.messages, 2 * p);
            s.blocks = 2;
            ck_assert_msg(simulate_engine_by(engine_find("binomial"), &s, true, &v), "p=%d, one direction: %s", p, v.why);
        }
}

/* ---- Work ------------------------------------------------------------------------------------------------------------ */

struct measurement {
    int folds, copies, sent;
};

static struct measurement work_of(const char *name, const struct shape *s, int rank)
{
    struct measurement w = {0};
    struct walk schedule;
    struct step x;
    engine_walk(engine_find(name), &schedule, s, rank);
    while (walk_next(&schedule, &x)) {
        w.folds += x.kind == STEP_FOLD;
        w.copies += x.kind == STEP_COPY;
        w.sent += x.kind == STEP_EXCHANGE && x.to != NOBODY;
    }
    return w;
}

/* The number of 1s at the end of a binary number. */
static int ones(int64_t j)
{
    return j % 2 ? 1 + ones(j / 2) : 0;
}

static int folds_of_doubling(enum collective c, int p, int r)
{
    if (r == 0)
        return 0;
    return c == COLL_SCAN ? ceil_log2_of((int64_t)r + 1, 1) : ceil_log2_of(4 * (int64_t)r, 3) - 1 + (r <= p - 3);
}

static int folds_of_binomial(enum collective c, int p, int r)
{
    int t = ones(r);
    bool sends = r < p - 1, up = ((int64_t)1 << t) < p - r, down = ((int64_t)1 << t) <= r;
    if (c == COLL_SCAN)
        return t + down;
    return t == 0 ? 0 : t - 1 + down + (sends ? 1 + (up && down) : 0);
}

static void check_work(const char *name, int p, int rank, int (*folds)(enum collective c, int p, int r))
{
    for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
        struct shape s = shape_of((enum collective)c, p, 3);
        struct measurement w = work_of(name, &s, rank);
        int each = folds(s.collective, p, rank);
        if (w.folds != 3 * each || w.copies > 3)
            ck_abort_msg("%s %s p=%d rank %d: %d folds, not 3*%d; %d copies", name, collective_name(s.collective), p, rank,
                         w.folds, each, w.copies);
        /* In an exclusive scan, the last rank receives into its result, and rank 0 has no result: neither copies. */
        if (c == COLL_EXSCAN && (rank == 0 || rank == p - 1))
            ck_assert_int_eq(w.copies, 0);
        if (rank == p - 1)
            ck_assert_int_eq(w.sent, 0);
    }
}

START_TEST(folds)
{
    for (int p = 2; p <= 200; p++)
        for (int rank = 0; rank < p; rank++) {
            check_work("doubling", p, rank, folds_of_doubling);
            check_work("binomial", p, rank, folds_of_binomial);
        }
}

/*
 * In the exclusive scan of doubling, the last rank has one fold less than there are rounds, and no rank has more folds than
 * there are rounds.
 */
START_TEST(one_fold_less)
{
    for (int p = 2; p <= 2000; p++) {
        if (!telling(p))
            continue;
        struct shape s = shape_of(COLL_EXSCAN, p, 1);
        int rounds = (int)simulate_bound(engine_find("doubling"), &s);
        ck_assert_int_eq(work_of("doubling", &s, p - 1).folds, rounds - 1);
        for (int rank = 0; rank < p; rank++)
            ck_assert_int_le(work_of("doubling", &s, rank).folds, rounds);
    }
}

/* ---- Very many ranks ------------------------------------------------------------------------------------------------- */

/* Does rank `to` receive in step `when` from rank `from`? */
static bool receives(const char *name, const struct shape *s, int to, int from, int64_t when)
{
    struct walk schedule;
    struct step x;
    engine_walk(engine_find(name), &schedule, s, to);
    while (walk_next(&schedule, &x))
        if (x.kind == STEP_EXCHANGE && x.when == when)
            return x.from == from;
    return false;
}

/* INT_MAX ranks: peers exist and expect the messages, and the formulas for folds hold. */
START_TEST(very_many_ranks)
{
    const char *const names[] = {"doubling", "binomial"};
    const int ranks[] = {0, 1, 2, 4095, 1000000, (1 << 30) - 1, 1 << 30, INT_MAX - 3, INT_MAX - 2, INT_MAX - 1};
    for (int i = 0; i < 2; i++)
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++)
            for (size_t k = 0; k < COUNT(ranks); k++) {
                struct shape s = shape_of((enum collective)c, INT_MAX, 2);
                struct walk schedule;
                struct step x;
                int messages = 0;
                check_work(names[i], INT_MAX, ranks[k], i ? folds_of_binomial : folds_of_doubling);
                engine_walk(engine_find(names[i]), &schedule, &s, ranks[k]);
                for (int64_t last = -1; walk_next(&schedule, &x);) {
                    if (x.kind != STEP_EXCHANGE)
                        continue;
                    ck_assert(x.when > last && x.when < simulate_bound(engine_find(names[i]), &s));
                    last = x.when;
                    messages++;
                    if (x.to != NOBODY)
                        ck_assert(x.to > ranks[k] && receives(names[i], &s, x.to, ranks[k], x.when));
                    if (x.from != NOBODY)
                        ck_assert(x.from >= 0 && x.from < ranks[k]);
                }
                ck_assert_int_ge(messages, 2);
            }
}

SUITE("scans", 60)
