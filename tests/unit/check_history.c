/* SPDX-License-Identifier: BSD-2-Clause */
/* The history on simulated ranks: what it learns, what that costs, and what it does when times change. */
#include "learning.h"

/* ---- What it learns -------------------------------------------------------------------------------------------------- */

static const struct {
    double native, first, second;
    int best;
} worlds[] = {
    {3e-3, 1e-3, 1.5e-3, FIRST},     /* the model is right, and native is slow */
    {2.5e-4, 1e-3, 1.5e-3, NATIVE},  /* native is four times faster */
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
        ck_assert_int_eq(make_calls(1), worlds[_i].best);
        ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
        double least = worlds[_i].best == NATIVE  ? worlds[_i].native
                       : worlds[_i].best == FIRST ? worlds[_i].first
                                                  : worlds[_i].second;
        ck_assert_double_eq_tol((double)the_kind()->seconds * (1 << 20), least, 0.01 * least);
        ck_assert_double_eq_tol((double)the_kind()->native * (1 << 20), worlds[_i].native, 0.01 * worlds[_i].native);
        ck_assert_double_eq_tol((double)the_kind()->spread, 1, 0.01);
        ck_assert_int_eq(make_calls(50), worlds[_i].best);
    }
}

/* A call is slow if it is the first one by an engine after those of others. That does not speak against the engine. */
START_TEST(first_calls_do_not_count)
{
    const struct facts f = facts_of(4096);
    new_job(1e-3, 0.8e-3, 3e-3);
    job.cold = 2;
    for (int row = 0; row < ROWS; row++)
        job.predicted[row] = 1e-5;
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = UINT64_MAX / 2;
    for (int i = 0; i < 2 * (1 + 3 * FINAL_ROUNDS + 2 * CONFIRM_ROUNDS); i++)
        make_call(f.bytes);
    const struct kind *k = history_find(&job.history[0], &f);
    ck_assert_int_eq(k->state, KIND_SETTLED);
    ck_assert_int_eq(k->best, FIRST);
}

/* Two sizes of one kind come in turn. That favours no candidate. */
START_TEST(learns_from_sizes_in_turn)
{
    new_job(1.0e-3, 0.8e-3, 3e-3);
    for (int i = 0; i < 20; i++)
        make_call(i % 2 ? 1 << 20 : (1 << 21) - 8);
    ck_assert_int_eq(make_calls(1), FIRST);
}

/*
 * The same holds for short calls whose times do not depend on the size, whichever candidates the model takes for slow. If it
 * takes all for slow, trials have no calls that do not count.
 */
START_TEST(learns_from_short_sizes_in_turn)
{
    for (int slow = 0; slow < 7; slow++)
        for (int shift = 0; shift < 2; shift++) {
            new_job(1.0e-3, 0.8e-3, 3e-3);
            predict(slow & 1 ? 1.5e-3 : 0.5e-3, slow & 2 ? 1.5e-3 : 0.5e-3, slow & 4 ? 1.5e-3 : 0.5e-3);
            job.latency = true;
            for (int r = 0; r < RANKS; r++)
                job.budget[r].spent = UINT64_MAX / 2;
            for (int i = shift; i < 200; i++)
                make_call(i % 2 ? 4096 : 8184);
            const struct facts f = facts_of(4096);
            const struct kind *k = history_find(&job.history[0], &f);
            ck_assert_int_eq(k->state, KIND_SETTLED);
            ck_assert_msg(k->best == FIRST, "slow by the model: %d, shift %d: row %d wins", slow, shift, k->best);
        }
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
                ck_assert_int_eq(k->best, useless & 2 ? useless & 4 ? NATIVE : SECOND : FIRST);
            }
        }
}

