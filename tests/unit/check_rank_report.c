/* SPDX-License-Identifier: BSD-2-Clause */
/* Rank reports as text: reading gives back what was written, and refuses other text. */
#include "rank_report_read.h"
#include "rank_reports.h"

static struct made made;
static char why[256];

/* A rank report with lines of all kinds. */
static struct rank_report *sample(void)
{
    struct rank_report *p = made_report(&made, 3, 16, "node1");
    p->settings = "PLEACH_STACK=4";
    p->note = "12 MB/s, 260 us";
    p->unshared = "rank 3 has no memory left";
    p->cores = "0-3,8";
    p->dry = true;
    p->end = END_EXIT;
    p->began = 1763800000.123456717;
    p->learned = 2;
    p->lost = 0.25;
    p->faults = 12345;
    p->faulted = 0.375;
    p->measuring = 0.02;
    struct rank_row *r = add_row(p, COLL_SCAN, 1 << 20, "native", REASON_MODEL, 1, 7, 0.125);
    r->would = engine_row(engine_find("doubling"));
    r->tally.native = 1;
    r->tally.engine = 0.5;
    r->tally.predicted = 0.875;
    r->tally.noise = 0.125;
    r->tried = true;
    add_row(p, COLL_BCAST, 0, "native", REASON_ZERO_BYTES, -1, 1, 3e-9);
    struct rank_call *c = add_call(p, 0xfedcba9876543210u, 300, 4, 1.5, 2e-6);
    c->engine = engine_row(engine_find("butterfly"));
    c->site = -1;
    p->others = 1;
    p->other[0] = (struct rank_other){"MPI_Alltoall", 12, 4096, 0.5};
    return p;
}

START_TEST(what_is_written_is_read)
{
    const struct rank_report *p = sample();
    size_t length, again;
    char *text = text_of_report(p, &length);
    struct rank_report *q = rank_report_read(text, length, why, sizeof why);
    ck_assert_msg(q != NULL, "%s", why);

    ck_assert(q->rank == 3 && q->ranks == 16 && q->process == 103 && q->dry && q->end == END_EXIT && q->learned == 2);
    ck_assert(strcmp(q->host, "node1") == 0 && strcmp(q->command, "./app -n 5") == 0 && strcmp(q->pleach, "0.2.0") == 0);
    ck_assert(strcmp(q->mpi, "MPICH 4.0.2") == 0 && strcmp(q->settings, "PLEACH_STACK=4") == 0);
    ck_assert_str_eq(q->note, "12 MB/s, 260 us");
    ck_assert_str_eq(q->unshared, "rank 3 has no memory left");
    ck_assert_str_eq(q->cores, "0-3,8");
    ck_assert(q->began == p->began && q->elapsed == 10 && q->run == 12 && q->measuring == 0.02 && q->lost == 0.25 &&
              q->faults == 12345 && q->faulted == 0.375);
    ck_assert(q->rows == 2 && q->sites == 2 && q->calls == 1 && q->others == 1);
    ck_assert_str_eq(q->site[1], "main+0x77");
    ck_assert_int_eq(q->frames, 1);
    ck_assert_str_eq(q->frame[0], "0x118f 77ab solve+0x1f /home/me/app");
    const struct rank_row *r = &q->row[0], *s = &p->row[0];
    ck_assert(r->collective == COLL_SCAN && r->size == 20 && r->engine == 0 && r->would == s->would);
    ck_assert(r->tried && !q->row[1].tried);
    ck_assert(r->reason == REASON_MODEL && r->site == 1 && memcmp(&r->tally, &s->tally, sizeof r->tally) == 0);
    ck_assert(q->row[1].size == -1 && q->row[1].site == -1 && q->row[1].tally.least == 3e-9);
    const struct rank_call *c = &q->call[0], *d = &p->call[0];
    ck_assert(c->comm == d->comm && c->number == 300 && c->ranks == 4 && c->start == 1.5 && c->seconds == 2e-6);
    ck_assert(c->collective == COLL_ALLREDUCE && c->bytes == 8 && c->engine == d->engine && c->site == -1);
    ck_assert(strcmp(q->other[0].name, "MPI_Alltoall") == 0 && q->other[0].calls == 12 && q->other[0].seconds == 0.5);

    char *second = text_of_report(q, &again);
    ck_assert(again == length && memcmp(text, second, length) == 0);
    free(text);
    free(second);
    rank_report_free(q);
}

