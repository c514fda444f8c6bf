/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry, and every engine for every collective that it serves, run by the simulator. */
#include "fractional.h"
#include "schedules.h"

#include <ctype.h>

static bool rooted(int c)
{
    return c == COLL_BCAST || c == COLL_REDUCE;
}

/* The rounds of an exclusive scan over c ranks: e(c) = ceil(log2(4(c-1)/3)), and e(1) = 0. */
static int64_t exscan_rounds(int64_t c)
{
    int64_t rounds = 0;
    while ((int64_t)3 << rounds < 4 * (c - 1))
        rounds++;
    return rounds;
}

/* ceil(sqrt p) */
static int64_t ceil_sqrt(int64_t p)
{
    int64_t root = 1;
    while (root * root < p)
        root++;
    return root;
}

/* Reads p, n, q, h or another name of a number in formulas; returns false if the text begins with no such name. */
static bool take_name(const char **text, const struct shape *s, int64_t *value)
{
    int64_t p = s->ranks, k = s->node_ranks < p ? s->node_ranks : p, nodes = (p + k - 1) / k;
    const struct {
        const char *name;
        int64_t value;
    } table[] = {{"p", p},
                 {"n", s->blocks},
                 {"q", ceil_log2(p)},
                 {"h", ceil_log2(p + 1) - 1},
                 {"g", ceil_sqrt(p)},
                 {"w", shape_wide(s)},
                 {"(p-1)", p - 1},
                 {"ceil(log2 k)", ceil_log2(k)},
                 {"ceil(log2(k+1))", ceil_log2(k + 1)},
                 {"ceil(log2(P+1))", ceil_log2(nodes + 1)},
                 {"e(p)", exscan_rounds(p)},
                 {"e(k)", exscan_rounds(k)},
                 {"e(P)", exscan_rounds(nodes)}};
    for (size_t i = 0; i < COUNT(table); i++)
        if (strncmp(*text, table[i].name, strlen(table[i].name)) == 0) {
            *text += strlen(table[i].name);
            *value = table[i].value;
            return true;
        }
    return false;
}

/* The value of a formula such as "2q-1+n" or "qn+np/2", rounded down; -1 if the formula cannot be read. */
static int64_t formula_value(const char *text, const struct shape *s)
{
    int64_t sum = 0, r = fractional_group(s, 1);
    if (strcmp(text, "d-1+n+ceil(n/r)") == 0)
        return fractional_depth(s->ranks, r) - 1 + s->blocks + (s->blocks + r - 1) / r;
    while (*text) {
        int sign = *text == '-' ? -1 : 1;
        text += *text == '-' || *text == '+';
        if (!isalnum((unsigned char)*text))
            return -1;
        int64_t term = 1, factor;
        if (isdigit((unsigned char)*text))
            term = strtol(text, (char **)&text, 10);
        while (take_name(&text, s, &factor))
            term *= factor;
        if (*text == '/') {
            text++;
            if (isdigit((unsigned char)*text))
                factor = strtol(text, (char **)&text, 10);
            else if (!take_name(&text, s, &factor))
                return -1;
            term /= factor;
        }
        if (*text && *text != '-' && *text != '+')
            return -1;
        sum += sign * term;
    }
    return sum;
}

/* Does the engine take exactly as many rounds as its bound, because its pipeline has no bubbles? */
static bool exact(const struct engine *e)
{
    return strcmp(e->name, "chain") == 0 || strcmp(e->name, "ring") == 0 || strcmp(e->name, "fractional") == 0;
}

/*
 * The bound in numbers must be that of the text. "2n+2p (p > 4: np/2+2p)" has another formula for more than 4 ranks, which
 * rounds up.
 */