/* Short calls have seven trials, and those of the best engine and of native nine more. A lucky one decides nothing. */
START_TEST(one_lucky_trial_decides_nothing)
{
    const struct facts f = facts_of(4096);
    const int trials = 3 * SHORT_ROUNDS + 2 * CONFIRM_ROUNDS;
    for (int lucky = -1; lucky < trials; lucky++) {
        new_job(1.2e-3, 1e-3, 0.8e-3);
        predict(2e-3, 2e-3, 2e-3); /* so each trial takes one call */
        job.lucky = lucky;
        for (int i = 0; i < 1 + trials + 1; i++)
            make_call(f.bytes);
        const struct kind *k = history_find(&job.history[0], &f);
        ck_assert_int_eq(k->state, KIND_SETTLED);
        ck_assert_int_eq(k->best, SECOND);
        ck_assert(!kind_noisy(k));
        ck_assert_int_eq(job.trials, trials);
    }
    new_job(1, 1e-3, 0.8e-3); /* far behind: three trials */
    predict(2e-3, 2e-3, 2e-3);
    for (int i = 0; i < 40; i++)
        make_call(f.bytes);
    ck_assert_int_eq(job.native, ROUNDS);
}

/* Returns how often of 400 times the short calls of a kind, with noise, do not settle on the row. */
static int missed(double native, double first, double second, double noise, int row)
{
    const struct facts f = facts_of(4096);
    int wrong = 0;
    for (int i = 0; i < 400; i++) {
        new_job(native, first, second);
        predict(2e-3, 2e-3, 2e-3);
        srandom((unsigned)i);
        job.noise = noise;
        const struct kind *k = NULL;
        for (int n = 0; n < 1 + 3 * FINAL_ROUNDS + 2 * CONFIRM_ROUNDS + 1 && !(k && k->state == KIND_SETTLED); n++) {
            make_call(f.bytes);
            k = history_find(&job.history[0], &f);
        }
        ck_assert_int_eq(k->state, KIND_SETTLED);
        wrong += k->best != row;
    }
    return wrong;
}

/* Short calls have more trials if their times vary by more than the candidates differ. So the slower engine seldom wins. */
START_TEST(close_candidates_have_more_trials)
{
    ck_assert_int_lt(missed(2e-3, 1e-3, 0.84e-3, 0.7, SECOND), 25); /* without more trials, 45 */
}

/*
 * The best of several engines has luck in its trials. So native, which is faster, would often lose if new trials did not
 * confirm the choice.
 */
START_TEST(luck_is_not_confirmed)
{
    ck_assert_int_lt(missed(1e-3, 1.1e-3, 1.1e-3, 1.5, NATIVE), 50); /* 33 now; without new trials, 96 */
}

START_TEST(noise_does_not_unsettle)
{
    new_job(2e-3, 1e-3, 1.8e-3);
    job.noise = 0.3;
    make_calls(11);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(make_calls(1), FIRST);
}

/* Trials that contradict the model settle nothing before later ones say the same. */
START_TEST(what_no_model_explains_is_noise)
{
    for (int lasts = 0; lasts < 2; lasts++) {
        new_job(100e-3, 10e-3, 12e-3); /* the model says: equal */
        for (int r = 0; r < RANKS; r++)
            job.budget[r].spent = history_spending(10);
        make_calls(12);
        ck_assert(the_kind()->implausible && kind_learns(the_kind()) && job.rules == 0);
        job.seconds[NATIVE] = lasts ? 100e-3 : 5e-3;
        make_calls(FIRST_CHECK + 20);
        ck_assert(the_kind()->state == KIND_SETTLED && job.rules == 1);
        ck_assert_int_eq(the_kind()->best, lasts ? FIRST : NATIVE);
    }
    new_job(40e-3, 10e-3, 12e-3);
    make_calls(12);
    ck_assert(the_kind()->state == KIND_SETTLED && !the_kind()->implausible);
}

/* On a busy machine, the engine is chosen, but there is no rule. */
START_TEST(a_busy_machine_makes_no_rule)
{
    for (int busy = 0; busy < 2; busy++) {
        new_job(3e-3, 1e-3, 2e-3);
        job.busy = busy ? 0.2 : 0.02; /* of each of four ranks */
        make_calls(20);
        ck_assert(the_kind()->state == KIND_SETTLED && the_kind()->best == FIRST);
        ck_assert_int_eq(kind_disturbed(the_kind()), busy);
    }
}