/* Reading refuses a rank report that was cut short anywhere. */
START_TEST(a_torn_part_is_refused)
{
    size_t length;
    char *text = text_of_report(sample(), &length);
    for (size_t cut = 0; cut < length; cut++)
        REQUIRE(!rank_report_read(text, cut, why, sizeof why) && *why, "%zu of %zu bytes were read", cut, length);
    free(text);
}

static const struct {
    const char *text, *why;
} bad[] = {
    {"", "first line"},
    {"seq\ttime_s\nend\n", "first line"},
    {"pleach-part\t2\nrank\t0\t1\nend\n", "version 2"},
    {"pleach-part\t1x\nrank\t0\t1\nend\n", "cut short"},
    {"pleach-part\t1\nend\n", "line 'rank' is missing"},
    {"pleach-part\t1\nrank\t4\t4\nend\n", "line 2 (rank): there is no such rank"},
    {"pleach-part\t1\nrank\t0\t2000000000\nend\n", "out of bounds"},
    {"pleach-part\t1\nrank\t-1\t4\nend\n", "out of bounds"},
    {"pleach-part\t1\nrank\t0\nend\n", "a field is missing"},
    {"pleach-part\t1\nrank\tzero\t4\nend\n", "a number was expected"},
    {"pleach-part\t1\nrank\t0\t1\nbegan\t99999999999999999999\nend\n", "line 3 (began): a number was expected"},
    {"pleach-part\t1\nrank\t0\t1\nended\tnever\nend\n", "a word is unknown"},
    {"pleach-part\t1\nrank\t0\t1\nrow\tscan\t63\tnative\tnative\tmodel\t-1\t1\t1\t1\t1\t1\t1\t0\t0\t0\nend\n", "bounds"},
    {"pleach-part\t1\nrank\t0\t1\nrow\tscan\t1\tnative\tnative\tmodel\t0\t1\t1\t1\t1\t1\t1\t0\t0\t0\nend\n", "bounds"},
    {"pleach-part\t1\nrank\t0\t1\nrow\tscan\t1\tnative\tturbo\tmodel\t-1\t1\t1\t1\t1\t1\t1\t0\t0\t0\nend\n", "unknown"},
    {"pleach-part\t1\nrank\t0\t1\nrow\tscan\t1\tnative\tnative\tmodel\t-1\t0\t1\t1\t1\t1\t1\t0\t0\t0\nend\n", "bounds"},
    {"pleach-part\t1\nrank\t0\t1\ncall\txyz\t0\t1\t1\t1\tscan\t1\tnative\t-1\nend\n", "a number was expected"},
    {"pleach-part\t1\nrank\t0\t1\ncall\tff\t0\t0\t1\t1\tscan\t1\tnative\t-1\nend\n", "out of bounds"},
};

START_TEST(what_is_no_part_is_refused)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        REQUIRE(!rank_report_read(bad[i].text, strlen(bad[i].text), why, sizeof why), "text %zu was read", i);
        REQUIRE(strstr(why, bad[i].why), "text %zu: '%s' lacks '%s'", i, why, bad[i].why);
    }
    ck_assert(!rank_report_read("pleach-part\t1\nrank\t0\t1\nhost\ta\0b\nend\n", 36, why, sizeof why) && strstr(why, "NUL"));
}