static void check_text(const struct engine *e, const struct shape *s, const char *text)
{
    const int64_t bound = simulate_bound(e, s);
    char few[40], many[40];
    int limit;
    const bool two = sscanf(text, "%39s (p > %d: %39[^)])", few, &limit, many) == 3, rounds_up = two && s->ranks > limit;
    const char *formula = rounds_up ? many : two ? few : text;
    const int64_t value = formula_value(formula, s);
    REQUIRE(rounds_up ? bound <= value : bound == value, SHAPE "the round bound gives %d rounds, not %s = %d",
            SHAPE_OF(e, s), (int)bound, formula, (int)value);
}

/* Does a rank send to several others, or receive from several? */
static bool branches(const struct engine *e, const struct shape *s)
{
    bool several = false;
    for (int rank = 0; rank < s->ranks && !several; rank++) {
        struct walk schedule;
        struct step x;
        int to = NOBODY, from = NOBODY;
        engine_walk(e, &schedule, s, rank);
        while (!several && walk_next(&schedule, &x)) {
            if (x.kind != STEP_EXCHANGE)
                continue;
            several =
                (x.to != NOBODY && to != NOBODY && x.to != to) || (x.from != NOBODY && from != NOBODY && x.from != from);
            to = x.to != NOBODY ? x.to : to;
            from = x.from != NOBODY ? x.from : from;
        }
    }
    return several;
}

static void check_shape(const struct engine *e, const struct shape *s)
{
    const struct verdict v = simulated(e, s);
    int p = s->ranks;
    if (p == 1) {
        REQUIRE(v.rounds == 0 && v.messages == 0, SHAPE "%d rounds of one rank", SHAPE_OF(e, s), (int)v.rounds);
        return;
    }
    int64_t bound = simulate_bound(e, s);
    bool interior = s->ordered && s->root != 0 && s->root != p - 1;
    const struct service *service = &e->serves[s->collective];
    const char *formula = interior && service->text.interior ? service->text.interior : service->text.rounds;
    /* No formula gives the span of trees over places, or the rounds of pieces of several blocks. Other tests check these. */
    if (!s->places && !service->work)
        check_text(e, s, formula);
    REQUIRE(!service->executor.chained || !branches(e, s), SHAPE "is not a chain", SHAPE_OF(e, s));
    REQUIRE(!exact(e) || v.rounds == bound, SHAPE "%d rounds, not %d", SHAPE_OF(e, s), (int)v.rounds, (int)bound);
    /*
     * No one-ported algorithm takes fewer rounds: the last piece takes q rounds, which begin after a round for each other
     * piece.
     */
    const int64_t pieces = (s->blocks - 1) / shape_wide(s) + 1;
    REQUIRE(v.rounds >= pieces - 1 + ceil_log2(p), SHAPE "only %d rounds", SHAPE_OF(e, s), (int)v.rounds);
    REQUIRE(v.messages >= (p - 1) * pieces, SHAPE "only %d messages", SHAPE_OF(e, s), (int)v.messages);
}

/* Do the engine's schedules depend on the number of ranks on a node? */
static bool knows_nodes(const struct engine *e, struct shape s)
{
    s.node_ranks = 0;
    return !engine_fits(e, &s);
}

/* Do the engine's schedules depend on the places? */
static bool knows_places(const struct engine *e, struct shape s)
{
    s.places = NULL;
    return !engine_fits(e, &s);
}

/*
 * Calls f for every engine, collective and order that the shape fits. Adds nodes of 2 and 3 ranks, places, or pieces of
 * several blocks to the shape if they matter to the engine. Returns the number of calls.
 */
