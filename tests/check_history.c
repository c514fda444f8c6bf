/* SPDX-License-Identifier: BSD-2-Clause */
/* The history on simulated ranks: what it learns, what that costs, and that all ranks choose alike. */
#include "history.h"
#include "suite.h"

#include <math.h>

enum { RANKS = 4, ROWS = 3, NATIVE = 0, FIRST = 3, SECOND = 5 };

#define MS INT64_C(1000000) /* in nanoseconds */

/* A job: the history of each rank, and the true time of a call in each row. The model chooses row FIRST. */
static struct job {
    struct history history[RANKS];
    struct trial_budget budget[RANKS];
    uint64_t now[RANKS];    /* true time, in ns */
    int64_t off[RANKS];     /* by how much the rank's clock is ahead, in ns */
    double late;            /* ranks come late at random, by at most this multiple of the time of a call */
    double noise;           /* calls take longer at random, by at most this multiple of their time */
    double seconds[8];      /* seconds of a call of 1 MiB, by row */
    double predicted[ROWS]; /* what the model predicts for NATIVE, FIRST and SECOND */
    bool shadow;
    int skips_rank, skips_call; /* a rank that does not count a call; the number of that call, or -1 */
    int calls, trials, native;  /* numbers so far: of all calls, of those in trials, of native ones */
    int syncs, lessons;         /* numbers so far */
    int hangs_row, hangs_rank;  /* calls in this row end later on this rank */
    double hangs;               /* how many seconds later */
    int cannot_rank;            /* a rank that cannot take part in trials, or -1 */
    int other_rank;             /* a rank whose messages are longer, or -1 */
    bool useless[8];            /* rows that turn out in trials to be of no use */
    int useless_from;           /* the number of trials before this shows */
    int lucky;                  /* the number of trials before one that takes a fiftieth of its time, or -1 */
} job;

static const struct machine machine = {.nodes = 1, .node_ranks = RANKS, .gathered = true, .consecutive = true};

static struct facts facts_of(int64_t bytes)
{
    return (struct facts){
        .collective = COLL_REDUCE, .op = OP_EXACT, .ranks = RANKS, .bytes = bytes, .units = bytes / 8, .machine = &machine};
}

static void new_job(double native, double first, double second)
{
    memset(&job, 0, sizeof job);
    srandom(1);
    job.seconds[NATIVE] = native;
    job.seconds[FIRST] = first;
    job.seconds[SECOND] = second;
    job.predicted[0] = job.predicted[1] = job.predicted[2] = 1e-3;
    job.skips_call = job.cannot_rank = job.other_rank = job.lucky = -1;
    for (int r = 0; r < RANKS; r++) {
        job.now[r] = 5000 * (uint64_t)MS;
        job.budget[r].spent = 0;
    }
}

static double at_random(void)
{
    return (double)random() / 2147483648.0;
}

static struct kind *kind_at(int rank, const struct facts *f)
{
    static const int row[ROWS] = {NATIVE, FIRST, SECOND};
    struct kind *k = history_find(&job.history[rank], f);
    return k || !history_open(&job.history[rank])
               ? k
               : history_enter(&job.history[rank], f, job.shadow, row, job.predicted, ROWS);
}

static void hold_sync_point(struct kind **k)
{
    uint64_t all[WORDS] = {0}, word[WORDS];
    for (int r = 0; r < RANKS; r++) {
        history_say(&job.history[r], k[r], &job.budget[r], r == job.cannot_rank, word);
        for (int w = 0; w < WORDS; w++)
            all[w] = word[w] > all[w] ? word[w] : all[w];
    }
    for (int r = 0; r < RANKS; r++)
        job.lessons += history_hear(&job.history[r], k[r], all, 1000, &job.budget[r]) && r == 0;
    job.syncs++;
}

