/* SPDX-License-Identifier: BSD-2-Clause */
/* From measured times to rules: the winner of a size, and how sizes with the same winner become one rule. */
#include "rules.h"
#include "suite.h"
#include "tuning.h"

#include <math.h>

enum { TIMES = 8 };

/* ---- Statistics ------------------------------------------------------------------------------------------------------ */

START_TEST(statistics)
{
    struct timing t = {0};
    struct repetition seven[] = {{5, true}, {1, true}, {7, true}, {2, true}, {6, true}, {3, true}, {4, true}},
                      four[] = {{4, true}, {2, true}, {8, false}, {1, false}}, one[] = {{3, true}},
                      apart[] = {{3, false}, {2, false}};
    timing_set(&t, seven, 7);
    ck_assert_int_eq(t.count, 7);
    ck_assert(t.least == 1 && t.sound == 1 && t.median == 4 && t.quartile == 6 && t.most == 7);
    ck_assert(t.spread == 5. / 4);
    timing_set(&t, four, 4);
    ck_assert(t.least == 1 && t.sound == 2 && t.median == 3 && t.quartile == 4 && t.most == 8);
    ck_assert(t.spread == 2. / 3);
    timing_set(&t, apart, 2); /* ranks never began together: all repetitions count */
    ck_assert(t.least == 2 && t.sound == 2 && t.median == 2.5 && t.quartile == 3 && t.most == 3);
    timing_set(&t, one, 1);
    ck_assert(t.least == 3 && t.median == 3 && t.quartile == 3 && t.most == 3 && t.spread == 0);
}

/* The times of an engine, from a list of microseconds. If a time is negative, ranks began apart in that repetition. */
static struct timing times_of(const char *engine, const char *us)
{
    struct timing t = {.engine = engine_find(engine), .right = true};
    struct repetition r[TIMES];
    char text[100], *rest = text;
    int count = 0;
    snprintf(text, sizeof text, "%s", us);
    for (char *one; (one = strsep(&rest, ",")); count++)
        r[count] = (struct repetition){fabs(atof(one)) * 1e-6, atof(one) > 0};
    timing_set(&t, r, count);
    return t;
}

START_TEST(noise)
{
    static const struct {
        const char *us;
        bool noisy;
    } all[] = {
        {"100,100,100", false},
        {"100,110,120,130", false},
        {"100,100,100,100,100,100,100,90000", false}, /* up to a quarter of the repetitions may be late */
        {"100,15000,15000", true},                    /* the median is 150 times the least */
        {"100,101,160", true},
        {"100,101,145", false},
        {"-10,100,101,102", false}, /* ranks began apart in the fastest one, which does not count */
        {"50,100,101", true},
        {"-10,-100,-101,150", false}, /* the only repetition in which ranks began together was late */
        {"100", false},               /* a single time shows no noise */
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        struct timing t = times_of("chain", all[i].us);
        ck_assert_msg(timing_noisy(&t) == all[i].noisy, "%s: spread %g", all[i].us, t.spread);
    }
}

START_TEST(regrets)
{
    struct timing all[] = {times_of("native", "100,100,100"), times_of("chain", "80,80,80"), times_of("ring", "60,60,60")};
    double odd[] = {1.5, 1, 3}, even[] = {2, 1, 4, 1};
    struct regret r = regret_of(odd, 3);
    ck_assert(r.count == 3 && r.median == 1.5 && r.most == 3);
    r = regret_of(even, 4);
    ck_assert(r.count == 4 && r.median == 1.5 && r.most == 4);
    r = regret_of(NULL, 0);
    ck_assert(r.count == 0 && r.median == 0 && r.most == 0);
    ck_assert_ptr_eq(timing_best(all, 3), &all[2]);
    ck_assert_ptr_eq(timing_best(all, 1), &all[0]);
    all[2].right = false; /* a wrong result is no contender, however fast */
    ck_assert_ptr_eq(timing_best(all, 3), &all[1]);
    all[0].right = all[1].right = false;
    ck_assert_ptr_eq(timing_best(all, 3), &all[0]);
}

/* ---- The winner of one size ------------------------------------------------------------------------------------------ */