/* The number of lines `other` is limited, as the time of a merge grows with the square of this number. */
START_TEST(too_many_are_refused)
{
    enum { MANY = 100000 };
    char *text;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    fputs("pleach-part\t1\nrank\t0\t1\n", f);
    for (int i = 0; i < MANY; i++)
        fprintf(f, "other\tMPI_%d\t1\t1\t1\n", i);
    fputs("end\n", f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert(!rank_report_read(text, length, why, sizeof why));
    ck_assert_msg(strstr(why, "too many") != NULL, "%s", why);
    free(text);
}

/* Reading skips kinds of lines, and fields at the end of a line, that a later version has added. */
START_TEST(what_is_not_known_is_skipped)
{
    static const char text[] = "pleach-part\t1\nmood\tgood\n\nrank\t1\t2\t3\nend\n";
    struct rank_report *p = rank_report_read(text, sizeof text - 1, why, sizeof why);
    ck_assert_msg(p && p->rank == 1 && p->ranks == 2 && !*p->host && p->end == END_RUNNING && p->rows == 0, "%s", why);
    rank_report_free(p);
}

/* Earlier releases wrote fewer fields at the end of a row. Reading takes the missing ones for 0. */
START_TEST(what_is_missing_is_unknown)
{
    static const char text[] =
        "pleach-part\t1\nrank\t0\t1\nrow\tscan\t1\tnative\tnative\tmodel\t-1\t1\t2\t3\t4\t5\t6\t7\t8\t9\nend\n";
    struct rank_report *p = rank_report_read(text, sizeof text - 1, why, sizeof why);
    ck_assert_msg(p && p->rows == 1 && p->row[0].tally.noise == 0 && !p->row[0].tried && !*p->cores, "%s", why);
    ck_assert_double_eq(p->row[0].tally.predicted, 9e-9);
    rank_report_free(p);
}

/* Control characters in a text neither end a line of the rank report nor reach a terminal. */
START_TEST(texts_stay_texts)
{
    struct rank_report *p = sample();
    size_t length;
    p->command = "a\tb\nrank\t0\t1\nc\33[2J";
    char *text = text_of_report(p, &length);
    struct rank_report *q = rank_report_read(text, length, why, sizeof why);
    ck_assert(q && q->rank == 3);
    ck_assert_str_eq(q->command, "a b rank 0 1 c [2J");
    free(text);
    rank_report_free(q);
    static const char raw[] = "pleach-part\t1\nrank\t0\t1\nhost\t\33[2J\nend\n";
    ck_assert((q = rank_report_read(raw, sizeof raw - 1, why, sizeof why)) && strcmp(q->host, "?[2J") == 0);
    rank_report_free(q);
}

START_TEST(in_any_locale)
{
    size_t length, again;
    char *text = text_of_report(sample(), &length);
    if (!in_decimal_comma()) {
        free(text);
        return;
    }
    char *other = text_of_report(sample(), &again);
    ck_assert(length == again && memcmp(text, other, length) == 0);
    free(text);
    free(other);
}

START_TEST(calls_that_are_kept)
{
    int64_t each;
    int kept = 0;
    for (int64_t n = 0; n < 1024; n++)
        if (rank_report_keeps(n, &each)) {
            ck_assert_int_eq(each, n < 256 ? 1 : n < 512 ? 2 : 4);
            kept++;
        }
    ck_assert_int_eq(kept, 256 + 128 + 128);
    ck_assert(!rank_report_keeps(INT64_MAX, &each) && each == BIT(55));
}

START_TEST(size_classes)
{
    static const struct {
        int64_t bytes;
        int size;
    } sizes[] = {{0, -1}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {K, 10}, {K + 1, 11}, {BIT(62), 62}, {INT64_MAX, 62}};
    for (size_t i = 0; i < COUNT(sizes); i++)
        ck_assert_int_eq(rank_report_size(sizes[i].bytes), sizes[i].size);
}

SUITE("parts", 4)
