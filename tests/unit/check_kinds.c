/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds: which calls share one, how many a history has, what a kind keeps, and how a rule begins one. */
#include "learning.h"

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
    static struct history h;
    const int row[] = {0};
    const double seconds[] = {1};
    int entered = 0;
    for (struct facts f; history_open(&h); entered++) {
        f = facts_of(BIT(entered % 32));
        f.collective = (enum collective)(entered / 32);
        ck_assert_ptr_null(history_find(&h, &f));
        ck_assert_ptr_nonnull(history_enter(&h, &f, false, 0, row, seconds, 1));
    }
    ck_assert_int_ge(entered, KINDS - 1);
    struct facts f = facts_of(8);
    f.op = OP_ROUNDS;
    ck_assert_ptr_null(history_find(&h, &f));
    struct rule rule = rule_for(COLL_BCAST, OP_NONE, RANKS, RANKS, engines[SECOND], 0);
    rule.evidence = (struct evidence){.at = 8, .us = 1};
    ck_assert_ptr_null(history_start(&h, &(struct kind_traits){.key = kind_key(&f)}, &rule));
    for (int i = 0; i < entered; i++) {
        f = facts_of(BIT(i % 32));
        f.collective = (enum collective)(i / 32);
        ck_assert_uint_eq(history_find(&h, &f)->key, kind_key(&f));
    }
}

/* With one candidate there is nothing to learn, and no sync point. */
START_TEST(one_candidate_is_the_models)
{
    static struct history h;
    const int row[] = {SECOND};
    const double seconds[] = {1};
    const struct facts f = facts_of(8);
    struct kind *k = history_enter(&h, &f, false, 0, row, seconds, 1);
    for (int i = 0; i < 2000; i++) {
        if (i == 1000)
            k->calls = UINT32_MAX - 500; /* as after hours */
        ck_assert(!kind_syncs(k) && !kind_times(k));
        ck_assert_int_eq(kind_serves(k), -1);
        kind_count(k, &f, NULL);
    }
}

/* A settled kind keeps the times of its trials. A row without a trial has none. */
START_TEST(samples_stay)
{
    new_job(2e-3, 1e-3, 9e-3);
    job.shadow = true;
    job.noise = 0.5;
    make_calls(30);
    const struct samples native = kind_told(the_kind(), NATIVE), none = kind_told(the_kind(), 1);
    const double bytes = 1 << 20;
    ck_assert(native.least * bytes >= 1.999e-3 && native.least < native.median && native.median < native.most);
    ck_assert(native.most * bytes < 3.01e-3 && none.least == 0 && none.most == 0);
    ck_assert(kind_told(the_kind(), FIRST).median == the_kind()->seconds);
}

/* A rule begins a settled kind: of shadow trials, the model decides about the calls, and there are new trials if `again'. */
START_TEST(a_rule_begins_a_kind)
{
    static struct history h;
    const struct facts f = facts_of(1 << 20);
    struct rule rule = rule_for(COLL_REDUCE, OP_EXACT, RANKS, RANKS, engines[SECOND], 0);
    rule.evidence = (struct evidence){.at = 1 << 20, .native_us = 3, .us = 2};
    for (int i = 0; i < 8; i++) {
        const struct kind_traits traits = {kind_key(&f), i & 1, i & 2, i & 4};
        history_clear(&h);
        const struct kind *k = history_start(&h, &traits, &rule);
        ck_assert_ptr_eq(k, history_find(&h, &f));
        ck_assert_int_eq(kind_serves(k), i & 1 ? -1 : SECOND);
        ck_assert(kind_calm(k) && !kind_learns(k) && k->shares == !!(i & 4));
        ck_assert_int_eq(k->next == UINT32_MAX, (i & 3) == 1);
        ck_assert(k->seconds == (float)(2e-6 / (1 << 20)) && k->native == (float)(3e-6 / (1 << 20)));
    }
    rule.engine.rows = 1;
    rule.evidence.us = 3;
    history_clear(&h);
    ck_assert_int_eq(kind_serves(history_start(&h, &(struct kind_traits){.key = kind_key(&f)}, &rule)), 0);
}

SUITE("kinds", 60)