/* Makes a call on all ranks, which must take the same row; returns the row that served it. */
static int make_call(int64_t bytes)
{
    const struct facts f = facts_of(bytes), longer = facts_of(bytes + 8);
    struct kind *k[RANKS];
    int serves = 0, row = 0;
    bool timed = false, meets = false;
    uint64_t latest = 0;
    for (int r = 0; r < RANKS; r++) {
        k[r] = kind_at(r, &f);
        bool due = k[r] && kind_syncs(k[r]);
        REQUIRE(r == 0 || due == meets, "call %d: rank %d disagrees about a sync point", job.calls, r);
        meets = due;
    }
    if (meets)
        hold_sync_point(k);
    for (int r = 0; r < RANKS; r++) {
        k[r] = history_find(&job.history[r], &f);
        int mine = k[r] ? kind_serves(k[r]) : -1;
        REQUIRE(r == 0 || mine == serves, "call %d: rank 0 takes row %d, rank %d row %d", job.calls, serves, r, mine);
        serves = mine;
        /* During shadow trials, the model's choice serves. */
        REQUIRE(!k[r] || kind_tries(k[r]) < 0 || serves < 0, "call %d: rank %d takes row %d", job.calls, r, serves);
        timed = k[r] && kind_times(k[r]);
        row = k[r] && kind_tries(k[r]) >= 0 ? kind_tries(k[r]) : serves < 0 ? FIRST : serves;
    }
    bool useless = job.useless[row] && job.trials >= job.useless_from;
    double call = job.seconds[row] * (1 + job.noise * at_random()) * (double)bytes / (1 << 20);
    call /= timed && job.trials == job.lucky ? 50 : 1;
    struct timed when[RANKS];
    for (int r = 0; r < RANKS; r++) {
        job.now[r] += (uint64_t)(1e9 * job.late * call * at_random());
        when[r].start = (uint64_t)((int64_t)job.now[r] + job.off[r]);
        latest = job.now[r] > latest ? job.now[r] : latest;
    }
    for (int r = 0; r < RANKS; r++) {
        job.now[r] = latest + (uint64_t)(1e9 * (call + (row == job.hangs_row && r == job.hangs_rank ? job.hangs : 0)));
        when[r].end = (uint64_t)((int64_t)job.now[r] + job.off[r]);
        if (k[r] && !(r == job.skips_rank && job.calls == job.skips_call))
            kind_count(k[r], r == job.other_rank ? &longer : &f, timed && !useless ? &when[r] : NULL);
    }
    job.calls++;
    job.trials += k[0] && k[0]->state == KIND_TRIED;
    job.native += row == NATIVE;
    return serves < 0 ? FIRST : serves;
}

static int make_calls(int count)
{
    int row = -1;
    for (int i = 0; i < count; i++)
        row = make_call(1 << 20);
    return row;
}

static const struct kind *the_kind(void)
{
    const struct facts f = facts_of(1 << 20);
    return history_find(&job.history[0], &f);
}

/* ---- What it learns -------------------------------------------------------------------------------------------------- */

static const struct {
    double native, first, second;
    int winner;
} worlds[] = {
    {3e-3, 1e-3, 1.5e-3, FIRST},     /* the model is right, and native is slow */
    {1e-4, 1e-3, 1.5e-3, NATIVE},    /* native is ten times faster */
    {1e-3, 2e-3, 0.5e-3, SECOND},    /* the model errs between engines */
    {1e-3, 0.97e-3, 1.5e-3, NATIVE}, /* FIRST is not clearly faster than native */
    {1e-3, 0.9e-3, 0.899e-3, FIRST}, /* about equal: the model's choice stays */
};

LOOPED_TEST(learns, COUNT(worlds))
{
    for (int late = 0; late <= 1; late++) {
        new_job(worlds[_i].native, worlds[_i].first, worlds[_i].second);
        job.late = late ? 10 : 0;
        ck_assert_int_eq(make_calls(1), FIRST); /* the model's choice */
        make_calls(9);
        ck_assert_int_le(job.trials, 9);
        ck_assert_int_eq(make_calls(1), worlds[_i].winner);
        ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
        double best = worlds[_i].winner == NATIVE  ? worlds[_i].native
                      : worlds[_i].winner == FIRST ? worlds[_i].first
                                                   : worlds[_i].second;
        ck_assert_double_eq_tol((double)the_kind()->seconds * (1 << 20), best, 0.01 * best);
        ck_assert_double_eq_tol((double)the_kind()->native * (1 << 20), worlds[_i].native, 0.01 * worlds[_i].native);
        ck_assert_double_eq_tol((double)the_kind()->spread, 1, 0.01);
        ck_assert_int_eq(make_calls(50), worlds[_i].winner);
    }
}

/* Two sizes of one kind come in turn. That favours no candidate. */
START_TEST(learns_from_sizes_in_turn)
{
    new_job(1.0e-3, 0.8e-3, 3e-3);
    for (int i = 0; i < 20; i++)
        make_call(i % 2 ? 1 << 20 : (1 << 21) - 8);
    ck_assert_int_eq(make_calls(1), FIRST);
}

/* A candidate that is far behind is tried twice, not three times. */
START_TEST(drops_a_slow_candidate)
{
    new_job(3e-3, 1e-3, 1.1e-3);
    make_calls(20);
    ck_assert_int_eq(job.native, 2);
    ck_assert_int_eq(job.trials, 8);
}

