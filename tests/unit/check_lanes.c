/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of engine `lanes`: all calls are right in simulation, on all small layouts of nodes, and no node moves
 * more than necessary. The simulation must find mistakes that are planted in the stages.
 */
#include "compositions.h"
#include "simulate_lanes.h"

#include <math.h>

static void check_call(const struct call *c)
{
    char text[160];
    const char *why = simulate_lanes(&c->lanes, c->root, c->in_place, lanes_stage_right, NULL);
    REQUIRE(!why, "%s: %s", text_of(c, text), why);
}

LOOPED_TEST(results, MOST_NODES - 1)
{
    static const int calls[] = {3624, 14286, 52956, 189386}; /* on 2 nodes, on 3, .. */
    ck_assert_int_eq(all_calls(2 + _i, MOST_NODE, check_call), calls[_i]);
}

/* ---- What nodes move -------------------------------------------------------------------------------------------------- */

/*
 * As much crosses the network card of a node as the limit says. In memory, a node moves about as much as with one segment;
 * for scans, as doc/lanes says. A stage may copy the message once more, the first rank of a line copies where the other
 * ranks fold, and data pass between the root and the ranks of lanes.
 */
static void check_traffic(const struct call *c)
{
    const struct lanes_traffic t = lanes_traffic(&c->lanes, NULL), limit = lanes_traffic_limit(&c->lanes);
    const bool prefix = collective_prefix(c->lanes.collective);
    const double more = prefix ? 3 * MOST_SMALL + 6 : c->lanes.collective == COLL_REDUCE ? 4 : 2 + 1e-6;
    char text[160];
    REQUIRE(fabs(t.in - limit.in) < 1e-6, "%s: %.3f m over a card, not %.3f m", text_of(c, text), t.in, limit.in);
    REQUIRE(fabs(t.out - limit.out) < 1e-6, "%s: %.3f m over a card, not %.3f m", text_of(c, text), t.out, limit.out);
    REQUIRE(t.moved > limit.moved - 7 && t.moved < limit.moved + more, "%s: %.3f m through memory, limit %.3f m",
            text_of(c, text), t.moved, limit.moved);
}

/* A broadcast sends each byte into a node once, and a reduction out of a node once, whatever engine serves between nodes. */
static void check_engines(const struct call *c)
{
    const struct lanes *l = &c->lanes;
    const bool leaves = l->collective == COLL_REDUCE;
    char text[160];
    for (int i = 1; engines[i] && collective_rooted(l->collective); i++) {
        const struct shape shape = {.collective = l->collective,
                                    .ordered = l->ordered,
                                    .ranks = nodes->nodes,
                                    .root = l->root.node,
                                    .blocks = 2 * nodes->nodes};
        if (!engine_fits(engines[i], &shape))
            continue;
        const struct lanes_traffic t = lanes_traffic(l, engines[i]);
        const double once = leaves ? t.out : t.in;
        REQUIRE(fabs(once - 1) < 1e-6, "%s by %s: %.3f m, not once", text_of(c, text), engines[i]->name, once);
    }
}

START_TEST(traffic)
{
    all_calls(2, MOST_SMALL, check_traffic);
    all_calls(4, MOST_SMALL, check_traffic);
    all_calls(4, 2, check_engines);
}

/* ---- Mutants --------------------------------------------------------------------------------------------------------- */

/* A mutator, and the rank and the stage where it changes a call. */
struct target {
    bool (*mutate)(struct target *p, const struct lanes *l, int rank, int64_t number, struct stage *s);
    const struct call *call;
    int rank;
    int64_t number;
    bool changed;
};

static bool grouped(const struct stage *s)
{
    return lanes_group(s->phase) != GROUP_SELF;
}

static enum collective collective_of(const struct target *p, const struct stage *s)
{
    return lanes_collective(p->call->lanes.collective, s->phase);
}

static bool rooted(const struct target *p, const struct stage *s)
{
    return grouped(s) && collective_rooted(collective_of(p, s));
}

/* The number of a stage's ranks, and the rank's number among these. */
static int group_size(int rank, const struct stage *s)
{
    const int node = nodes->node[rank];
    return lanes_group(s->phase) == GROUP_LANE ? nodes->nodes : nodes->first[node + 1] - nodes->first[node];
}

static int number_in_group(int rank, const struct stage *s)
{
    const struct node_rank self = node_rank_of(nodes, rank);
    return lanes_group(s->phase) == GROUP_LANE ? self.node : self.index;
}