static int for_all(struct shape s, void (*f)(const struct engine *, const struct shape *))
{
    int calls = 0;
    for (int i = 0; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int ordered = 0; ordered < (c == COLL_BCAST ? 1 : 2); ordered++) {
                s.collective = (enum collective)c;
                s.ordered = ordered;
                for (s.node_ranks = 1; s.node_ranks <= (knows_nodes(engines[i], s) ? 3 : 1); s.node_ranks++)
                    if ((rooted(c) || s.root == 0) && engine_fits(engines[i], &s)) {
                        f(engines[i], &s);
                        calls++;
                    }
                s.node_ranks = 1;
                s.places = places_of_three(s.ranks);
                if ((rooted(c) || s.root == 0) && knows_places(engines[i], s) && engine_fits(engines[i], &s)) {
                    f(engines[i], &s);
                    calls++;
                }
                s.places = NULL;
                for (s.wide = 2; s.wide <= 5 && engines[i]->serves[c].work; s.wide += 3)
                    if (s.root == 0 && engine_fits(engines[i], &s)) {
                        f(engines[i], &s);
                        calls++;
                    }
                s.wide = 0;
            }
    return calls;
}

START_TEST(small)
{
    for (int p = 1; p <= 24; p++)
        for (int root = 0; root < p; root++)
            for (int n = 1; n <= 9; n += p > 16 ? 4 : 1)
                ck_assert_int_gt(for_all((struct shape){.ranks = p, .root = root, .blocks = n}, check_shape), 0);
}

/* Many ranks with few blocks, and few roots: with 2048 ranks, each root takes seconds. */
START_TEST(large)
{
    const struct {
        int ranks, blocks, roots;
    } table[] = {{64, 8, 4},
                 {100, 8, whole_or(4, 2)},
                 {257, whole_or(8, 3), whole_or(4, 2)},
                 {1000, 3, whole_or(2, 1)},
                 {2048, 1, 1}};
    for (size_t i = 0; i < COUNT(table); i++) {
        const int p = table[i].ranks, roots[] = {0, 1, p / 2, p - 1};
        for (int r = 0; r < table[i].roots; r++)
            for (int n = 1; n <= table[i].blocks; n += r + 2)
                for_all((struct shape){.ranks = p, .root = roots[r], .blocks = n}, check_shape);
    }
}

/* A long pipeline on few ranks. */
START_TEST(many_blocks)
{
    for (int p = 1; p <= 9; p++)
        for (int n = 100; n <= 101; n++)
            for_all((struct shape){.ranks = p, .root = p / 2, .blocks = n}, check_shape);
}

/* Engines that go through a segment; check_segment compares their rounds with the bound in numbers. */
START_TEST(texts_of_segments)
{
    int checked = 0;
    for (int i = 0; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int p = 2; p <= 24; p++)
                for (int n = 1; n <= 30; n++) {
                    const struct service *service = &engines[i]->serves[c];
                    struct shape s = {.collective = c, .ranks = p, .blocks = n, .node_ranks = 1, .depth = SEGMENT_DEPTH};
                    for (s.wide = 1; s.wide <= service_wide(service, p, p) && service->segment.cells && !service->composed;
                         s.wide++) {
                        check_text(engines[i], &s, service->text.rounds);
                        checked++;
                    }
                }
    ck_assert_int_gt(checked, 10000);
}

/* An ordered reduction runs through a line only if the line ends at the root. */
START_TEST(what_fits)
{
    for (int p = 1; p <= 24; p++)
        for (int root = 0; root < p; root++)
            for (int ordered = 0; ordered < 2; ordered++) {
                struct shape s = {
                    .collective = COLL_REDUCE, .ordered = ordered, .ranks = p, .root = root, .blocks = 1, .node_ranks = 1};
                bool end = root == 0 || root == p - 1;
                ck_assert_int_eq(engine_fits(engine_find("chain"), &s), !ordered || end);
                ck_assert(engine_fits(engine_find("ring"), &s));
                ck_assert(!engine_fits(engines[0], &s));
                s.collective = COLL_BCAST;
                ck_assert(engine_fits(engine_find("chain"), &s) && engine_fits(engine_find("two-tree"), &s));
                ck_assert(!engine_fits(engine_find("ring"), &s));
            }
    for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
        struct shape s = {.collective = c, .ordered = true, .ranks = 5, .blocks = 1, .node_ranks = 1};
        ck_assert(engine_fits(engine_find("chain"), &s) && !engine_fits(engine_find("ring"), &s));
    }
}

