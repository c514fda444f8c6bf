/* SPDX-License-Identifier: BSD-2-Clause */
/* Records: their form, their order, and when they are written. */
#include "records.h"

START_TEST(shape)
{
    static const char *const expected[3][COLUMNS] = {
        {"seq", "time_s", "rank", "comm", "ranks", "collective", "bytes", "count", "datatype", "op", "root", "engine",
         "blocks", "reason", "duration_us", "site"},
        {"0", "1.500000", "5", "MPI_COMM_WORLD", "7", "reduce", "5000000000", "625000000", "MPI_DOUBLE", "MPI_SUM", "3",
         "chain", "19", "model", "2.500", "-"},
        {"1", "0.000001", "5", "-", "7", "scan", "5000000000", "625000000", "MPI_DOUBLE", "MPI_SUM", "-", "native", "-",
         "below-threshold", "1000001.007", "-"},
    };
    struct record r = sample();
    ck_assert(!record_on());
    record_add(&r, record_clock()); /* dropped */
    record_open("log", 5, 1, 0);
    ck_assert(record_on());
    record_add(&r, record_clock());
    r.time = 1e-6;
    r.duration = 1.000001007;
    r.collective = COLL_SCAN;
    r.root = -1;
    r.blocks = 0;
    r.reason = REASON_BELOW_THRESHOLD;
    r.engine = "native";
    r.comm[0] = '\0';
    record_add(&r, record_clock());
    record_close();
    ck_assert(!record_on());
    record_add(&r, record_clock()); /* dropped */
    record_close();

    ck_assert_int_eq(lines(contents("log")), 3);
    for (int line = 0; line < 3; line++)
        for (int column = 0; column < COLUMNS; column++)
            ck_assert_str_eq(cell(line, column), expected[line][column]);
}

START_TEST(whole_lines_of_wide_fields)
{
    struct record r = sample();
    memset(r.comm, 'c', RECORD_NAME - 1);
    memset(r.datatype, 'd', RECORD_NAME - 1);
    memset(r.op, 'o', RECORD_NAME - 1);
    r.time = r.duration = 1e9;
    r.bytes = r.count = r.blocks = INT64_MAX;
    r.ranks = r.root = INT_MAX;
    for (int i = 0; i < CALL_SITE_FRAMES; i++)
        r.frame[i] = (char *)(void *)LONG_NAME + 1 + i % 3;
    record_open("log", INT_MAX, 1, CALL_SITE_FRAMES);
    for (int i = 0; i < 100; i++)
        record_add(&r, record_clock());
    record_close();
    ck_assert_int_eq(lines(contents("log")), 101);
    for (int line = 1; line <= 100; line++) {
        ck_assert_str_eq(cell(line, 14), "1000000000000000.000");
        ck_assert_int_eq(strncmp(strrchr(cell(line, 15), ' '), " a_long_name_of_24_lettersa_long", 32), 0);
        ck_assert_str_eq(strrchr(cell(line, 15), '+'), "+0x2");
    }
}

START_TEST(sequence_is_complete)
{
    char seq[24];
    record_open("log", 0, 1, 0);
    add(1000);
    ck_assert_int_ge(lines(contents("log")), 1 + 3 * 256); /* full buffers are written at once */
    record_close();
    ck_assert_int_eq(lines(contents("log")), 1001);
    for (int i = 0; i < 1000; i++) {
        snprintf(seq, sizeof seq, "%d", i);
        ck_assert_str_eq(cell(i + 1, 0), seq);
    }
}

START_TEST(written_after_a_second)
{
    record_open("log", 0, 1, 0);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 1);
    usleep(1050000);
    ck_assert(record_clock() > 1.05 && record_clock() < 60);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 3);
    add(1);
    ck_assert_int_eq(lines(contents("log")), 3);
}

/* A note that is not yet written stays when another one comes. */
START_TEST(notes)
{
    record_open("log", 0, 1, 0);
    record_note("measured: %d", 1);
    record_note("shared: %d", 2);
    add(1);
    record_close();
    ck_assert_ptr_nonnull(strstr(contents("log"), "\n# measured: 1\n# shared: 2\n0\t"));
}

enum { THREADS = 4, RECORDS = 5000, ROUNDS = 500 };

static void add_sites(int records, bool unwind)
{
    struct record r = sample();
    for (int i = 0; i < records; i++) {
        if (unwind)
            call_site_capture(r.frame, __builtin_return_address(0));
        r.frame[0] = (char *)(void *)add_sites + i % 1000; /* keeps the writer busy with names */
        r.frame[1] = NULL;
        record_add(&r, record_clock());
    }
}

static void *add_many(void *unused)
{
    add_sites(RECORDS, true);
    return unused;
}

/*
 * A thread adds records while it holds the loader's lock, which a writer of the log needs. The thread does not unwind its
 * stack: libunwind takes the loader's lock while it holds a lock of its own, so two threads could each wait for the other.
 * (Constructors may unwind: dlopen() holds another lock when it runs them.)
 */
static int inside_the_loader(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)module, (void)size, (void)unused;
    add_sites(RECORDS / ROUNDS, false);
    return 1;
}

static void *add_inside_the_loader(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        usleep(100); /* lets the other threads in */
        dl_iterate_phdr(inside_the_loader, NULL);
    }
    return unused;
}

START_TEST(threads)
{
    pthread_t thread[THREADS];
    FILE *file;
    char line[4096];
    long expected = 0, seq;
    record_open("log", 0, 1, 4);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, i ? add_many : add_inside_the_loader, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    record_close();
    file = fopen("log", "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "%ld\t", &seq), 1);
        ck_assert_int_eq(seq, expected++);
    }
    fclose(file);
    ck_assert_int_eq(expected, THREADS * RECORDS);
}

START_TEST(numbers_ignore_the_locale)
{
    struct record r = sample();
    if (!in_decimal_comma())
        return;
    record_open("log", 0, 1, 0);
    record_add(&r, record_clock());
    record_close();
    contents("log");
    ck_assert_str_eq(cell(1, 1), "1.500000");
    ck_assert_str_eq(cell(1, 14), "2.500");
}

SUITE("record", 60)
