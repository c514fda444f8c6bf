/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator must catch bugs: mutants of every engine's schedules (mutators.h), and some faults made by hand. */
#include "mutators.h"

static bool says(const char *why, const char *words)
{
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word; (word = strsep(&rest, "|"));)
        if (strncmp(why, "rank ", 5) == 0 && strstr(why, word))
            return true;
    return false;
}

static struct tape original, changed;

/*
 * Applies a mutator at one place. Returns -1 if it changes nothing there, 0 if the mutant survives, 1 if the simulator
 * objects.
 */
static int killed_at(const struct engine *e, const struct shape *s, const struct mutator *m, int rank, int k,
                     const char *what)
{
    const struct generator g = {rewind_tape, play,  &changed,
                                e->scratch,  false, e->serves[s->collective].executor.keeps_input};
    struct verdict v;
    copy_tape(&changed, &original);
    struct step *next = NULL;
    for (int i = k + 1; i < changed.steps[rank] && !next; i++)
        next = changed.step[rank][i].kind == STEP_EXCHANGE ? &changed.step[rank][i] : NULL;
    struct target p = {e, s, &changed, rank, k, &changed.step[rank][k], next};
    if (!m->mutate(&p) || same_tape(&original, &changed))
        return -1;
    bool ok = (m->flags & IN_PLACE) || simulate(&g, s, false, &v);
    if (ok && s->collective != COLL_BCAST)
        ok = simulate(&g, s, true, &v);
    REQUIRE(ok || says(v.why, m->why), "%s: the simulator says: %s", what, v.why);
    return !ok;
}

/*
 * Applies a mutator at all places of one shape. Adds the number of mutants to *places, and the number of those that the
 * simulator finds to *killed.
 */
static void hunt_shape(const struct engine *e, const struct shape *s, const struct mutator *m, int *places, int *killed)
{
    record(&original, e, s);
    for (int rank = 0; rank < s->ranks; rank++)
        for (int k = 0; k < original.steps[rank]; k++) {
            char what[160];
            snprintf(what, sizeof what, "%s in %s %s p=%d k=%d root=%d n=%d w=%d ordered=%d, rank %d, action %d", m->name,
                     e->name, collective_name(s->collective), s->ranks, s->node_ranks, s->root, (int)s->blocks, (int)s->wide,
                     s->ordered, rank, k);
            int result = killed_at(e, s, m, rank, k, what);
            *places += result >= 0;
            *killed += result > 0;
            if (result == 0 && (m->flags & EVERYWHERE))
                ck_abort_msg("survived: %s", what);
        }
}

/* Takes shapes with pieces of several blocks, where not all pieces have the same length. */
static void hunt_pieces(const struct engine *e, struct shape s, const struct mutator *m, int *places, int *killed)
{
    for (s.wide = 2; s.wide < BLOCKS; s.wide++)
        for (s.blocks = s.ranks + 1; s.blocks <= 2 * s.ranks + 1; s.blocks += s.ranks)
            if (engine_fits(e, &s))
                hunt_shape(e, &s, m, places, killed);
}

/* All small shapes, with a rank on each node. Engines that need nodes or places get nodes of two, or sites of three. */
static void hunt(const struct engine *e, enum collective c, bool ordered, const struct mutator *m, int *places, int *killed)
{
    for (int p = 1; p <= RANKS; p++) {
        if (e->serves[c].work)
            hunt_pieces(e, (struct shape){.collective = c, .ordered = ordered, .ranks = p, .node_ranks = 1}, m, places,
                        killed);
        for (int root = 0; root < (c <= COLL_REDUCE ? p : 1); root += p < 5 ? 1 : (p - 1) / 2)
            for (int n = 1; n < BLOCKS; n++) {
                struct shape alone = {SHAPED(c, ordered, p, root, n), .node_ranks = 1}, twos = alone, near = alone,
                             unknown = alone;
                twos.node_ranks = 2;
                near.places = places_of_three(p);
                unknown.node_ranks = 0;
                if (engine_fits(e, &alone))
                    hunt_shape(e, &alone, m, places, killed);
                if (engine_fits(e, &twos) && !engine_fits(e, &unknown))
                    hunt_shape(e, &twos, m, places, killed);
                if (engine_fits(e, &near) && !engine_fits(e, &alone))
                    hunt_shape(e, &near, m, places, killed);
            }
    }
}

