/* SPDX-License-Identifier: BSD-2-Clause */
/* Common starts: all ranks begin at one moment, which none of them learns too late. Clocks and delays are made up. */
#include "common_start.h"
#include "suite.h"

enum { RANKS = 13, STARTS = 200 };

/* Ranks that arrive at the starts at different times, and leave each all-reduce at different times. */
static struct {
    uint64_t now[RANKS], lag[RANKS];
    uint64_t moment; /* of the latest start */
    int late;        /* ranks that have learned of the moment too late */
} job;

static uint64_t at_random(uint64_t most)
{
    return (uint64_t)random() % most;
}

/* All ranks make a start. `unready`: the rank that is not ready, or -1. An all-reduce takes each rank up to `longest`. */
static bool make_start(int unready, uint64_t longest)
{
    uint64_t all[START_WORDS] = {0}, word[START_WORDS], latest = 0;
    bool ready = false;
    for (int r = 0; r < RANKS; r++) {
        job.now[r] += at_random(2000000);
        latest = job.now[r] > latest ? job.now[r] : latest;
        start_say(job.lag[r], r != unready, job.now[r], word);
        for (int w = 0; w < START_WORDS; w++)
            all[w] = word[w] > all[w] ? word[w] : all[w];
    }
    job.late = 0;
    for (int r = 0; r < RANKS; r++) {
        uint64_t moment;
        job.now[r] = latest + longest / 2 + at_random(longest / 2);
        const bool all_ready = start_hear(all, &moment);
        REQUIRE(r == 0 || (moment == job.moment && all_ready == ready), "rank %d begins at another moment", r);
        job.lag[r] = start_lag(all, job.now[r]);
        job.moment = moment;
        job.late += job.now[r] > moment;
        ready = all_ready;
    }
    ck_assert_uint_ge(job.moment, latest);
    ck_assert_uint_le(job.moment, latest + START_WAIT);
    for (int r = 0; r < RANKS; r++)
        job.now[r] = job.now[r] > job.moment ? job.now[r] : job.moment;
    return ready;
}

START_TEST(one_moment)
{
    for (int i = 0; i < STARTS; i++) {
        ck_assert(make_start(-1, 700000));
        REQUIRE(i == 0 || job.late == 0, "start %d: %d ranks are late", i, job.late);
    }
}

START_TEST(the_first_start)
{
    make_start(-1, 700000);
    ck_assert_int_gt(job.late, 0); /* nothing is known of the lag */
}

START_TEST(a_rank_that_is_not_ready)
{
    for (int r = -1; r < RANKS; r++)
        ck_assert_int_eq(make_start(r, 700000), r < 0);
}

/* One all-reduce takes a second, as a rank had no core. The ranks do not wait for a second at the next start. */
START_TEST(a_long_delay)
{
    make_start(-1, 700000);
    make_start(-1, 1000000000);
    for (int i = 0; i < 3; i++)
        make_start(-1, 700000);
    ck_assert_int_eq(job.late, 0);
}

/* The clock of a rank is behind that of the rank that arrived last, so the lag would be below zero. */
START_TEST(clocks_that_differ)
{
    const uint64_t word[START_WORDS] = {[START_ARRIVAL] = 1000};
    ck_assert_uint_eq(start_lag(word, 999), 0);
    ck_assert_uint_eq(start_lag(word, 1001), 1);
    ck_assert_uint_eq(start_lag(word, UINT64_MAX), START_WAIT / 2);
}

SUITE("common_start", 10)
