/* SPDX-License-Identifier: BSD-2-Clause */
/* The counts of a rank report: rows of like calls, call sites, sampled calls; and what happens if a table is full. */
#include "reports.h"

START_TEST(rows)
{
    char copy[] = "chain"; /* the same name at another address */
    ck_assert(!record_on());
    open_report("report", 0, 0);
    ck_assert(record_on());
    count(3, COLL_BCAST, "native", REASON_BELOW_THRESHOLD, 100, 1e-6);
    count(1, COLL_BCAST, "chain", REASON_MODEL, 1 << 20, 3e-3);
    count(1, COLL_BCAST, copy, REASON_MODEL, 1 << 20, 1e-3);
    count(1, COLL_BCAST, "chain", REASON_MODEL, (1 << 20) + 1, 1);
    count(1, COLL_BCAST, "chain", REASON_RULE, 1 << 20, 1.5);
    count(2, COLL_EXSCAN, "native", REASON_ZERO_BYTES, 0, 0.25);
    report_note("within a node: %d", 17);
    ck_assert(report_unshared("rank 3 has no memory left"));
    ck_assert(!report_unshared("rank 4 has no memory left"));
    report_trials(1, 0.5);
    report_trials(2, 1.002);
    const struct rank_report *p = counted();
    ck_assert(!record_on());
    count(1, COLL_BCAST, "native", REASON_MODEL, 1, 1); /* not counted any more */

    ck_assert_int_eq(p->rows, 5);
    const struct rank_row *r = row_of(p, COLL_BCAST, "chain", REASON_MODEL);
    ck_assert_int_eq(r->size, 20);
    ck_assert_int_eq(r->would, r->engine);
    ck_assert_int_eq(r->tally.calls, 2);
    ck_assert_double_eq(r->tally.bytes, 2 << 20);
    ck_assert_double_eq_tol(r->tally.seconds, 4e-3, 1e-9);
    ck_assert_double_eq_tol(r->tally.least, 1e-3, 1e-9);
    ck_assert_double_eq_tol(r->tally.most, 3e-3, 1e-9);
    ck_assert_double_eq_tol(r->tally.first, 3e-3, 1e-9);
    ck_assert_int_eq(row_of(p, COLL_BCAST, "native", REASON_BELOW_THRESHOLD)->tally.calls, 3);
    ck_assert_int_eq(row_of(p, COLL_EXSCAN, "native", REASON_ZERO_BYTES)->size, -1);
    ck_assert_int_eq(sum_of(p, "-").calls, 9); /* the stack is not recorded: all calls have one site */
    ck_assert_int_eq(p->sites, 1);
    ck_assert_str_eq(p->note, "within a node: 17");
    ck_assert_str_eq(p->unshared, "rank 3 has no memory left");
    ck_assert_int_eq(p->learned, 2);
    ck_assert_double_eq_tol(p->lost, 1.002, 1e-9);
    ck_assert_int_eq(p->end, END_FINALIZE);
    ck_assert(p->elapsed > 0 && p->run >= p->elapsed);
}

/* In a dry run, a row has the engine that would serve. Sums of predictions leave out calls that lack a prediction. */
START_TEST(predictions)
{
    struct record r = sample();
    open_report("report", 0, 0);
    r.engine = "native";
    r.would = "chain";
    r.expected.native = 3;
    r.expected.engine = 2;
    r.duration = 4;
    record_add(&r, record_clock());
    record_add(&r, record_clock());
    r.expected.engine = 0;
    record_add(&r, record_clock());
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->rows, 1);
    ck_assert_str_eq(engines[p->row[0].would]->name, "chain");
    const struct tally *t = &p->row[0].tally;
    ck_assert_int_eq(t->calls, 3);
    ck_assert_double_eq(t->seconds, 12);
    ck_assert_double_eq(t->native, 6);
    ck_assert_double_eq(t->engine, 4);
    ck_assert_double_eq(t->predicted, 8);
}

static __attribute__((noinline)) void wide(void)
{
    __asm__ volatile(".skip 1024, 0x90");
}

/* Counts two calls for each site and size class. Sites differ in their second frame. */
static void count_sites(int sites, int sizes)
{
    struct record r = sample();
    for (int i = 0; i < sites * sizes; i++) {
        r.frame[0] = (char *)(void *)count_sites + 1;
        r.frame[1] = (char *)(void *)wide + 1 + i % sites;
        r.frame[2] = NULL;
        r.bytes = INT64_C(1) << i / sites;
        record_add(&r, record_clock());
        record_add(&r, record_clock());
    }
}

START_TEST(sites)
{
    open_report("report", 0, 4);
    count_sites(300, 2);
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->sites, 300);
    ck_assert_int_eq(p->rows, 600);
    for (int i = 0; i < 300; i++)
        ck_assert_int_eq(sum_of(p, p->site[i]).calls, 4);
    ck_assert_int_eq(sum_of(p, "count_sites+0x1 < wide+0x12c").calls, 4);
}