LOOPED_TEST(mutants, COUNT(mutators))
{
    const struct mutator *m = &mutators[_i];
    int all = 0;
    for (int i = 1; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int ordered = m->flags & ORDERED ? 1 : 0; ordered < (c == COLL_BCAST ? 1 : 2); ordered++) {
                int places = 0, killed = 0;
                hunt(engines[i], c, ordered, m, &places, &killed);
                ck_assert_msg(places == 0 || killed > 0, "survived everywhere: %s in %s %s ordered=%d, %d places", m->name,
                              engines[i]->name, collective_name(c), ordered, places);
                all += places;
            }
    ck_assert_msg(all > 0, "%s applies nowhere", m->name);
}

START_TEST(the_unchanged_is_right)
{
    for (int i = 1; engines[i]; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int p = 1; p <= RANKS; p++)
                for (int n = 1; n < BLOCKS; n++) {
                    struct shape s = {SHAPED(c, true, p, c == COLL_REDUCE ? p - 1 : 0, n), .node_ranks = 1,
                                      .places = places_of_three(p)};
                    const struct generator g = {rewind_tape,         play,  &changed,
                                                engines[i]->scratch, false, engines[i]->serves[c].executor.keeps_input};
                    struct verdict v;
                    if (!engine_fits(engines[i], &s))
                        continue;
                    record(&changed, engines[i], &s);
                    ck_assert_msg(simulate(&g, &s, false, &v) && v.ok && !v.why[0], "%s: %s", engines[i]->name, v.why);
                    ck_assert_msg(c == COLL_BCAST || simulate(&g, &s, true, &v), "%s: %s", engines[i]->name, v.why);
                }
}

/*
 * Rank 0 receives from two ranks in turn, in two rounds. If one of the two sends twice and the other never, rank 0 has three
 * operands, but wrong ones.
 */
START_TEST(each_rank_once)
{
    const struct step take = {.kind = STEP_EXCHANGE, .to = NOBODY, .from = 1, .b = {SLOT_T0, 0}};
    const struct step send = {.kind = STEP_EXCHANGE, .to = 0, .from = NOBODY, .a = {SLOT_IN, 0}};
    const struct step fold = {STEP_FOLD, 0, NOBODY, NOBODY, one_block(SLOT_T0, 0), one_block(SLOT_OUT, 0), 0, 0};
    const struct step copy = {STEP_COPY, 0, NOBODY, NOBODY, one_block(SLOT_IN, 0), one_block(SLOT_OUT, 0), 0, 0};
    const struct shape s = {.collective = COLL_REDUCE, .ranks = 3, .blocks = 1, .node_ranks = 1};
    const struct generator g = {rewind_tape, play, &changed, 1, false, false};
    struct verdict v;

    changed = (struct tape){.step = {{take, copy, fold, take, fold}, {send}, {send}}, .steps = {5, 1, 1}};
    changed.step[0][3].when = changed.step[2][0].when = 1;
    changed.step[0][3].from = 2;
    ck_assert_msg(simulate(&g, &s, false, &v), "%s", v.why);
    ck_assert_int_eq(v.rounds, 2);
    ck_assert_int_eq(v.messages, 2);

    changed.step[0][3].from = 1;
    changed.step[1][1] = changed.step[2][0];
    changed.steps[1]++;
    changed.steps[2]--;
    ck_assert(!simulate(&g, &s, false, &v));
    ck_assert_str_eq(v.why, "rank 0: block 0 of the result is wrong");
}

