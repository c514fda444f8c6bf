/* SPDX-License-Identifier: BSD-2-Clause */
/* The report: calls by collective, engine and reason, and by call site; tables that are full. */
#include "reports.h"

START_TEST(groups)
{
    char copy[] = "chain"; /* names are told apart by their letters, not their place */
    ck_assert(!record_on());
    report_open("report", 5, 0);
    ck_assert(record_on());
    count(3, COLL_BCAST, "native", REASON_BELOW_THRESHOLD, 100, 1e-6);
    count(1, COLL_BCAST, "chain", REASON_MODEL, 1 << 20, 3e-3);
    count(1, COLL_BCAST, copy, REASON_MODEL, 1 << 20, 1e-3);
    count(1, COLL_BCAST, "chain", REASON_RULE, 1 << 20, 1.5);
    count(2, COLL_EXSCAN, "native", REASON_OVERSUBSCRIBED, 3 << 10, 0.25);
    record_note("measured: %d", 17);
    report_trials(1, 0.5);
    report_trials(2, 1.002);
    report_close();
    ck_assert(!record_on());

    contents("report");
    ck_assert_ptr_nonnull(strstr(text, "report of rank 5, process "));
    ck_assert_ptr_nonnull(strstr(text, "\n8 calls: 3.006M bytes, 2.004s, which is "));
    ck_assert_ptr_nonnull(strstr(text, "\nmeasured: 17\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n2 kinds of calls learned; the trials lost 1.002s, which is 50.0% of the calls' time\n"));
    /* CALLS BYTES TIME SHARE MEAN MIN MAX, and the part that engines served. */
    expect("%  bcast", "6 3.000M 1.504s 75.0% 250.7ms 1.000us 1.500s 100.0%");
    expect("%  exscan", "2 6.000K 500.0ms 25.0% 250.0ms 250.0ms 250.0ms 0.0%");
    expect("bcast       native             below-threshold", "3 300 3.000us 0.0% 1.000us 1.000us 1.000us");
    expect("bcast       chain              model", "2 2.000M 4.000ms 0.2% 2.000ms 1.000ms 3.000ms");
    expect("bcast       chain              rule", "1 1.000M 1.500s 74.9% 1.500s 1.500s 1.500s");
    expect("exscan      native             oversubscribed", "2 6.000K 500.0ms 25.0%");
    ck_assert_ptr_null(strstr(text, "others"));
    ck_assert_ptr_null(strstr(text, "reduce"));
    /* Most time first. */
    ck_assert(strstr(text, "rule\n") < strstr(text, "oversubscribed\n"));
    ck_assert(strstr(text, "oversubscribed\n") < strstr(text, "model\n"));
    ck_assert(strstr(text, "model\n") < strstr(text, "below-threshold\n"));
    expect("bcast       -", "6"); /* no stack, no site */
    expect("exscan      -", "2");

    count(1, COLL_BCAST, "native", REASON_MODEL, 1, 1); /* dropped */
    report_close();
    ck_assert_int_ne(access("report.1", F_OK), 0);
}

/* Engines beyond all that there are: what finds no place is counted all the same. */
START_TEST(too_many_groups)
{
    static char name[60][8];
    report_open("report", 0, 0);
    for (int i = 0; i < 60; i++) {
        snprintf(name[i], sizeof name[i], "e%d", i);
        for (int c = 0; c < COLLECTIVES; c++)
            count(2, (enum collective)c, name[i], REASON_MODEL, 1, 1 + i);
    }
    finish();
    ck_assert_ptr_nonnull(strstr(text, "\n600 calls: 600 bytes, "));
    expect("%  scan", "120");
    expect("  scan        e25                model", "2");
    ck_assert_ptr_null(strstr(text, "e26 "));
    expect("  others", "344 344 14894s 81.4% 43.30s 26.00s 60.00s");
}

static __attribute__((noinline)) void wide(void)
{
    __asm__ volatile(".skip 512, 0x90");
}

/* Calls from so many sites, which differ in their second frame; the last of them take longest. */
static void count_sites(int sites)
{
    struct record r = sample();
    for (int i = 0; i < sites; i++) {
        r.frame[0] = (char *)(void *)count_sites + 1;
        r.frame[1] = (char *)(void *)wide + 1 + i;
        r.frame[2] = NULL;
        r.duration = 1 + i;
        record_add(&r);
        record_add(&r);
    }
}

START_TEST(top_sites)
{
    report_open("report", 0, 4);
    count_sites(12);
    finish();
    expect("reduce      count_sites+0x1 < wide+0xc", "2 9.313G 24.00s 15.4% 12.00s 12.00s 12.00s");
    expect("reduce      count_sites+0x1 < wide+0x3", "2 9.313G 6.000s");
    ck_assert_ptr_null(strstr(text, "wide+0x2\n"));
    expect("  2 others", "4 18.63G 6.000s 3.8% 1.500s 1.000s 2.000s");
}