static bool same_memory(const struct target *p, int rank, enum stage_buffer a, enum stage_buffer b)
{
    const bool in_place = p->call->in_place && collective_in_place(p->call->lanes.collective, rank, p->call->root);
    return a == b || (a != BUFFER_KEPT && b != BUFFER_KEPT && in_place);
}

/* Does the rank read `from`? The last operand of an exclusive prefix is in no result. */
static bool has_from(const struct target *p, int rank, const struct stage *s)
{
    const enum collective c = collective_of(p, s);
    const bool last = number_in_group(rank, s) == group_size(rank, s) - 1;
    return grouped(s) && collective_reduces(c) && !(collective_traits[c].exclusive && last);
}

/* Does it matter what `to` is? The first rank of a scan may have its result in place already, as that is its operand. */
static bool has_to(const struct target *p, int rank, const struct stage *s)
{
    const enum collective c = collective_of(p, s);
    const int me = number_in_group(rank, s);
    if (!grouped(s) || (c == COLL_SCAN && me == 0 && same_memory(p, rank, s->from, s->to)))
        return false;
    const int ranks = group_size(rank, s), part = (me - s->root + ranks) % ranks;
    const struct shape readers = {.readers = s->readers, .reader = s->reader};
    if (c == COLL_BCAST || s->slices > 1)
        return part < s->slices || (c == COLL_BCAST && shape_reads(&readers, me));
    return collective_writes(c, me, s->root) || collective_source(c, me, s->root);
}

/* Is this the rank whose part in this stage the mutator changes? */
static bool is_target(const struct target *p, int rank, int64_t number)
{
    return rank == p->rank && number == p->number;
}

/* Do this rank and the target take part in the same stage? */
static bool in_group(const struct target *p, const struct lanes *l, int rank, int64_t number, const struct stage *s)
{
    struct stage targeted;
    return number == p->number && grouped(s) && lanes_stage_right(l, p->rank, number, &targeted, NULL) &&
           (lanes_group(s->phase) == GROUP_LANE || nodes->node[rank] == nodes->node[p->rank]);
}

#define SLICES (p->call->lanes.slices)
#define OTHER(b, by) (((b) + (by)) % 3) /* of three buffers */
#define OTHER_FROM(by) has_from(p, rank, s) && !same_memory(p, rank, s->from, OTHER(s->from, by))
#define OTHER_TO(by) has_to(p, rank, s) && !same_memory(p, rank, s->to, OTHER(s->to, by))

/*
 * Defines a mutator, which does `what` to a rank's part in a stage if the condition `where` holds. HERE: to the target's
 * part alone; AGREED: to the parts of all ranks in its stage; WHOLE: to all stages of all ranks.
 */
#define MUTATOR(name, where, what)                                                                                          \
    static bool name(struct target *p, const struct lanes *l, int rank, int64_t number, struct stage *s)                    \
    {                                                                                                                       \
        const bool part = lanes_stage_right(l, rank, number, s, NULL);                                                      \
        if (!(where))                                                                                                       \
            return part;                                                                                                    \
        p->changed = true;                                                                                                  \
        what;                                                                                                               \
        return true;                                                                                                        \
    }
#define HERE(name, where, what) MUTATOR(name, is_target(p, rank, number) && part && (where), what)
#define AGREED(name, where, what) MUTATOR(name, in_group(p, l, rank, number, s) && part && (where), what)
#define WHOLE(name, where, what) MUTATOR(name, p->rank == 0 && p->number == 0 && (where), what)

HERE(left_out, true, return false)
HERE(wrong_phase, grouped(s), s->phase = (s->phase + 1) % STAGE_PHASES)
HERE(wrong_root, rooted(p, s), s->root = (s->root + 1) % group_size(rank, s))
AGREED(wrong_root_agreed, rooted(p, s), s->root = (s->root + 1) % group_size(rank, s))
HERE(no_root, rooted(p, s), s->root = group_size(rank, s))
HERE(wrong_readers, collective_of(p, s) == COLL_BCAST && grouped(s), s->readers = (s->readers + 1) % (READERS_OTHERS + 1))
AGREED(wrong_reader, s->readers != READERS_ALL, s->reader = (s->reader + 1) % group_size(rank, s))
HERE(wrong_slice, SLICES > 1, s->slice = (s->slice + 1) % SLICES)
AGREED(wrong_slice_agreed, SLICES > 1, s->slice = (s->slice + 1) % SLICES)
HERE(next_from, OTHER_FROM(1), s->from = OTHER(s->from, 1))
HERE(last_from, OTHER_FROM(2), s->from = OTHER(s->from, 2))
HERE(next_to, OTHER_TO(1), s->to = OTHER(s->to, 1))
HERE(last_to, OTHER_TO(2), s->to = OTHER(s->to, 2))