/* A scratch slot holds the last piece only, even if the piece before was longer. */
START_TEST(a_shorter_piece_fills_its_slot)
{
    const struct shape s = {.collective = COLL_ALLREDUCE, .ranks = 1, .blocks = 2, .wide = 2, .node_ranks = 1};
    const struct piece in = {SLOT_IN, 0, 1}, out = {SLOT_OUT, 0, 1}, slot = {SLOT_T0, 0, 1};
    const struct step begin[] = {{STEP_COPY, 0, NOBODY, NOBODY, in, slot, 0, 0},
                                 {STEP_COPY, 0, NOBODY, NOBODY, one_block(SLOT_IN, 0), one_block(SLOT_T0, 0), 0, 0},
                                 {STEP_COPY, 0, NOBODY, NOBODY, slot, out, 0, 0}};
    const struct generator g = {rewind_tape, play, &changed, 1, false, false};
    struct verdict v;
    changed = (struct tape){.step = {{begin[0], begin[2]}}, .steps = {2}};
    ck_assert_msg(simulate(&g, &s, false, &v), "%s", v.why);
    changed = (struct tape){.step = {{begin[0], begin[1], begin[2]}}, .steps = {3}};
    ck_assert(!simulate(&g, &s, false, &v));
    ck_assert_str_eq(v.why, "rank 0: t0 does not hold block 1");
}

/* ---- simulate_engine() ------------------------------------------------------------------------------------------------ */

static struct round_bound too_fast(const struct shape *s)
{
    struct round_bound bound = engine_find("chain")->serves[COLL_BCAST].round_bound(s);
    bound.latency--;
    return bound;
}

START_TEST(bound_is_held)
{
    struct engine e = *engine_find("chain");
    struct shape s = {.collective = COLL_BCAST, .ranks = 5, .blocks = 4, .node_ranks = 1};
    struct verdict v;
    ck_assert(simulate_engine(&e, &s, &v));
    ck_assert_int_eq(v.rounds, 7);
    ck_assert_int_eq(v.messages, 16);
    ck_assert_int_eq(simulate_bound(&e, &s), 7);
    e.serves[COLL_BCAST].round_bound = too_fast;
    ck_assert(!simulate_engine(&e, &s, &v) && !v.ok);
    ck_assert_msg(strstr(v.why, "7 rounds, more than the bound 6") != NULL, "%s", v.why);
}

/* A reduction to rank 0, which receives into OUT and then folds IN into OUT. With MPI_IN_PLACE, that is wrong. */
static void hasty(struct schedule *s)
{
    const int rank = s->rank;
    struct lane lane = {.leg = rank ? LEG_SEND : LEG_RECV,
                        .peer = 1 - rank,
                        .slot = rank ? SLOT_IN : SLOT_OUT,
                        .period = 1,
                        .left = s->shape.blocks};
    if (rank == 0)
        lane.after[0] = (struct act){STEP_FOLD, SLOT_IN, SLOT_OUT};
    schedule_lane(s, lane);
}

START_TEST(in_place_is_tried)
{
    struct engine e = *engine_find("chain");
    struct shape s = {.collective = COLL_REDUCE, .ordered = true, .ranks = 2, .blocks = 3, .node_ranks = 1};
    struct verdict v;
    const struct generator none = {rewind_tape, play, &changed, 0, false, false};
    e.serves[COLL_REDUCE].generate = hasty;
    ck_assert(!simulate_engine(&e, &s, &v) && !v.ok);
    ck_assert_msg(strstr(v.why, "MPI_IN_PLACE: rank 0: in does not hold block 0") != NULL, "%s", v.why);
    memset(changed.steps, 0, sizeof changed.steps);
    s.ranks = 1;
    ck_assert(!simulate(&none, &s, false, &v));
    ck_assert_str_eq(v.why, "rank 0: block 0 of the result is wrong");
}

SUITE("simulate", 120)