START_TEST(too_many_sites)
{
    report_open("report", 0, 4);
    count_sites(300);
    finish();
    expect("reduce      count_sites+0x1 < wide+0x100", "2");
    ck_assert_ptr_null(strstr(text, "wide+0x101"));
    ck_assert_ptr_nonnull(strstr(text, "\n600 calls: "));
    expect("  more than 246 others", "580");
    ck_assert_ptr_null(strstr(text, "which is -")); /* a share that no number can hold */
}

/* A site that is the beginning of another one, and one of all frames there can be; calls that take no time. */
START_TEST(depth_of_sites)
{
    struct record r = sample();
    r.duration = 0;
    for (int i = 0; i < SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)count_sites + 1;
    report_open("report", 0, SITE_FRAMES);
    for (int calls = 1; calls <= 3; calls++) {
        for (int i = 0; i < calls; i++)
            record_add(&r);
        r.frame[calls == 1 ? 2 : 1] = NULL;
    }
    r.collective = COLL_SCAN;
    record_add(&r);
    finish();
    expect(" < count_sites+0x1 < count_sites+0x1", "1");
    expect("  reduce      count_sites+0x1 < count_sites+0x1", "2");
    expect("  reduce      count_sites+0x1", "3");
    expect("  scan        count_sites+0x1", "1");
}

/*
 * Calls without a site are none of the others', wherever chance puts these in the table. A process for each chance, as it
 * has one report.
 */
START_TEST(no_site_among_many)
{
    for (int chance = 0; chance < 10; chance++) {
        char name[16];
        snprintf(name, sizeof name, "report.%d", chance);
        pid_t process = fork();
        if (process == 0) {
            struct record r = sample();
            report_open(name, 0, 4);
            for (int i = 0; i < 255; i++) {
                r.frame[0] = (char *)(void *)wide + 1 + (chance * 255 + i) % 512;
                r.frame[1] = (char *)(void *)wide + 1 + chance;
                record_add(&r);
            }
            r.frame[0] = NULL;
            r.duration = 1;
            record_add(&r);
            record_add(&r);
            exit(0);
        }
        waitpid(process, NULL, 0);
        contents(name);
        expect("reduce      -", "2");
        expect("  246 others", "246");
    }
}

/* Tables that are full of the longest names fit into the text. */
START_TEST(longest)
{
    static char name[40][32];
    struct record r = sample();
    report_open("report", INT_MAX, SITE_FRAMES);
    for (int i = 0; i < SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)LONG_NAME + 1;
    r.bytes = INT64_MAX;
    r.reason = REASON_NOT_APPLICABLE;
    for (int i = 0; i < 160; i++) {
        snprintf(name[i / 4], sizeof name[0], "a_long_name_%d", i / 4);
        r.engine = name[i / 4];
        r.collective = i % COLLECTIVES;
        r.duration = 1e9 + i;
        r.frame[1] = (char *)(void *)LONG_NAME + 1 + i % 13;
        record_add(&r);
    }
    finish();
    ck_assert_int_eq(lines(text), 2 + 2 + COLLECTIVES + 2 + 128 + 1 + 2 + 10 + 1);
    ck_assert_ptr_nonnull(strstr(text, "not-applicable\n"));
    expect("  55 others", "");
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
}

START_TEST(odd_numbers)
{
    report_open("report", 0, 0);
    count(1, COLL_BCAST, "native", REASON_ZERO_BYTES, 0, 0);
    count(1, COLL_REDUCE, "native", REASON_MODEL, 1023, 999e-9);
    count(1, COLL_SCAN, "native", REASON_MODEL, 1024, 12345);
    count(1, COLL_EXSCAN, "native", REASON_MODEL, 1, 12.345e-6);
    finish();
    expect("bcast       native             zero-bytes", "1 0 0.000ns 0.0% 0.000ns 0.000ns 0.000ns");
    expect("reduce      native             model", "1 1023 999.0ns 0.0% 999.0ns");
    expect("scan        native             model", "1 1.000K 12345s 100.0% 12345s");
    expect("exscan      native             model", "1 1 12.35us");
    ck_assert_ptr_null(strstr(text, "nan"));
}

START_TEST(no_calls)
{
    report_open("report", 0, 4);
    finish();
    ck_assert_int_eq(lines(text), 2);
    ck_assert_ptr_nonnull(strstr(text, "\n0 calls: 0 bytes, 0.000ns, which is 0.0% of the "));
}

SUITE("report", 60, groups, too_many_groups, top_sites, too_many_sites, depth_of_sites, no_site_among_many, longest,
      odd_numbers, no_calls)
