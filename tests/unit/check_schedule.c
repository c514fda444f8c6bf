/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The generator that merges lanes, with lanes made by hand. The engines use each capacity of a schedule fully, and no more.
 * Asserts find faults. Pieces and slots have names.
 */
#include "schedules.h"
#include "simplex.h"

#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

enum { TEXT = 2048 };

/* Appends a step: "3: t0.1>7 out.2<4" for an exchange, "t0.1+out.1" for a fold, "in.0=out.0" for a copy. */
static void print_step(char *text, const struct step *s)
{
    char *end = text + strlen(text);
    size_t room = (size_t)(text + TEXT - end);
    char a[40], b[40];
    snprintf(a, sizeof a, "%s.%lld", slot_name(s->a.slot, (char[SLOT_TEXT]){0}), (long long)s->a.block);
    snprintf(b, sizeof b, "%s.%lld", slot_name(s->b.slot, (char[SLOT_TEXT]){0}), (long long)s->b.block);
    if (s->kind != STEP_EXCHANGE)
        snprintf(end, room, "%s%s%s; ", a, s->kind == STEP_FOLD ? "+" : "=", b);
    else if (s->to == NOBODY)
        snprintf(end, room, "%lld: %s<%d; ", (long long)s->when, b, s->from);
    else if (s->from == NOBODY)
        snprintf(end, room, "%lld: %s>%d; ", (long long)s->when, a, s->to);
    else
        snprintf(end, room, "%lld: %s>%d %s<%d; ", (long long)s->when, a, s->to, b, s->from);
}

/* Begins a schedule made by hand; add_lane() adds its lanes. */
static void begin(struct walk *w, const struct shape *shape, int rank, int scratch)
{
    schedule_in(&w->schedule, &w->arena);
    schedule_clear(&w->schedule, shape, rank, scratch);
    cursor_begin(&w->cursor, &w->schedule);
}

static void add_lane(struct walk *w, struct lane lane)
{
    schedule_lane(&w->schedule, lane);
    cursor_begin(&w->cursor, &w->schedule);
}

/* Up to `most` steps of a schedule, as text. */
static const char *steps(struct walk *s, int most)
{
    static char text[TEXT];
    struct step step;
    text[0] = 0;
    while (most-- > 0 && walk_next(s, &step))
        print_step(text, &step);
    return text;
}

#define SEND(to, from_slot, first, ...)                                                                                     \
    {                                                                                                                       \
        .leg = LEG_SEND, .peer = to, .slot = from_slot, .when = first, __VA_ARGS__                                          \
    }
#define RECV(from, to_slot, first, ...)                                                                                     \
    {                                                                                                                       \
        .leg = LEG_RECV, .peer = from, .slot = to_slot, .when = first, __VA_ARGS__                                          \
    }
#define LOCAL(first, ...)                                                                                                   \
    {                                                                                                                       \
        .leg = LEG_LOCAL, .peer = NOBODY, .when = first, __VA_ARGS__                                                        \
    }
#define EVEN_ODD(slot) ((slot) | SLOT_ALTERNATE)
#define FOLD(a, b)                                                                                                          \
    {                                                                                                                       \
        STEP_FOLD, a, b                                                                                                     \
    }
#define COPY(a, b)                                                                                                          \
    {                                                                                                                       \
        STEP_COPY, a, b                                                                                                     \
    }

/* The schedules made by hand are those of rank 999 in calls of this shape. */
static const struct shape any = {.collective = COLL_SCAN, .ranks = 1000, .blocks = INT64_MAX};

