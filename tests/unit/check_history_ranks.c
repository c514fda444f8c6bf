/* SPDX-License-Identifier: BSD-2-Clause */
/* The histories of simulated ranks: all ranks choose alike, whatever differs between them. */
#include "learning.h"

/* The next sync point shows that a rank has not counted a call. All ranks close their histories, and the model decides. */
START_TEST(a_skipped_call_is_seen)
{
    for (int skip = 1; skip < 7; skip++) {
        new_job(2e-4, 1e-3, 1.5e-3);
        job.skips_rank = skip % RANKS;
        job.skips_call = skip;
        make_calls(20); /* make_call() asserts that all ranks take the same row */
        for (int r = 0; r < RANKS; r++)
            ck_assert_msg(job.history[r].closed, "call %d skipped", skip);
        ck_assert_int_eq(make_calls(1), FIRST);
    }
}

/* Clocks that differ do not make ranks choose differently, and do not hide a candidate that is far slower on all ranks. */
START_TEST(clocks_may_be_off)
{
    for (int r = 0; r < RANKS; r++) {
        new_job(3e-3, 1e-3, 1.5e-3);
        job.off[r] = 1000 * MS;
        ck_assert_int_eq(make_calls(20), FIRST);
        new_job(3e-3, 1e-3, 1.5e-3);
        job.off[r] = -1000 * MS;
        ck_assert_int_eq(make_calls(20), FIRST);
    }
}

/* Random times differ between ranks. All ranks choose alike, whatever the times are. */
START_TEST(random_times_never_part)
{
    for (int seed = 0; seed < 300; seed++) {
        new_job(at_random() * 1e-3, at_random() * 1e-3, at_random() * 1e-3);
        srandom((unsigned)seed);
        job.noise = 3;
        job.late = 10 * at_random();
        for (int r = 0; r < RANKS; r++)
            job.off[r] = (int64_t)(at_random() * 1e9);
        for (int i = 0; i < 300; i++)
            make_call(BIT(10 + random() % 14) + 8 * (random() % 100));
        ck_assert(!job.history[0].closed);
        ck_assert_int_eq(memcmp(&job.budget[0], &job.budget[RANKS - 1], sizeof job.budget[0]), 0);
    }
}

/* A candidate that ends late on one rank loses on all, as the latest end counts. */
START_TEST(a_candidate_that_hangs_back_on_one_rank)
{
    new_job(1e-3, 0.5e-3, 1.5e-3);
    job.hangs_row = FIRST;
    job.hangs_rank = RANKS - 1;
    job.hangs = 2e-3;
    make_calls(11);
    ck_assert_int_eq(make_calls(50), NATIVE);
    ck_assert_double_eq_tol((double)the_kind()->seconds * (1 << 20), 1e-3, 1e-5);
}

/*
 * Ranks have different budgets, because each budget also counts calls on other communicators. The ranks go by the most time
 * that any rank has lost, and by the least that any has spent.
 */
START_TEST(budgets_differ)
{
    for (int r = 0; r < RANKS; r++) {
        new_job(2e-3, 1e-3, 1.5e-3);
        job.budget[r].lost = 11 * MS; /* one rank has lost more than ten calls take */
        make_calls(300);
        ck_assert_int_eq(job.trials, 0);
        for (int other = 0; other < RANKS; other++)
            job.budget[other].spent = 2000 * MS;
        make_calls(300);
        ck_assert_int_eq(make_calls(1), FIRST);
        ck_assert_int_gt(job.trials, 0);
        ck_assert(!job.history[0].closed);
    }
}

/* A program whose messages differ in size between ranks is erroneous, but its ranks must not take different rows. */
START_TEST(sizes_that_differ_are_seen)
{
    new_job(1e-4, 1e-3, 2e-3);
    job.other_rank = 1;
    make_calls(2);
    for (int r = 0; r < RANKS; r++)
        ck_assert(job.history[r].closed);
    ck_assert_int_eq(make_calls(20), FIRST);
}

SUITE("history_ranks", 60)