/* Timings of native, then of chain in blocks of 32K and of 64K, then of two-tree in blocks of 32K. */
static const struct {
    const char *what;
    const char *us;     /* the repetitions of each, as in times_of() */
    const char *wrong;  /* an engine whose result was wrong */
    const char *before; /* the winner of the next smaller size, and its blocks */
    const char *wins;
} picks[] = {
    {"a clear winner", "100,101,99 80,81,82 60,61,62 70,71,72", "", "", "chain/64K"},
    {"native wins", "50,51,49 80,81,82 60,61,62 70,71,72", "", "", "native/0"},
    {"too small a gain", "100,100,100 95,95,95 94,94,94 93,93,93", "", "", "native/0"},
    {"just enough", "100,100,100 95,95,95 94,94,94 92,92,92", "", "", "two-tree/32K"},
    {"one late repetition of many", "100,100,100,100 300,300,300 300,300,300 70,70,71,71,72,900", "", "", "two-tree/32K"},
    {"too many late repetitions", "100,100,100,100 300,300,300 300,300,300 70,70,70,71,130,140", "", "", "native/0"},
    {"a noisy native decides by its median", "100,100,101,5000 99,99,99 99,99,99 98,98,98", "", "", "native/0"},
    {"native is noise", "72,5000,5000,5000 99,99,99 99,99,99 70,71,72", "", "", "nothing"},
    {"native is noise, and engines are faster", "72,5000,5000,5000 20,20,20 21,21,21 22,22,22", "", "", "nothing"},
    {"an engine is noise", "100,100,100 20,60,62 70,70,70 80,80,80", "", "", "chain/64K"},
    {"every engine is noise", "100,100,100 20,60,62 20,60,62 20,60,62", "", "", "native/0"},
    {"native took a little longer at times", "72,100,110,120 99,99,99 99,99,99 60,60,60", "", "", "two-tree/32K"},
    {"the ranks of the fastest began apart", "100,100,80 300,300,300 300,300,300 -50,76,77", "", "", "native/0"},
    {"all began apart", "100,100,80 300,300,300 300,300,300 -50,-76,-77", "", "", "two-tree/32K"},
    {"hardly measured", "100,100,100 80,81 60 70,71", "", "", "native/0"},
    {"the fastest is wrong", "100,101,99 80,81,82 60,61,62 70,71,72", "chain", "", "two-tree/32K"},
    {"a tie: the first", "100,100,100 60,61,62 60,60,60 60,60,60", "", "", "chain/32K"},
    {"a tie: the engine as before", "100,100,100 60,60,60 60,60,60 61,61,61", "", "two-tree/32K", "two-tree/32K"},
    {"a tie: engine and block as before", "100,100,100 60,60,60 61,61,61 60,60,60", "", "chain/64K", "chain/64K"},
    {"a tie: the smaller block, as before", "100,100,100 60,60,60 60,60,60 60,60,60", "", "chain/32K", "chain/32K"},
    {"no tie, whatever was before", "100,100,100 60,60,60 60,60,60 65,65,65", "", "two-tree/32K", "chain/32K"},
    {"native won before", "100,100,100 60,60,60 80,80,80 80,80,80", "", "native/0", "chain/32K"},
    {"the engine of before gains too little", "100,100,100 94,94,94 95,95,95 92,92,92", "", "chain/32K", "two-tree/32K"},
};

LOOPED_TEST(winners, COUNT(picks))
{
    static const char *const names[] = {"native", "chain", "chain", "two-tree"};
    static const int64_t blocks[] = {0, 32 * K, 64 * K, 32 * K};
    char us[200], engine[20], size[UNITS_TEXT], wins[60], *rest = us;
    struct timing timing[4];
    snprintf(us, sizeof us, "%s", picks[_i].us);
    for (int i = 0; i < 4; i++) {
        timing[i] = times_of(names[i], strsep(&rest, " "));
        timing[i].block = blocks[i];
        timing[i].right = strcmp(names[i], picks[_i].wrong) != 0;
    }
    struct winner w = {0}, before = {0};
    if (sscanf(picks[_i].before, "%19[^/]/%31s", engine, size) == 2)
        ck_assert((before.engine = engine_find(engine)) && size_parse(size, &before.block));
    tuning_pick(&w, timing, 4, before.engine ? &before : NULL);
    size_print(w.block, size, sizeof size);
    snprintf(wins, sizeof wins, w.engine ? "%s/%s" : "nothing", w.engine ? w.engine->name : "", size);
    ck_assert_msg(strcmp(wins, picks[_i].wins) == 0, "%s: %s", picks[_i].what, wins);
    ck_assert_msg(w.taken.median <= w.native.median && w.native.median == timing[0].median, "%s: times", picks[_i].what);
}