/* A candidate whose call takes longer than ten calls of another candidate is tried once. */
START_TEST(drops_a_hopeless_candidate_at_once)
{
    new_job(1, 1e-3, 1.1e-3);
    make_calls(20);
    ck_assert_int_eq(job.native, 1);
}

/* Short calls have seven trials. A single one that seems very short decides nothing. */
START_TEST(one_lucky_trial_decides_nothing)
{
    const struct facts f = facts_of(4096);
    for (int lucky = -1; lucky < 3 * SHORT_ROUNDS; lucky++) {
        new_job(1.2e-3, 1e-3, 0.8e-3);
        job.lucky = lucky;
        for (int i = 0; i < 1 + 3 * SHORT_ROUNDS + 1; i++)
            make_call(f.bytes);
        const struct kind *k = history_find(&job.history[0], &f);
        ck_assert_int_eq(k->state, KIND_SETTLED);
        ck_assert_int_eq(k->winner, SECOND);
        ck_assert(!kind_noisy(k));
        ck_assert_int_eq(job.trials, 3 * SHORT_ROUNDS);
    }
    new_job(1, 1e-3, 0.8e-3); /* far behind: three trials */
    for (int i = 0; i < 40; i++)
        make_call(f.bytes);
    ck_assert_int_eq(job.native, ROUNDS);
}

/*
 * Short calls have more trials if their times vary by more than the candidates differ. So the slower engine seldom wins. An
 * engine that is no match has no further trials.
 */
START_TEST(close_candidates_have_more_trials)
{
    const struct facts f = facts_of(4096);
    int wrong = 0;
    for (int i = 0; i < 400; i++) {
        new_job(2e-3, 1e-3, 0.84e-3);
        srandom((unsigned)i);
        job.noise = 0.7;
        for (int n = 0; n < 1 + 3 * FINAL_ROUNDS + 1; n++)
            make_call(f.bytes);
        const struct kind *k = history_find(&job.history[0], &f);
        ck_assert_int_eq(k->state, KIND_SETTLED);
        wrong += k->winner != SECOND;
        ck_assert_int_le(job.native, SHORT_ROUNDS);
        ck_assert_int_le(job.trials, SHORT_ROUNDS + 2 * FINAL_ROUNDS);
    }
    ck_assert_int_lt(wrong, 25); /* without more trials, 45 */
}

START_TEST(noise_does_not_unsettle)
{
    new_job(2e-3, 1e-3, 1.8e-3);
    job.noise = 0.3;
    make_calls(11);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(make_calls(1), FIRST);
}

/*
 * A kind is noisy if its times are far apart. A noisy kind becomes a lesson for later runs only if all times of its winner
 * are below all of native's. Its trials soon begin again, and its next lesson is not noisy if times have settled.
 */
START_TEST(noise_is_seen)
{
    new_job(1.4e-3, 1e-3, 8e-3);
    job.noise = 4;
    make_calls(10);
    ck_assert_int_eq(the_kind()->winner, FIRST);
    ck_assert(kind_noisy(the_kind()));
    ck_assert(!kind_teaches(the_kind()));
    job.noise = 0.1;
    job.seconds[FIRST] = (double)the_kind()->seconds * (1 << 20); /* no drift */
    make_calls(8 + TIMED + 1);
    ck_assert(!kind_noisy(the_kind()));
    ck_assert_int_eq(job.lessons, 2);
    new_job(9e-3, 1e-3, 8e-3);
    job.noise = 4;
    make_calls(10);
    ck_assert(kind_noisy(the_kind()));
    ck_assert(kind_teaches(the_kind()));
    job.noise = 0.1;
    job.seconds[FIRST] = (double)the_kind()->seconds * (1 << 20);
    make_calls(8 + TIMED + 1);
    ck_assert(!kind_noisy(the_kind()));
    ck_assert_int_eq(job.lessons, 1); /* it was a lesson before */
}

/* ---- What it costs --------------------------------------------------------------------------------------------------- */

/* Trials that would cost more than ten calls wait until their cost is a hundredth of the time that calls have taken. */
START_TEST(waits_until_trials_are_cheap)
{
    new_job(9e-3, 1e-3, 1e-3);
    job.predicted[0] = 9e-3;
    make_calls(100);
    ck_assert_int_eq(job.trials, 0);
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = r == 2 ? 2000 * MS : 3000 * MS; /* rank 2 has the least, which allows a loss of 20 ms */
    make_calls(100);
    ck_assert_int_eq(job.trials, 0);
    job.budget[2].spent = 3000 * MS;
    make_calls(300);
    ck_assert_int_gt(job.trials, 0);
    ck_assert_int_eq(make_calls(1), FIRST);
    ck_assert_uint_le(job.budget[0].lost, 30 * MS);
}