/* Tables grow, and keep what they have counted. Calls that find no row count as others, with all their time. */
START_TEST(too_many_rows)
{
    enum { MOST = 1 << 16, SITES = MOST + 1000, AGAIN = 700 };
    struct record r = sample();
    r.frame[0] = (char *)(void *)count_sites + 1;
    r.frame[3] = NULL;
    r.comm_id = 1;
    open_report("report", 0, 4);
    for (int i = 0; i < SITES + AGAIN; i++) {
        r.number = i < SITES ? -1 : i - SITES;
        r.frame[1] = (char *)(void *)wide + 1 + i % SITES % 256;
        r.frame[2] = (char *)(void *)wide + 1 + i % SITES / 256;
        r.duration = i % SITES < MOST ? 1e-6 : 1e-3;
        record_add(&r, record_clock());
    }
    r.number = 0;
    r.comm_id = 2;
    r.bytes = 1; /* a site with a row, but a new size */
    record_add(&r, record_clock());
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->sites, MOST);
    ck_assert_int_eq(p->rows, MOST + 1);
    ck_assert_int_eq(sum_of(p, NULL).calls, SITES + AGAIN + 1);
    ck_assert_int_eq(sum_of(p, "-1").calls, SITES - MOST + 1);
    ck_assert_double_eq_tol(sum_of(p, "-1").seconds, (SITES - MOST) * 1e-3 + 1e-6, 1e-9);
    for (int i = 0; i < MOST; i++)
        ck_assert_int_eq(p->row[i].tally.calls, p->row[i].site < AGAIN ? 2 : 1);
    for (int i = 0; i < p->calls; i++)
        ck_assert_int_eq(p->call[i].site, p->call[i].comm == 1 ? p->call[i].number : -1);
}

/* If there are too many kinds of calls, the remaining calls of each collective share a row. */
START_TEST(too_many_kinds)
{
    open_report("report", 0, 0);
    int64_t calls = 0;
    for (int e = 0; engines[e]; e++)
        for (int reason = REASON_MODEL; reason < REASONS; reason++)
            for (int size = 0; size < 40; size++)
                for (enum collective c = 0; c < COLLECTIVES; c++, calls++)
                    count(1, c, engines[e]->name, (enum reason)reason, INT64_C(1) << size, 1);
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->rows, (1 << 16) + COLLECTIVES);
    ck_assert_int_eq(sum_of(p, NULL).calls, calls);
    for (enum collective c = 0; c < COLLECTIVES; c++) {
        const struct rank_row *r = row_of(p, c, "native", REASON_NONE);
        ck_assert_ptr_nonnull(r);
        ck_assert_int_eq(r->size, -1);
        ck_assert_int_gt(r->tally.calls, 100);
    }
}

/* Three sites have the same frames: one has as many as a site may have, the others have two and one. All calls take 0 s. */
START_TEST(depth_of_sites)
{
    struct record r = sample();
    r.duration = 0;
    for (int i = 0; i < CALL_SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)count_sites + 1;
    open_report("report", 0, CALL_SITE_FRAMES);
    for (int calls = 1; calls <= 3; calls++) {
        for (int i = 0; i < calls; i++)
            record_add(&r, record_clock());
        r.frame[calls == 1 ? 2 : 1] = NULL;
    }
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->sites, 3);
    ck_assert_int_eq(sum_of(p, "count_sites+0x1 < count_sites+0x1").calls, 2);
    ck_assert_int_eq(sum_of(p, "count_sites+0x1").calls, 3);
}

/*
 * Calls without a site never count for a site, wherever the hash table puts the sites. A process has only one report, so
 * each try has a process of its own.
 */
START_TEST(no_site_among_many)
{
    for (int chance = 0; chance < 10; chance++) {
        pid_t process = fork();
        if (process == 0) {
            struct record r = sample();
            open_report("report", 0, 4);
            for (int i = 0; i < 511; i++) {
                r.frame[0] = (char *)(void *)wide + 1 + (chance * 511 + i) % 1024;
                r.frame[1] = (char *)(void *)wide + 1 + chance;
                record_add(&r, record_clock());
            }
            r.frame[0] = NULL;
            record_add(&r, record_clock());
            record_add(&r, record_clock());
            exit(sum_of(counted(), "-").calls == 2 ? 0 : 1);
        }
        ends_well(process);
    }
}

/*
 * The sample has the calls of a communicator that rank_report_keeps() selects. It has no call without a number or a
 * communicator, and no more calls than fit.
 */
START_TEST(single_calls)
{
    struct record r = sample();
    open_report("report", 0, 0);
    r.comm_id = 77;
    r.time = record_clock() + 2;
    for (r.number = 0; r.number < 1024; r.number++)
        record_add(&r, record_clock());
    r.number = -1;
    record_add(&r, record_clock());
    r.number = 0;
    r.comm_id = 0;
    record_add(&r, record_clock());
    for (r.comm_id = 100; r.comm_id < 140; r.comm_id++)
        for (r.number = 0; r.number < 256; r.number++)
            record_add(&r, record_clock());
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->calls, 4096);
    ck_assert_int_eq(p->call[511].number, 1020);
    ck_assert_int_eq(p->call[511].comm, 77);
    ck_assert_int_eq(p->call[512].comm, 100);
    ck_assert_int_eq(p->call[0].ranks, 7);
    ck_assert_int_eq(p->call[0].bytes, 5000000000);
    ck_assert_double_eq_tol(p->call[0].start, 2, 0.5);
    ck_assert_double_eq_tol(p->call[0].seconds, 2.5e-6, 1e-9);
    ck_assert_int_eq(sum_of(p, NULL).calls, 1026 + 40 * 256);
}

/* The longest names, and the largest numbers. */
START_TEST(longest)
{
    struct record r = sample();
    open_of("report", 999999, 1000000, CALL_SITE_FRAMES);
    for (int i = 0; i < CALL_SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)LONG_NAME + 1;
    r.bytes = INT64_MAX;
    for (int i = 0; i < 13; i++) {
        r.duration = 1e9 + i;
        r.frame[1] = (char *)(void *)LONG_NAME + 1 + i;
        record_add(&r, record_clock());
    }
    const struct rank_report *p = counted();
    ck_assert_int_eq(p->sites, 13);
    ck_assert_uint_gt(strlen(p->site[0]), 7000);
    ck_assert_int_eq(p->rank, 999999);
}

START_TEST(no_calls)
{
    open_report("report", 0, 4);
    ck_assert_int_eq(counted()->rows, 0);
}

SUITE("report", 60)