/* ---- Rules ------------------------------------------------------------------------------------------------------------ */

static void fail_on(void *to, int line, bool fatal, const char *why)
{
    (void)fatal;
    ck_abort_msg("line %d: %s in\n%s", line, why, (const char *)to);
}

/* Reads winners from a text as "scan exact 16K=chain/32K 64K=native; ..". "-" stands for noise. Returns their number. */
static int read_winners(const char *text, struct winner *w)
{
    static const char *const ops[] = {"none", "exact", "rounding", "user"};
    char all[400], collective[12], op[12], size[24], engine[24], block[24], *rest = all;
    int count = 0, read;
    snprintf(all, sizeof all, "%s", text);
    for (char *call; (call = strsep(&rest, ";"));) {
        ck_assert_int_eq(sscanf(call, "%11s %11s%n", collective, op, &read), 2);
        for (call += read; sscanf(call, " %23[^=]=%23[^/ ]%n", size, engine, &read) == 2; count++) {
            call += read;
            w[count] = (struct winner){.engine = strcmp(engine, "-") ? engine_find(engine) : NULL,
                                       .native = times_of("native", "2000,2000,2000"),
                                       .taken = times_of(strcmp(engine, "-") ? engine : "chain", "1000,1000,1000")};
            while (w[count].op < OP_ORDERED && strcmp(op, ops[w[count].op]) != 0)
                w[count].op++;
            ck_assert(collective_parse(collective, &w[count].collective) && size_parse(size, &w[count].bytes));
            if (sscanf(call, "/%23[^ ]%n", block, &read) == 1) {
                ck_assert(size_parse(block, &w[count].block));
                call += read;
            }
        }
    }
    return count;
}

/* Rules for the same calls have ranges of bytes that neither overlap nor leave sizes out between them. */
static void expect_seamless(const struct rules *rules)
{
    for (const struct rule *a = rules->rule, *b = a + 1; b < rules->rule + rules->count; a = b++)
        if (a->collectives == b->collectives && a->ops == b->ops)
            ck_assert_msg(a->bytes.most + 1 == b->bytes.least, "lines %d, %d", a->line, b->line);
}

#define WHERE "ranks=16 ranks-per-node=4"
#define RULE(calls, bytes, engine) "collective=" calls " bytes=" bytes " " WHERE " -> engine=" engine "\n"

