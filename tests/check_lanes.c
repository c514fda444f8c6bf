/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of engine `lanes`: all calls are right in simulation, on all small layouts of nodes. Mistakes planted in
 * the stages must be found.
 */
#include "simulate_lanes.h"
#include "suite.h"

enum { MOST_RANKS = 16 };

static struct node_list *nodes;
static int least; /* ranks of the smallest node */

/* Sets `nodes` to nodes of so many ranks, which are consecutive, or dealt out in turn. */
static void lay_out(const int *sizes, int count, bool in_turn)
{
    int node[MOST_RANKS], left[MOST_RANKS], ranks = 0, most = 0;
    least = MOST_RANKS;
    for (int n = 0; n < count; n++) {
        left[n] = sizes[n];
        least = sizes[n] < least ? sizes[n] : least;
        most = sizes[n] > most ? sizes[n] : most;
    }
    for (int turn = 0; turn < (in_turn ? most : 1); turn++)
        for (int n = 0; n < count; n++)
            for (int i = in_turn ? 1 : sizes[n]; i > 0 && left[n] > 0; i--, left[n]--)
                node[ranks++] = n;
    free(nodes);
    nodes = node_list_new(node, ranks);
    ck_assert_ptr_nonnull(nodes);
}

/* ---- Mistakes -------------------------------------------------------------------------------------------------------- */

/* Each of these changes a stage of the rank with that number in its group. They return false if it is the same as before. */

static bool shift_root(struct stage *s, int me)
{
    (void)me;
    s->root++;
    return s->group != GROUP_SELF && collective_rooted(s->collective);
}

static bool take_in(struct stage *s, int me)
{
    const bool other = s->from != BUFFER_IN && s->group != GROUP_SELF && collective_reduces(s->collective);
    (void)me;
    s->from = BUFFER_IN;
    return other;
}

static bool take_out(struct stage *s, int me)
{
    const bool other = s->from == BUFFER_HELD && s->group != GROUP_SELF;
    (void)me;
    s->from = BUFFER_OUT;
    return other;
}

static bool give_held(struct stage *s, int me)
{
    const bool uses = s->collective == COLL_BCAST || collective_writes(s->collective, me, s->root);
    const bool other = s->to == BUFFER_OUT && s->group != GROUP_SELF && uses;
    s->to = BUFFER_HELD;
    return other;
}

static bool other_slice(struct stage *s, int me)
{
    (void)me;
    s->slice ^= 1;
    return true;
}

static bool leave_out(struct stage *s, int me)
{
    (void)s, (void)me;
    return true;
}

static bool (*const mistakes[])(struct stage *, int) = {shift_root, take_in, take_out, give_held, other_slice, leave_out};
static int mistake, mistaken;     /* the mistake that is planted; on this rank */
static enum stage_phase in_phase; /* in stages of this phase */
static bool planted;              /* it has changed something */

/* lanes_stage() with the mistake. */
static bool stage_of(const struct lanes *l, int rank, int64_t number, struct stage *s, void *self)
{
    if (!lanes_stage_right(l, rank, number, s, self))
        return false;
    if (s->phase != in_phase || rank != mistaken)
        return true;
    struct stage changed = *s;
    const struct node_rank me = node_rank_of(nodes, rank);
    if (!mistakes[mistake](&changed, s->group == GROUP_LANE ? me.node : me.index) || changed.slice >= l->slices)
        return true;
    planted = true;
    *s = changed;
    return mistakes[mistake] != leave_out;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

static int calls;
static bool in_place;

/* Makes calls on these nodes, from each root; with `each`, tries a planted mistake in each. */
static void all_calls(const int *sizes, int count, bool in_turn, void (*each)(const struct lanes *, int))
{
    lay_out(sizes, count, in_turn);
    for (int c = 0; c < COLLECTIVES; c++)
        for (int ordered = 0; ordered < 2; ordered++)
            for (int root = 0; root < (collective_rooted((enum collective)c) ? nodes->ranks : 1); root++) {
                const bool one = lanes_one((enum collective)c, ordered),
                           orders = ordered || collective_prefix((enum collective)c);
                if (in_turn && orders)
                    continue;
                for (int lanes = 1; lanes <= (one ? 1 : least); lanes++)
                    for (int chunks = 1; chunks <= 2; chunks++) {
                        in_place = (root + lanes + chunks) % 2;
                        each(&(struct lanes){.collective = (enum collective)c,
                                             .ordered = ordered,
                                             .root = node_rank_of(nodes, root),
                                             .lanes = lanes,
                                             .slices = lanes * chunks,
                                             .nodes = nodes},
                             root);
                    }
            }
}

static void all_layouts(int most, void (*each)(const struct lanes *, int))
{
    for (int count = 2; count <= 5; count++)
        for (int kind = 0; kind < 27; kind++) {
            int sizes[5], ranks = 0;
            for (int n = 0, k = kind; n < count; n++, k = k / 3 + kind)
                ranks += sizes[n] = 2 + k % 3;
            if (ranks > most)
                continue;
            all_calls(sizes, count, false, each);
            all_calls(sizes, count, true, each);
        }
}

static void right_call(const struct lanes *l, int root)
{
    const char *why = simulate_lanes(l, root, in_place, lanes_stage_right, NULL);
    REQUIRE(!why, "%s%s, %d nodes, %d ranks, root %d, %d lanes, %d slices: %s", collective_name(l->collective),
            l->ordered ? " in order" : "", nodes->nodes, nodes->ranks, root, l->lanes, (int)l->slices, why);
    calls++;
}

START_TEST(results)
{
    all_layouts(MOST_RANKS, right_call);
    ck_assert_int_gt(calls, 5000);
}

static int found[COUNT(mistakes)], missed[COUNT(mistakes)];

static void wrong_calls(const struct lanes *l, int root)
{
    for (mistake = 0; mistake < (int)COUNT(mistakes); mistake++)
        for (in_phase = 0; in_phase < STAGE_PHASES; in_phase++)
            for (mistaken = 0; mistaken < nodes->ranks; mistaken++) {
                planted = false;
                const char *why = simulate_lanes(l, root, in_place, stage_of, NULL);
                if (planted)
                    (why ? found : missed)[mistake]++;
            }
}

/*
 * A mistake may change nothing: an operand that is IN and OUT at once, one that an exclusive scan does not read, or a stage
 * at a rank that keeps what it has. So a tenth of the mistakes may be missed, and of the sure ones none.
 */
START_TEST(mistakes_are_found)
{
    all_layouts(8, wrong_calls);
    for (size_t i = 0; i < COUNT(mistakes); i++)
        ck_assert_msg(found[i] > 100 && found[i] >= 9 * missed[i], "mistake %d: %d found, %d missed", (int)i, found[i],
                      missed[i]);
}

SUITE("lanes", 60, results, mistakes_are_found)