static const struct {
    const char *name;
    struct lane lane[4]; /* a lane with nothing left counts as none */
    const char *expected;
} merging[] = {
    {"nothing", {LOCAL(0, .period = 1)}, ""},
    {"one lane", {SEND(3, SLOT_OUT, 5, .period = 2, .left = 3)}, "5: out.0>3; 7: out.1>3; 9: out.2>3; "},
    {"first block", {RECV(3, SLOT_OUT, 0, .period = 1, .block = 7, .left = 2)}, "0: out.7<3; 1: out.8<3; "},
    {"steps of one number are one exchange",
     {SEND(1, SLOT_OUT, 4, .period = 1, .left = 2), RECV(2, SLOT_T0, 4, .period = 1, .left = 2)},
     "4: out.0>1 t0.0<2; 5: out.1>1 t0.1<2; "},
    {"receive added first",
     {RECV(2, SLOT_T0, 4, .period = 1, .left = 1), SEND(1, SLOT_OUT, 4, .period = 1, .left = 1)},
     "4: out.0>1 t0.0<2; "},
    {"a pipeline fills and drains",
     {RECV(0, SLOT_OUT, 0, .period = 1, .left = 3), SEND(2, SLOT_OUT, 1, .period = 1, .left = 3)},
     "0: out.0<0; 1: out.0>2 out.1<0; 2: out.1>2 out.2<0; 3: out.2>2; "},
    {"different periods",
     {SEND(1, SLOT_OUT, 1, .period = 2, .left = 2), SEND(2, SLOT_OUT, 0, .period = 4, .left = 2),
      RECV(3, SLOT_T1, 3, .period = 1, .block = 5, .left = 2)},
     "0: out.0>2; 1: out.0>1; 3: out.1>1 t1.5<3; 4: out.1>2 t1.6<3; "},
    {"lanes in any order",
     {SEND(1, SLOT_OUT, 9, .period = 1, .left = 1), SEND(2, SLOT_OUT, 2, .period = 1, .left = 1)},
     "2: out.0>2; 9: out.0>1; "},
    {"alternate slots",
     {RECV(1, EVEN_ODD(SLOT_T0), 0, .period = 1, .left = 3, .after = {FOLD(SLOT_IN, EVEN_ODD(SLOT_T0))}),
      SEND(2, EVEN_ODD(SLOT_T0), 1, .period = 1, .left = 3)},
     "0: t0.0<1; in.0+t0.0; 1: t0.0>2 t1.1<1; in.1+t1.1; 2: t1.1>2 t0.2<1; in.2+t0.2; 3: t0.2>2; "},
    {"alternate by block, not by message",
     {SEND(1, EVEN_ODD(SLOT_T2), 0, .period = 1, .block = 3, .left = 2, .before = {COPY(EVEN_ODD(SLOT_T2), SLOT_OUT)})},
     "t3.3=out.3; 0: t3.3>1; t2.4=out.4; 1: t2.4>1; "},
    {"actions in order",
     {RECV(1, SLOT_T0, 0, .period = 1, .left = 1, .before = {COPY(SLOT_IN, SLOT_OUT), FOLD(SLOT_T2, SLOT_T3)},
           .after = {FOLD(SLOT_T0, SLOT_OUT), COPY(SLOT_OUT, SLOT_T1)})},
     "in.0=out.0; t2.0+t3.0; 0: t0.0<1; t0.0+out.0; out.0=t1.0; "},
    {"a list of actions ends at the first gap",
     {SEND(1, SLOT_OUT, 0, .period = 1, .left = 1, .before = {{0, 0, 0}, COPY(SLOT_IN, SLOT_OUT)})},
     "0: out.0>1; "},
    {"both lanes' actions around one exchange",
     {SEND(1, SLOT_OUT, 0, .period = 1, .left = 1, .before = {COPY(SLOT_IN, SLOT_OUT)}, .after = {COPY(SLOT_OUT, SLOT_T2)}),
      RECV(2, SLOT_T0, 0, .period = 1, .block = 1, .left = 1, .before = {COPY(SLOT_IN, SLOT_T1)},
           .after = {FOLD(SLOT_T0, SLOT_T1)})},
     "in.0=out.0; in.1=t1.1; 0: out.0>1 t0.1<2; out.0=t2.0; t0.1+t1.1; "},
    {"local",
     {LOCAL(0, .period = 1, .left = 2, .before = {COPY(SLOT_IN, SLOT_OUT)}, .after = {FOLD(SLOT_OUT, SLOT_T0)})},
     "in.0=out.0; out.0+t0.0; in.1=out.1; out.1+t0.1; "},
    {"local between messages",
     {SEND(1, SLOT_OUT, 0, .period = 2, .left = 2), LOCAL(1, .period = 1, .left = 1, .after = {COPY(SLOT_OUT, SLOT_T0)})},
     "0: out.0>1; out.0=t0.0; 2: out.1>1; "},
    {"local with a message",
     {SEND(1, SLOT_OUT, 6, .period = 1, .left = 1),
      LOCAL(6, .period = 1, .left = 1, .before = {COPY(SLOT_IN, SLOT_OUT)}, .after = {COPY(SLOT_OUT, SLOT_T0)})},
     "in.0=out.0; 6: out.0>1; out.0=t0.0; "},
    {"local comes after the other actions",
     {LOCAL(0, .period = 1, .left = 1, .after = {COPY(SLOT_OUT, SLOT_T1)}),
      RECV(1, SLOT_T0, 0, .period = 1, .left = 1, .after = {COPY(SLOT_T0, SLOT_OUT)})},
     "0: t0.0<1; t0.0=out.0; out.0=t1.0; "},
    {"runs of blocks",
     {SEND(1, SLOT_OUT, 2, .period = 4, .left = 5, .run = {.length = 2, .each = 1, .next = 1})},
     "2: out.0>1; 3: out.1>1; 6: out.2>1; 7: out.3>1; 10: out.4>1; "},
    {"a first run that is not whole",
     {SEND(1, SLOT_OUT, 2, .period = 4, .left = 4, .run = {.length = 3, .each = 1, .next = 1, .turn = 2})},
     "2: out.0>1; 4: out.1>1; 5: out.2>1; 6: out.3>1; "},
    {"a block of each run",
     {SEND(1, SLOT_OUT, 2, .period = 4, .block = 1, .left = 3, .run = {.length = 1, .next = 3})},
     "2: out.1>1; 6: out.4>1; 10: out.7>1; "},
    {"a ring of peers",
     {RECV(8, SLOT_OUT, 0, .period = 3, .left = 5,
           .run = {.length = 3, .each = 1, .next = 1, .peers = RUN_RING, .ring_first = 5, .ring_ranks = 5})},
     "0: out.0<8; 1: out.1<9; 2: out.2<5; 3: out.3<8; 4: out.4<9; "},
    {"a ring of peers, reversed",
     {SEND(8, SLOT_OUT, 0, .period = 4, .left = 4,
           .run = {.length = 3,
                   .each = 1,
                   .next = 1,
                   .turn = 1,
                   .peers = RUN_RING,
                   .reversed = true,
                   .ring_first = 5,
                   .ring_ranks = 5})},
     "0: out.0>9; 1: out.1>8; 3: out.2>5; 4: out.3>9; "},
    {"large numbers",
     {SEND(1, SLOT_OUT, INT64_MAX - 9, .period = 4, .block = INT64_MAX - 3, .left = 2)},
     "9223372036854775798: out.9223372036854775804>1; 9223372036854775802: out.9223372036854775805>1; "},
};