/* The calls since the last sync point pay for trials, too: 24 ms are a hundredth of the time of 2400 calls. */
START_TEST(counts_calls_since_the_last_sync_point)
{
    new_job(9e-3, 1e-3, 1e-3);
    job.predicted[0] = 9e-3;
    make_calls(4096); /* the last sync points come before the 2049th and the 4097th call */
    ck_assert_int_eq(job.trials, 0);
    make_calls(1);
    ck_assert_int_eq(job.trials, 1);
}

START_TEST(counts_what_trials_lose)
{
    new_job(2e-3, 1e-3, 1.25e-3);
    make_calls(12);
    /*
     * Native is tried twice and loses 1 ms each time. The second engine is tried three times and loses 0.25 ms each time.
     * Some sync points take 1 us each.
     */
    ck_assert_uint_ge(job.budget[0].lost, (uint64_t)(2.74 * MS));
    ck_assert_uint_le(job.budget[0].lost, (uint64_t)(2.76 * MS + 1000 * job.syncs));
}

/* A settled kind has a sync point before its 69th, 133rd, 261st .. call, and no other. */
START_TEST(meets_seldom)
{
    new_job(3e-3, 1e-3, 1.1e-3);
    make_calls(10);
    int before = job.syncs;
    make_calls(10000);
    ck_assert_int_eq(job.syncs - before, 8);
}

/* ---- Drift ----------------------------------------------------------------------------------------------------------- */

START_TEST(sees_drift)
{
    new_job(2e-3, 1e-3, 1.5e-3);
    ck_assert_int_eq(make_calls(40), FIRST);
    job.seconds[FIRST] = 4e-3;
    make_calls(40 + 10);
    ck_assert_int_eq(make_calls(1), SECOND);
    job.seconds[SECOND] = 1.7e-3; /* less than 1.5 times 1.5 ms, so that no trial begins */
    int before = job.trials;
    make_calls(100);
    ck_assert_int_eq(job.trials, before);
    job.seconds[SECOND] = 0.9e-3; /* faster than before, and all others may be faster, too */
    job.seconds[NATIVE] = 0.1e-3;
    make_calls(200);
    ck_assert_int_eq(make_calls(1), SECOND); /* a trial of native is still too dear, but will come */
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = 3000 * MS;
    make_calls(256);
    ck_assert_int_eq(make_calls(1), NATIVE);
}

/* ---- Ranks never part ------------------------------------------------------------------------------------------------ */

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