/* The number of blocks must not decide whether an engine fits: choose() asks before it knows that number. */
static void fits_any_number(const struct engine *e, const struct shape *shape)
{
    struct shape s = *shape;
    for (s.blocks = 1; s.blocks < 10; s.blocks++)
        REQUIRE(engine_fits(e, &s), SHAPE "does not fit", SHAPE_OF(e, &s));
}

START_TEST(fits_for_every_number_of_blocks)
{
    for (int p = 1; p <= 20; p++)
        for (int root = 0; root < p; root++)
            for_all((struct shape){.ranks = p, .root = root, .blocks = 1}, fits_any_number);
}

/* No more blocks cross between nodes than the cost model assumes, except in engines that are made for one rank a node. */
static void crosses_little(const struct engine *e, const struct shape *s)
{
    const struct service *service = &e->serves[s->collective];
    double slope = service_round_bound(service, s).slope,
           most = slope > service->model.crossings ? slope : service->model.crossings;
    double messages = (double)s->blocks * ((s->ranks - 1) / s->node_ranks + 1);
    if (service->work)
        most = service->work(s).between.sent * s->node_ranks;
    const struct verdict v = simulated(e, s);
    REQUIRE(e->made_for == MADE_FOR_ONE_A_NODE || (double)v.crossing <= most * messages,
            SHAPE "%.2f times the message leaves each node of %d ranks, not %.2f", SHAPE_OF(e, s),
            (double)v.crossing / messages, s->node_ranks, most);
}

START_TEST(cards)
{
    for (int k = 2; k <= 16; k += 7)
        for (int p = 128; p <= 300; p = 2 * p + 1)
            for (int root = 0; root < p; root += p / 3)
                for_all((struct shape){.ranks = p, .root = root, .blocks = 6, .node_ranks = k}, crosses_little);
}

static int used; /* the most scratch slots that the engine has used */

static void find_scratch(const struct engine *e, const struct shape *s)
{
    for (int rank = 0; rank < s->ranks; rank++) {
        struct walk schedule;
        struct step x;
        engine_walk(e, &schedule, s, rank);
        while (walk_next(&schedule, &x)) {
            int a = x.kind == STEP_EXCHANGE && x.to == NOBODY ? -1 : x.a.slot - SLOT_T0;
            int b = x.kind == STEP_EXCHANGE && x.from == NOBODY ? -1 : x.b.slot - SLOT_T0;
            a = a > b ? a : b;
            used = a + 1 > used ? a + 1 : used;
            REQUIRE(used <= e->scratch, SHAPE "rank %d uses %d scratch slots of %d", SHAPE_OF(e, s), rank, used, e->scratch);
        }
    }
}

START_TEST(scratch)
{
    for (int i = 1; engines[i]; i++) {
        used = 0;
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int p = 1; p <= 13; p++)
                for (int root = 0; root < (rooted(c) ? p : 1); root++)
                    for (int ordered = 0; ordered < 2; ordered++)
                        for (int places = 0; places < 2; places++) {
                            struct shape s = {SHAPED(c, ordered, p, root, 9), .node_ranks = 1,
                                              .places = places ? places_of_three(p) : NULL};
                            for (; s.blocks > 0 && engine_fits(engines[i], &s); s.blocks -= 8)
                                find_scratch(engines[i], &s);
                        }
        ck_assert_msg(used == engines[i]->scratch, "%s needs %d scratch slots, not %d", engines[i]->name, used,
                      engines[i]->scratch);
    }
}