START_TEST(lanes)
{
    for (size_t i = 0; i < COUNT(merging); i++) {
        struct walk s;
        struct step step;
        memset(&s, 0x5a, sizeof s);
        begin(&s, &any, 999, SLOTS - SLOT_T0);
        for (int l = 0; l < 4; l++)
            add_lane(&s, merging[i].lane[l]);
        const char *text = steps(&s, 99);
        ck_assert_msg(strcmp(text, merging[i].expected) == 0, "%s:\n  %s\nexpected\n  %s", merging[i].name, text,
                      merging[i].expected);
        ck_assert_msg(!walk_next(&s, &step) && !walk_next(&s, &step), "%s: goes on after its end", merging[i].name);
    }
}

/* ---- Capacities ------------------------------------------------------------------------------------------------------ */

static const struct engine *variant(int i)
{
    int count = engine_count();
    return i < count ? engines[i] : simplex_engine(engines[i - count]);
}

static int lanes_used, numbers_used, pending_used, moving_used;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Starts a schedule, walks through it if `steps` is set, and notes how much of each capacity it uses. */
static void note_use(const struct engine *e, const struct shape *shape, int rank, bool steps)
{
    struct walk s;
    struct step x;
    int moving = MOVING;
    engine_walk(e, &s, shape, rank);
    lanes_used = larger(lanes_used, s.schedule.lanes);
    numbers_used = larger(numbers_used, s.schedule.numbers);
    while (steps && walk_next(&s, &x))
        pending_used = larger(pending_used, s.cursor.last);
    while (moving > 0 && s.cursor.state[moving - 1] == 0)
        moving--;
    moving_used = larger(moving_used, moving);
}