/* If one rank has no memory for trials, no rank begins one. */
START_TEST(a_rank_cannot)
{
    new_job(1e-4, 1e-3, 2e-3);
    job.cannot_rank = 2;
    make_calls(100);
    ck_assert_int_eq(job.trials, 0);
    ck_assert_int_eq(job.syncs, 7); /* before the 2nd, 3rd, 5th, 9th .. call */
    job.cannot_rank = -1;
    make_calls(100);
    ck_assert_int_eq(make_calls(1), NATIVE);
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

/* A candidate that turns out to be of no use is dropped at once, in any round. The other candidates keep their trials. */
START_TEST(candidates_of_no_use)
{
    static const int rows[] = {NATIVE, FIRST, SECOND};
    for (int useless = 0; useless < 8; useless++)
        for (int from = 0; from < 9; from++) {
            new_job(1e-3, 0.5e-3, 0.7e-3);
            for (int i = 0; i < 3; i++)
                job.useless[rows[i]] = useless >> i & 1;
            job.useless_from = from;
            make_calls(20);
            const struct kind *k = the_kind();
            if (useless == 7 && from == 0) { /* from now on, the model decides */
                ck_assert_int_eq(k->state, KIND_NEW);
                ck_assert_int_eq(kind_serves(k), -1);
                int before = job.syncs;
                make_calls(1000);
                ck_assert_int_eq(job.syncs, before);
            } else if (from == 0) {
                ck_assert_int_eq(k->state, KIND_SETTLED);
                ck_assert_int_eq(k->winner, useless & 2 ? useless & 4 ? NATIVE : SECOND : FIRST);
            }
        }
}

/* ---- The table ------------------------------------------------------------------------------------------------------- */

START_TEST(kinds_differ)
{
    struct facts f = facts_of(4096), g = f;
    g.bytes = 8191;
    ck_assert_uint_eq(kind_key(&f), kind_key(&g));
    g.bytes = 8192;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    g = f, g.op = OP_ROUNDS;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    f.op = OP_ROUNDS;
    g.symmetric = true; /* counts only if engines may give the same bits */
    ck_assert_uint_eq(kind_key(&f), kind_key(&g));
    f.ranks = g.ranks = 2;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    f.ranks = g.ranks = 8;
    f.collective = g.collective = COLL_ALLREDUCE;
    f.root = g.root = 0;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    f = facts_of(4096);
    g = f, g.collective = COLL_SCAN;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    g = f, g.root = 1;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
    f.root = 2;
    ck_assert_uint_eq(kind_key(&f), kind_key(&g)); /* neither root is at an end */
    g.root = RANKS - 1;
    ck_assert_uint_ne(kind_key(&f), kind_key(&g));
}

START_TEST(a_full_history_says_so)
{
    static struct history l;
    const int row[] = {0};
    const double seconds[] = {1};
    int entered = 0;
    for (struct facts f; history_open(&l); entered++) {
        f = facts_of(BIT(entered % 32));
        f.collective = (enum collective)(entered / 32);
        ck_assert_ptr_null(history_find(&l, &f));
        ck_assert_ptr_nonnull(history_enter(&l, &f, false, row, seconds, 1));
    }
    ck_assert_int_ge(entered, KINDS - 1);
    struct facts f = facts_of(8);
    f.op = OP_ROUNDS;
    ck_assert_ptr_null(history_find(&l, &f));
    ck_assert(!history_inherit(&l, &(struct kind){.key = kind_key(&f), .state = KIND_SETTLED}));
    for (int i = 0; i < entered; i++) {
        f = facts_of(BIT(i % 32));
        f.collective = (enum collective)(i / 32);
        ck_assert_uint_eq(history_find(&l, &f)->key, kind_key(&f));
    }
}

/* With one candidate there is nothing to learn, and no sync point. */
START_TEST(one_candidate_is_the_models)
{
    static struct history l;
    const int row[] = {SECOND};
    const double seconds[] = {1};
    const struct facts f = facts_of(8);
    struct kind *k = history_enter(&l, &f, false, row, seconds, 1);
    for (int i = 0; i < 1000; i++) {
        ck_assert(!kind_syncs(k) && !kind_times(k));
        ck_assert_int_eq(kind_serves(k), -1);
        kind_count(k, &f, NULL);
    }
}

/* Shadow trials run beside the calls. The model's choice serves all calls, and the whole time of a trial counts as lost. */
START_TEST(trials_aside)
{
    new_job(2e-3, 1e-3, 0.5e-3);
    job.shadow = true;
    for (int i = 0; i < 30; i++)
        ck_assert_int_eq(make_calls(1), FIRST);
    ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
    ck_assert_int_eq(the_kind()->winner, SECOND);
    ck_assert_uint_ge(job.budget[0].lost, (uint64_t)(2 * 2 * MS + 2 * 1 * MS + 2 * 0.5 * MS));
}

/* A settled kind keeps the times of its trials. A row without a trial has none. */
START_TEST(samples_stay)
{
    new_job(2e-3, 1e-3, 9e-3);
    job.shadow = true;
    job.noise = 0.5;
    make_calls(30);
    const struct samples native = kind_samples(the_kind(), NATIVE), none = kind_samples(the_kind(), 1);
    const double bytes = 1 << 20;
    ck_assert(native.least * bytes >= 1.999e-3 && native.least < native.median && native.median < native.most);
    ck_assert(native.most * bytes < 3.01e-3 && none.least == 0 && none.most == 0);
    ck_assert(kind_samples(the_kind(), FIRST).median == the_kind()->seconds);
}

/* Trials that would otherwise be too dear begin at once if the trial budget allows the loss. */
START_TEST(a_budget_may_be_filled)
{
    for (int filled = 0; filled < 2; filled++) {
        new_job(10e-3, 1e-3, 9e-3);
        job.predicted[0] = 10e-3;
        job.shadow = true;
        for (int r = 0; r < RANKS; r++)
            job.budget[r].spent = filled ? history_spending(0.1) : 0;
        make_calls(30);
        ck_assert_int_eq(the_kind()->state, filled ? KIND_SETTLED : KIND_NEW);
    }
}

START_TEST(another_communicator_inherits)
{
    static struct history l;
    const struct facts f = facts_of(1 << 20);
    new_job(2e-3, 1e-3, 0.5e-3);
    make_calls(20);
    ck_assert(history_inherit(&l, the_kind()));
    ck_assert_int_eq(kind_serves(history_find(&l, &f)), SECOND);
}

SUITE("history", 60)