/*
 * A kind is noisy if its times are far apart. A noisy kind makes a rule for later runs only if all times of its best engine
 * are below all of native's. Its trials soon begin again, and its next rule is not noisy if times have settled.
 */
START_TEST(noise_is_seen)
{
    new_job(1.4e-3, 1e-3, 8e-3);
    job.noise = 4;
    make_calls(10);
    ck_assert_int_eq(the_kind()->best, FIRST);
    ck_assert(kind_noisy(the_kind()));
    ck_assert(!kind_teaches(the_kind()));
    job.noise = 0.1;
    job.seconds[FIRST] = (double)the_kind()->seconds * (1 << 20); /* no drift */
    make_calls(8 + TIMED + 1);
    ck_assert(!kind_noisy(the_kind()));
    ck_assert_int_eq(job.rules, 2);
    new_job(9e-3, 1e-3, 8e-3);
    job.predicted[NATIVE] = 2.5e-3;
    job.noise = 4;
    make_calls(10);
    ck_assert(kind_noisy(the_kind()));
    ck_assert(kind_teaches(the_kind()));
    job.noise = 0.1;
    job.seconds[FIRST] = (double)the_kind()->seconds * (1 << 20);
    make_calls(8 + TIMED + 1);
    ck_assert(!kind_noisy(the_kind()));
    ck_assert_int_eq(job.rules, 1); /* it made one before */
}