/* The engines use each capacity fully, and no more. */
START_TEST(capacities)
{
    const int p[] = {2, 3, 4, 5, 6, 7, 8, 9, 17, 33, 1 << 20, INT_MAX - 1};
    for (int i = 0; i < 2 * engine_count(); i++)
        for (int c = 0; c < COLLECTIVES; c++)
            for (size_t k = 0; k < COUNT(p); k++)
                for (int ordered = 0; ordered < 2; ordered++) {
                    const int some[] = {0, 1, p[k] / 2, p[k] - 1};
                    for (int r = 0; r < 16; r++) {
                        struct shape s = {SHAPED(c, ordered, p[k], c <= COLL_REDUCE ? some[r / 4] : 0, 6), .node_ranks = 3,
                                          .depth = p[k] < 100 ? SEGMENT_DEPTH : 0};
                        if (variant(i) && engine_fits(variant(i), &s))
                            note_use(variant(i), &s, some[r % 4], p[k] < 100);
                    }
                }
    ck_assert_int_eq(lanes_used, LANES);
    ck_assert_int_eq(pending_used, PENDING);
    ck_assert_int_eq(numbers_used, SCHEDULE_NUMBERS);
    ck_assert_int_eq(moving_used, MOVING);
}

/* Faults that an assert must find: each is a call with a schedule that has begun. */
#define FAULT(name, call)                                                                                                   \
    static void name(struct walk *s)                                                                                        \
    {                                                                                                                       \
        call;                                                                                                               \
    }

FAULT(no_period, add_lane(s, (struct lane)SEND(1, SLOT_OUT, 0, .left = 1)))
FAULT(no_such_peer, add_lane(s, (struct lane)SEND(LANES + 1, SLOT_OUT, 0, .period = 1, .left = 1)))
FAULT(run_too_long, add_lane(s, (struct lane)SEND(1, SLOT_OUT, 0, .period = 2, .left = 1, .run = {.length = 3, .next = 1})))
FAULT(too_many_blocks, add_lane(s, (struct lane)SEND(1, SLOT_OUT, 0, .period = 1, .block = 1, .left = 4)))
FAULT(no_such_slot, cursor_push_act(&s->cursor, &s->schedule, STEP_FOLD, SLOT_T1, SLOT_T2, 0))
FAULT(no_such_block, cursor_push_act(&s->cursor, &s->schedule, STEP_FOLD, SLOT_T0, SLOT_OUT, 4))
FAULT(writes_in, cursor_push_act(&s->cursor, &s->schedule, STEP_FOLD, SLOT_T0, SLOT_IN, 0))
FAULT(empty_exchange,
      cursor_push(&s->cursor, &s->schedule, (struct step){.kind = STEP_EXCHANGE, .to = NOBODY, .from = NOBODY}))
FAULT(no_such_rank, engine_walk(engine_find("chain"), s, &s->schedule.shape, LANES + 1))
FAULT(no_such_root, engine_walk(engine_find("chain"), s, &(struct shape){.ranks = 3, .root = 3, .blocks = 1}, 0))
FAULT(too_wide, engine_walk(engine_find("node-prefixes"), s,
                            &(struct shape){.collective = COLL_SCAN, .ranks = 2, .blocks = 4, .wide = 3, .depth = 2}, 0))
FAULT(does_not_fit, engine_walk(engine_find("ring"), s, &s->schedule.shape, 0))

static void too_many_lanes(struct walk *s)
{
    for (int i = 0; i <= LANES; i++)
        add_lane(s, (struct lane)SEND(i, SLOT_OUT, i, .period = 1, .left = 1));
}

static void too_many_steps(struct walk *s)
{
    for (int i = 0; i <= PENDING; i++)
        cursor_push_act(&s->cursor, &s->schedule, STEP_COPY, SLOT_IN, SLOT_OUT, 0);
}

static void two_sends(struct walk *s)
{
    add_lane(s, (struct lane)SEND(1, SLOT_OUT, 2, .period = 1, .left = 1));
    add_lane(s, (struct lane)SEND(2, SLOT_OUT, 2, .period = 1, .left = 1));
    steps(s, 9);
}

START_TEST(faults_abort)
{
    void (*const fault[])(struct walk *) = {too_many_lanes,  too_many_steps, two_sends,     no_period,    no_such_peer,
                                            too_many_blocks, no_such_slot,   no_such_block, writes_in,    empty_exchange,
                                            no_such_rank,    no_such_root,   does_not_fit,  run_too_long, too_wide};
    const struct shape few = {.collective = COLL_SCAN, .ranks = LANES + 1, .blocks = 4};
#ifdef NDEBUG
    not_tested("faults of schedules, as asserts must find them (configure --enable-asserts)");
    return;
#endif
    for (size_t i = 0; i < COUNT(fault); i++) {
        struct walk s;
        int status = 0;
        begin(&s, &few, 0, 2);
        pid_t child = fork();
        if (child == 0) {
            freopen("/dev/null", "w", stderr);
            fault[i](&s);
            _exit(0);
        }
        ck_assert(waitpid(child, &status, 0) == child);
        ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "fault %d does not abort", (int)i);
    }
}