START_TEST(registry)
{
    int count = engine_count();
    ck_assert_str_eq(engines[0]->name, "native");
    ck_assert_ptr_null(engines[count]);
    ck_assert_int_le(count, 64); /* struct engine_setting has a bit for each */
    ck_assert_ptr_null(engine_find("no-such-engine"));
    ck_assert_ptr_null(engine_find(""));
    for (int i = 0; i < count; i++) {
        const struct engine *e = engines[i];
        ck_assert_ptr_eq(engine_find(e->name), e); /* no other engine has this name */
        ck_assert_int_eq(engine_row(e), i);
        ck_assert_uint_eq(strspn(e->name, "abcdefghijklmnopqrstuvwxyz0123456789-:"), strlen(e->name));
        ck_assert_int_eq(e->algorithm != ALGORITHM_NONE, strncmp(e->name, "native:", 7) == 0);
        ck_assert_msg(e->summary && *e->summary, "%s has no summary", e->name);
        ck_assert(e->scratch >= 0 && e->scratch <= SLOTS - SLOT_T0);
        int serves = 0;
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            const struct service *s = &e->serves[c];
            const char *name = collective_name(c);
            serves += s->text.rounds != NULL;
            ck_assert_msg(!s->generate == (engine_by_mpi(e) || (s->composed && !s->segment.ports) || !s->text.rounds),
                          "%s %s: formula and generate go together", e->name, name);
            ck_assert_msg(!s->round_bound == (!s->generate || s->trees), "%s %s: round_bound and generate go together",
                          e->name, name);
        }
        ck_assert_int_gt(serves, 0);
    }
}

START_TEST(widths)
{
    static const struct {
        const char *engine;
        enum collective collective;
        int wide[5]; /* of 3 ranks that want 0, 1, 2, 3 and 9 blocks at once */
    } table[] = {{"chain", COLL_SCAN, {0, 1, 1, 1, 1}},          {"node-copy", COLL_BCAST, {0, 1, 1, 1, 1}},
                 {"node-ring", COLL_REDUCE, {0, 1, 1, 1, 1}},    {"node-prefixes", COLL_REDUCE, {0, 1, 2, 3, 3}},
                 {"butterfly", COLL_ALLREDUCE, {0, 1, 2, 3, 9}}, {"circulant", COLL_BCAST, {0, 1, 1, 1, 1}},
                 {"circulant", COLL_ALLREDUCE, {0, 1, 2, 3, 9}}};
    static const int wanted[] = {0, 1, 2, 3, 9};
    for (size_t i = 0; i < COUNT(table); i++)
        for (size_t k = 0; k < COUNT(wanted); k++)
            ck_assert_int_eq(service_wide(&engine_find(table[i].engine)->serves[table[i].collective], 3, wanted[k]),
                             table[i].wide[k]);
}

START_TEST(logarithms)
{
    const int table[][2] = {{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {1024, 10}, {1025, 11}};
    for (size_t i = 0; i < COUNT(table); i++)
        ck_assert_int_eq(ceil_log2(table[i][0]), table[i][1]);
    ck_assert_int_eq(ceil_log2(INT64_MAX), 63);
    ck_assert_int_eq(ceil_log2(((int64_t)1 << 40) + 1), 41);
}

/* The messages that list all collectives name each, in the order of their numbers. */
START_TEST(collective_words)
{
    char words[256] = "";
    for (enum collective c = 0; c < COLLECTIVES; c++)
        sprintf(words + strlen(words), "%s%s", c ? ", " : "", collective_name(c));
    ck_assert_str_eq(COLLECTIVE_WORDS, words);
}

/* Each engine native:NAME has a number of its own, and each number an engine. */
START_TEST(algorithm_numbers)
{
    uint32_t found = 1;
    for (int i = 0; engines[i]; i++) {
        const uint32_t bit = UINT32_C(1) << engines[i]->algorithm;
        ck_assert_msg(bit == 1 || !(found & bit), "%s has the number of another algorithm", engines[i]->name);
        found |= bit;
    }
    ck_assert_uint_eq(found, (UINT64_C(1) << ALGORITHMS) - 1);
}

SUITE("engines", 120)