/* The row that is held stays unless another one is clearly faster, be it native. */
START_TEST(what_is_held_stays)
{
    static const double native[] = {0.97e-3, 0.5e-3};
    for (int i = 0; i < 2; i++) {
        new_job(native[i], 1e-3, 1.5e-3);
        job.held = FIRST;
        make_calls(10);
        ck_assert_int_eq(make_calls(1), i ? NATIVE : FIRST);
    }
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

/* Engines do not wait for dear algorithms of the MPI library; these have their trials when they have earned them. */
START_TEST(algorithms_earn_their_trials)
{
    new_job(2e-3, 1e-3, 1.1e-3);
    predict(2e-3, 1e-3, 1.1e-3);
    job.own = true;
    job.seconds[OWN] = 0.5e-3;
    job.predicted[ROWS] = 8e-3;
    ck_assert_int_eq(make_calls(20), FIRST);
    ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
    ck_assert_int_le(job.trials, 9);
    ck_assert_int_eq(make_calls(1000), FIRST);
    ck_assert_int_eq(make_calls(9000), own_row());
    ck_assert_uint_le(job.budget[0].lost, job.budget[0].spent / 100);
}

/*
 * Where ranks share memory, long messages that take little time have as many trials as short ones, and each trial begins
 * after a pause.
 */
START_TEST(calls_through_shared_memory_are_short)
{
    static const struct {
        int64_t cell;
        bool near;
        double predicted;
        bool brief;
    } kinds[] = {
        {0, true, 1e-5, false}, {1 << 14, true, 1e-5, true}, {1 << 14, false, 1e-5, false}, {1 << 14, true, 2e-4, false}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        machine.one_node = kinds[i].near;
        machine.cell = kinds[i].cell;
        new_job(1.02e-5, 1e-5, 1.01e-5);
        predict(kinds[i].predicted, kinds[i].predicted, kinds[i].predicted);
        for (int r = 0; r < RANKS; r++)
            job.budget[r].spent = UINT64_MAX / 2;
        make_calls(200);
        ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
        ck_assert_uint_eq(kind_pause(the_kind()), kinds[i].brief ? START_PAUSE : 0);
        ck_assert_int_ge(job.trials, kinds[i].brief ? 3 * SHORT_ROUNDS : 9);
        ck_assert_msg(kinds[i].brief || job.trials == 9, "row %zu: %d trials", i, job.trials);
    }
}

/* Pauses are time lost. The trials of a kind have some 39 of them, 5.9 ms. */
START_TEST(pauses_cost)
{
    machine.one_node = true;
    machine.cell = 1 << 14;
    new_job(1.02e-5, 1e-5, 1.01e-5);
    predict(1e-5, 1e-5, 1e-5);
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = 500 * MS;
    make_calls(200);
    ck_assert_int_eq(job.trials, 0);
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = 1000 * MS;
    make_calls(200);
    ck_assert_int_gt(job.trials, 0);
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

/* Shadow trials run beside the calls. The model's choice serves all calls, and the whole time of a trial counts as lost. */
START_TEST(trials_aside)
{
    new_job(2e-3, 1e-3, 0.5e-3);
    job.shadow = true;
    for (int i = 0; i < 30; i++)
        ck_assert_int_eq(make_calls(1), FIRST);
    ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
    ck_assert_int_eq(the_kind()->best, SECOND);
    ck_assert_uint_ge(job.budget[0].lost, (uint64_t)(2 * 2 * MS + 2 * 1 * MS + 2 * 0.5 * MS));
}

/* The doubt about the next call, in milliseconds. */
static double doubt(void)
{
    struct kind k = *the_kind();
    return 1e3 * (double)kind_doubt(&k) * (1 << 20);
}

/*
 * In a dry run, shadow trials begin anew whenever the calls of the kind have doubled. Then it shows by how much the saving
 * differs, whichever engine wins now: first for the 73 calls so far, and then for each call. The old times are told until
 * the new trials are over.
 */
START_TEST(trials_come_again)
{
    static const double later[][2] = {{1e-3, 0}, {2e-3, 1}, {0.5e-3, 0.5}, {3e-3, 2}};
    for (size_t i = 0; i < COUNT(later); i++) {
        struct kind *k = NULL;
        new_job(2e-3, 1e-3, 1.8e-3);
        job.shadow = job.again = true;
        for (int r = 0; r < RANKS; r++)
            job.budget[r].spent = history_spending(1);
        make_calls(11);
        k = (struct kind *)the_kind();
        ck_assert_int_eq(k->state, KIND_SETTLED);
        ck_assert_double_eq_tol(doubt(), 0, 0.01);
        job.seconds[FIRST] = later[i][0];
        make_calls(64);
        ck_assert_int_eq(k->state, KIND_TRIED);
        ck_assert_double_eq_tol(doubt(), 0, 0.01);
        ck_assert_double_eq_tol((double)kind_told(k, FIRST).median * (1 << 20), 1e-3, 1e-5);
        make_calls(10);
        ck_assert_int_eq(k->state, KIND_SETTLED);
        ck_assert_double_eq_tol((double)kind_told(k, FIRST).median * (1 << 20), later[i][0], 1e-5);
        ck_assert_double_eq_tol(doubt(), (73 + 1) * later[i][1], 4.01 * later[i][1] + 0.01);
        kind_doubt(k);
        ck_assert_double_eq_tol(doubt(), later[i][1], 0.01);
        const int before = job.trials;
        make_calls(60);
        ck_assert_int_eq(job.trials, before);
        make_calls(40);
        ck_assert_int_gt(job.trials, before);
        ck_assert_double_eq_tol(doubt(), 0, 0.01);
    }
}

/* Trials that begin anew leave half of the budget to other kinds. */
START_TEST(trials_again_leave_a_budget)
{
    for (int filled = 0; filled < 2; filled++) {
        new_job(2e-3, 1e-3, 1.8e-3);
        job.shadow = job.again = true;
        for (int r = 0; r < RANKS; r++)
            job.budget[r].spent = history_spending(filled ? 0.1 : 0.03);
        make_calls(11);
        ck_assert_int_eq(the_kind()->state, KIND_SETTLED);
        const int before = job.trials;
        make_calls(64 + 5);
        ck_assert_int_eq(job.trials > before, filled);
    }
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
    job.seconds[NATIVE] = 0.2e-3;
    make_calls(200);
    ck_assert_int_eq(make_calls(1), SECOND); /* a trial of native is still too dear, but will come */
    for (int r = 0; r < RANKS; r++)
        job.budget[r].spent = 3000 * MS;
    make_calls(256);
    ck_assert_int_eq(make_calls(1), NATIVE);
}

SUITE("history", 60)