/* A rank takes part in a stage of the rank before it. */
static bool before(const struct lanes *l, int rank, int64_t number, struct stage *s)
{
    return lanes_stage_right(l, (rank + nodes->ranks - 1) % nodes->ranks, number, s, NULL) && grouped(s);
}

MUTATOR(joined, !part && is_target(p, rank, number) && before(l, rank, number, s), (void)s)

/* The stage of another call, which has another root. */
static bool of_other_call(struct lanes l, int root, int rank, int64_t number, struct stage *s)
{
    l.root = node_rank_of(nodes, root);
    return lanes_stage_right(&l, rank, number, s, NULL);
}

MUTATOR(other_root, rank == p->rank && p->number == 0 && collective_rooted(l->collective),
        return of_other_call(*l, (p->call->root + 1) % nodes->ranks, rank, number, s))

/* All ranks take the stages in another order. */
WHOLE(phases_backwards, true, return lanes_stage_right(l, rank, lanes_stages(l) - 1 - number, s, NULL))
WHOLE(lanes_upwards, l->lanes > 1 && collective_flow(l->collective) != FLOW_ONE_TO_ALL,
      return lanes_stage_right(l, rank, number - number % l->lanes + l->lanes - 1 - number % l->lanes, s, NULL))

/* Do all of a mutator's changes make calls wrong, or at least one for each collective, or none? */
enum fatal { EVERYWHERE, SOMEWHERE, NOWHERE };

static const struct mutator {
    const char *name;
    bool (*mutate)(struct target *p, const struct lanes *l, int rank, int64_t number, struct stage *s);
    enum fatal fatal;
} mutators[] = {
#define ROW(name, fatal)                                                                                                    \
    {                                                                                                                       \
#name, name, fatal                                                                                                  \
    }
    ROW(left_out, EVERYWHERE),          ROW(joined, EVERYWHERE),           ROW(wrong_phase, EVERYWHERE),
    ROW(wrong_root, EVERYWHERE),        ROW(wrong_root_agreed, SOMEWHERE), ROW(no_root, EVERYWHERE),
    ROW(wrong_readers, EVERYWHERE),     ROW(wrong_reader, EVERYWHERE),     ROW(wrong_slice, EVERYWHERE),
    ROW(wrong_slice_agreed, SOMEWHERE), ROW(next_from, EVERYWHERE),        ROW(last_from, EVERYWHERE),
    ROW(next_to, EVERYWHERE),           ROW(last_to, EVERYWHERE),          ROW(phases_backwards, EVERYWHERE),
    ROW(other_root, SOMEWHERE),         ROW(lanes_upwards, NOWHERE),
#undef ROW
};

static int64_t changes[COUNT(mutators)][COLLECTIVES], found[COUNT(mutators)][COLLECTIVES];

static bool stage_of(const struct lanes *l, int rank, int64_t number, struct stage *s, void *self)
{
    struct target *p = self;
    return p->mutate(p, l, rank, number, s);
}

static void check_mutants(const struct call *c)
{
    const int64_t stages = lanes_stages(&c->lanes);
    const enum collective k = c->lanes.collective;
    struct stage s;
    char text[160];
    for (size_t i = 0; i < COUNT(mutators); i++)
        for (int rank = 0; rank < nodes->ranks; rank++)
            for (int64_t number = 0; number < stages; number++) {
                struct target p = {mutators[i].mutate, c, rank, number, false};
                stage_of(&c->lanes, rank, number, &s, &p);
                if (!p.changed)
                    continue;
                const char *why = simulate_lanes(&c->lanes, c->root, c->in_place, stage_of, &p);
                changes[i][k]++;
                found[i][k] += why != NULL;
                REQUIRE(mutators[i].fatal == SOMEWHERE || (mutators[i].fatal == EVERYWHERE) == (why != NULL),
                        "%s: %s in stage %d of rank %d: %s", text_of(c, text), mutators[i].name, (int)number, rank,
                        why ? why : "not found");
            }
}

START_TEST(mutants)
{
    all_calls(3, MOST_SMALL, check_mutants);
    for (size_t i = 0; i < COUNT(mutators); i++) {
        int64_t all = 0;
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            all += changes[i][c];
            REQUIRE(mutators[i].fatal == NOWHERE || !changes[i][c] || found[i][c], "%s in %s: never found", mutators[i].name,
                    collective_name(c));
        }
        REQUIRE(all, "%s changes nothing", mutators[i].name);
    }
}

SUITE("lanes", 60)