START_TEST(all_lanes)
{
    struct walk s;
    char expected[TEXT] = "";
    begin(&s, &any, 999, SLOTS - SLOT_T0);
    for (int i = 0; i < LANES; i++) {
        add_lane(&s, (struct lane)SEND(i, SLOT_OUT, LANES - i, .period = 1));
        add_lane(&s, (struct lane)SEND(i, SLOT_OUT, LANES - i, .period = 1, .left = 1));
        sprintf(expected + strlen(expected), "%d: out.0>%d; ", i + 1, LANES - 1 - i);
    }
    ck_assert_str_eq(steps(&s, 99), expected);
    begin(&s, &any, 999, SLOTS - SLOT_T0);
    ck_assert_str_eq(steps(&s, 99), "");
}

START_TEST(clear_in_the_middle)
{
    struct walk s;
    begin(&s, &any, 999, SLOTS - SLOT_T0);
    add_lane(&s, (struct lane)SEND(1, SLOT_OUT, 0, .period = 1, .left = 9, .after = {COPY(SLOT_OUT, SLOT_T0)}));
    ck_assert_str_eq(steps(&s, 1), "0: out.0>1; ");
    begin(&s, &any, 999, SLOTS - SLOT_T0);
    add_lane(&s, (struct lane)SEND(2, SLOT_IN, 3, .period = 1, .left = (int64_t)1 << 40));
    ck_assert_str_eq(steps(&s, 2), "3: in.0>2; 4: in.1>2; ");
}

START_TEST(alone)
{
    struct walk s;
    engine_walk(engine_find("chain"), &s, &(struct shape){.collective = COLL_SCAN, .ranks = 1, .blocks = 3}, 0);
    ck_assert_str_eq(steps(&s, 99), "in.0=out.0; in.1=out.1; in.2=out.2; ");
}

/* pieces_meet() must find common blocks in all pairs of pieces of up to three blocks, even if a piece goes on at block 0. */
START_TEST(pieces_that_meet)
{
    const struct shape s = {.collective = COLL_ALLREDUCE, .ranks = 7, .blocks = 7, .wide = 3};
    for (int pair = 0; pair < 21 * 21; pair++) {
        struct piece a = {SLOT_IN, pair % 7, pair / 7 % 3}, b = {SLOT_OUT, pair / 21 % 7, pair / 147};
        bool common = false;
        for (int64_t i = 0; i <= a.more; i++)
            for (int64_t j = 0; j <= b.more; j++)
                common |= (a.block + i) % 7 == (b.block + j) % 7;
        ck_assert_int_eq(pieces_meet(&s, a, b), common);
        a.slot = SLOT_T0;
        ck_assert(!pieces_meet(&s, a, b) && !pieces_meet(&s, b, a));
        b.slot = SLOT_T0;
        ck_assert(pieces_meet(&s, a, b));
    }
}

START_TEST(pieces_as_text)
{
    static const struct {
        int64_t blocks;
        struct piece piece;
        const char *text;
    } table[] = {{7, {SLOT_IN, 3, 0}, "3"},
                 {7, {SLOT_OUT, 3, 2}, "3..5"},
                 {7, {SLOT_OUT, 5, 1}, "5..6"},
                 {7, {SLOT_T0, 5, 3}, "5..1"},
                 {INT64_MAX, {SLOT_IN, 0, INT64_MAX - 1}, "0..9223372036854775806"},
                 {INT64_MAX, {SLOT_IN, INT64_MAX - 1, INT64_MAX - 1}, "9223372036854775806..9223372036854775805"}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char text[PIECE_TEXT];
        ck_assert_str_eq(piece_text(table[i].blocks, table[i].piece, text), table[i].text);
    }
}

START_TEST(slots_have_names)
{
    const char *const names[] = {"in", "out", "t0", "t1", "t2", "t3", "t4"};
    ck_assert_int_eq(SLOTS, 7);
    for (int i = 0; i < SLOTS; i++)
        ck_assert_str_eq(slot_name(i, (char[SLOT_TEXT]){0}), names[i]);
}

SUITE("schedule", 60)
