/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of histories: a job of simulated ranks, which learn from calls whose times are invented. */
#pragma once

#include "common_start.h"
#include "history.h"
#include "suite.h"

enum { RANKS = 4, ROWS = 3, NATIVE = 0, FIRST = 3, SECOND = 5, OWN = 7 };

#define MS INT64_C(1000000) /* in nanoseconds */

/* A job: the history of each rank, and the true time of a call in each row. The model chooses row FIRST. */
static struct job {
    struct history history[RANKS];
    struct trial_budget budget[RANKS];
    uint64_t now[RANKS];    /* true time, in ns */
    int64_t off[RANKS];     /* by how much the rank's clock is ahead, in ns */
    double late;            /* ranks come late at random, by at most this multiple of the time of a call */
    double cold;            /* the first of several calls by one engine takes so many times as long; 0: it does not */
    int before;             /* the row of the latest call */
    double busy;            /* a rank loses its core in such a part of its calls */
    double noise;           /* calls take longer at random, by at most this multiple of their time */
    double seconds[8];      /* seconds of a call of 1 MiB, by row */
    bool latency;           /* calls of all sizes take the time of 1 MiB */
    double predicted[ROWS + 1]; /* what the model predicts for NATIVE, FIRST, SECOND and the algorithm */
    bool own;                   /* an algorithm of the MPI library is a candidate, too; its time is that of row OWN */
    bool shadow, again;
    int held;                   /* the row that wins unless another one is clearly faster */
    int skips_rank, skips_call; /* a rank that does not count a call; the number of that call, or -1 */
    int calls, trials, native;  /* numbers so far: of all calls, of those in trials, of native ones */
    int syncs, rules;           /* numbers so far */
    int hangs_row, hangs_rank;  /* calls in this row end later on this rank */
    double hangs;               /* how many seconds later */
    int other_rank;             /* a rank whose messages are longer, or -1 */
    bool useless[8];            /* rows that turn out in trials to be of no use */
    int useless_from;           /* the number of trials before this shows */
    int lucky;                  /* the number of trials before one that takes a fiftieth of its time, or -1 */
} job;

static struct machine machine = {.nodes = 1, .node_ranks = RANKS, IN_ORDER};

static inline struct facts facts_of(int64_t bytes)
{
    return (struct facts){
        .collective = COLL_REDUCE, .op = OP_EXACT, .ranks = RANKS, .bytes = bytes, .units = bytes / 8, .machine = &machine};
}

/* What the model predicts for a call of any size. */
static inline void predict(double native, double first, double second)
{
    job.predicted[0] = native;
    job.predicted[1] = first;
    job.predicted[2] = second;
}

static inline void new_job(double native, double first, double second)
{
    memset(&job, 0, sizeof job);
    srandom(1);
    job.seconds[NATIVE] = native;
    job.seconds[FIRST] = first;
    job.seconds[SECOND] = second;
    predict(1e-3, 1e-3, 1e-3);
    job.skips_call = job.other_rank = job.lucky = -1;
    for (int r = 0; r < RANKS; r++) {
        job.now[r] = 5000 * (uint64_t)MS;
        job.budget[r].spent = 0;
    }
}

static inline double at_random(void)
{
    return (double)random() / 2147483648.0;
}

static inline int own_row(void)
{
    return engine_row(engine_find("native:binomial"));
}

static inline struct kind *kind_at(int rank, const struct facts *f)
{
    const int row[ROWS + 1] = {NATIVE, FIRST, SECOND, own_row()};
    struct kind *k = history_find(&job.history[rank], f);
    if (k || !history_open(&job.history[rank]))
        return k;
    k = history_enter(&job.history[rank], f, job.shadow, job.held, row, job.predicted, ROWS + job.own);
    k->again = job.again;
    return k;
}

static inline void hold_sync_point(struct kind **k)
{
    uint64_t all[WORDS] = {0}, word[WORDS];
    for (int r = 0; r < RANKS; r++) {
        history_say(&job.history[r], k[r], &job.budget[r], word);
        for (int w = 0; w < WORDS; w++)
            all[w] = word[w] > all[w] ? word[w] : all[w];
    }
    for (int r = 0; r < RANKS; r++)
        job.rules += history_hear(&job.history[r], k[r], all, 1000, &job.budget[r]) && r == 0;
    job.syncs++;
}

/* Makes a call on all ranks, which must take the same row; returns the row that served it. */
static inline int make_call(int64_t bytes)
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
    row = row == own_row() ? OWN : row;
    bool useless = job.useless[row] && job.trials >= job.useless_from;
    double call = job.seconds[row] * (1 + job.noise * at_random()) * (job.latency ? 1 : (double)bytes / (1 << 20));
    call /= timed && job.trials == job.lucky ? 50 : 1;
    call *= job.cold > 0 && row != NATIVE && row != job.before ? job.cold : 1;
    job.before = row;
    struct timed when[RANKS];
    for (int r = 0; r < RANKS; r++) {
        job.now[r] += (uint64_t)(1e9 * job.late * call * at_random());
        when[r].start = (uint64_t)((int64_t)job.now[r] + job.off[r]);
        when[r].preempted = job.busy > 0 && at_random() < job.busy;
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

static inline int make_calls(int count)
{
    int row = -1;
    for (int i = 0; i < count; i++)
        row = make_call(1 << 20);
    return row;
}

static inline const struct kind *the_kind(void)
{
    const struct facts f = facts_of(1 << 20);
    return history_find(&job.history[0], &f);
}