static const struct {
    const char *winners;
    int64_t largest; /* measured size */
    const char *rules;
} made[] = {
    {"bcast none 1M=native", 16, RULE("bcast", "1M-inf", "native")},
    {"scan user 102416=chain/4K", 16, RULE("scan op=user", "102416-inf", "chain block=4K")},
    /* Neighbours that agree are one rule. */
    {"bcast none 64K=chain/32K 256K=chain/32K 1M=chain/32K", 16, RULE("bcast", "64K-inf", "chain block=32K")},
    /* Ranges meet before the geometric middle. */
    {"bcast none 16K=native 64K=native 256K=chain/32K 1M=two-tree/32K", 16,
     RULE("bcast", "16K-131071", "native") RULE("bcast", "128K-524287", "chain block=32K")
         RULE("bcast", "512K-inf", "two-tree block=32K")},
    {"scan exact 64K=chain/16K 128K=chain/32K 256K=chain/16K", 16,
     RULE("scan op=exact", "64K-93183", "chain block=16K") RULE("scan op=exact", "91K-185343", "chain block=32K")
         RULE("scan op=exact", "181K-inf", "chain block=16K")},
    {"scan exact 16=chain/16 1000=native", 16,
     RULE("scan op=exact", "16-125", "chain block=16") RULE("scan op=exact", "126-inf", "native")},
    {"scan exact 8K=chain/16 8208=native", 16,
     RULE("scan op=exact", "8K-8K", "chain block=16") RULE("scan op=exact", "8193-inf", "native")},
    /* Other calls are other rules. */
    {"reduce exact 64K=chain/32K; reduce rounding 64K=chain/32K; reduce user 64K=chain/32K; exscan user 16K=chain/32K "
     "256K=chain/32K",
     16,
     RULE("reduce op=exact", "64K-inf", "chain block=32K") RULE("reduce op=rounding", "64K-inf", "chain block=32K")
         RULE("reduce op=user", "64K-inf", "chain block=32K") RULE("exscan op=user", "16K-inf", "chain block=32K")},
    /* Time ran out before the largest sizes of a reduction: its rules end at the largest measured size. */
    {"reduce exact 16K=native 64K=chain/32K; scan exact 64K=chain/32K 256K=chain/32K", 256 * K,
     RULE("reduce op=exact", "16K-32767", "native") RULE("reduce op=exact", "32K-64K", "chain block=32K")
         RULE("scan op=exact", "64K-inf", "chain block=32K")},
    /* A size at which all is noise counts as not measured. */
    {"reduce exact 4K=- 16K=chain/32K 32K=- 64K=chain/32K 128K=- 256K=native 1M=-; scan exact 4K=-; exscan exact "
     "1M=chain/32K",
     M,
     RULE("reduce op=exact", "16K-131071", "chain block=32K") RULE("reduce op=exact", "128K-256K", "native")
         RULE("exscan op=exact", "1M-inf", "chain block=32K")},
    {"scan exact 4K=-", M, ""},
};

/* The rules for these winners, without comments. The library can read them. */
LOOPED_TEST(rules, COUNT(made))
{
    struct winner w[16];
    char *text = NULL, bare[1000] = "";
    size_t size;
    const int count = read_winners(made[_i].winners, w);
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "pleach-rules 1\n");
    tuning_rules(f, w, count, made[_i].largest, 16, 4);
    fclose(f);
    struct rules *rules = rules_parse(text, fail_on, text);
    ck_assert_ptr_nonnull(rules);
    expect_seamless(rules);
    ck_assert_int_eq(tuning_sum_up(w, count).rules, rules->count);
    for (char *rest = text, *line = strsep(&rest, "\n"); (line = strsep(&rest, "\n"));)
        if (*line && *line != '#')
            sprintf(bare + strlen(bare), "%s\n", line);
    ck_assert_str_eq(bare, made[_i].rules);
}

START_TEST(comments_tell_repetitions_and_noise)
{
    struct winner w[2];
    char *text = NULL;
    size_t size;
    read_winners("scan exact 4K=- 16K=chain/32K", w);
    w[0].native = times_of("native", "100,15000,15000,15000");
    FILE *f = open_memstream(&text, &size);
    tuning_rules(f, w, 2, 16, 16, 4);
    fclose(f);
    ck_assert_str_eq(text, "# ~ scan exact 4K: native 15000.0 us (4 times, spread 0.99): too noisy for a rule\n"
                           "# 16K: native 2000.0 us (3 times, spread 0.00), chain 1000.0 us (3 times, spread 0.00)\n"
                           "collective=scan op=exact bytes=16K-inf " WHERE " -> engine=chain block=32K\n");
    free(text);
}

START_TEST(summary)
{
    struct winner w[5];
    read_winners("scan exact 4K=- 16K=native 64K=chain/32K 256K=chain/32K; exscan exact 4K=two-tree/32K", w);
    w[1].taken = w[1].native;
    w[3].taken.median = 500e-6;
    struct tuning_summary all = tuning_sum_up(w, 5), native = tuning_sum_up(w, 2), none = tuning_sum_up(w, 1);
    ck_assert(all.rules == 3 && all.beating == 2 && all.noisy == 1 && all.best == 4);
    ck_assert(native.rules == 1 && native.beating == 0 && native.noisy == 1 && native.best == 1);
    ck_assert(none.rules == 0 && none.beating == 0 && none.noisy == 1 && none.best == 1);
}

SUITE("tuning", 4)
