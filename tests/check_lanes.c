/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of engine `lanes`: all calls are right in simulation, on all small layouts of nodes. Mistakes planted in
 * the stages must be found.
 */
#include "simulate_lanes.h"
#include "suite.h"

enum { MOST_NODES = 5, MOST_NODE = 4, MOST_RANKS = MOST_NODES * MOST_NODE };

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

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

struct call {
    struct lanes lanes;
    int root;
    bool in_place;
};

static const char *text_of(const struct call *c, char text[160])
{
    snprintf(text, 160, "%s%s, %d ranks on %d nodes%s, root %d, %d lanes, %d slices%s", collective_name(c->lanes.collective),
             c->lanes.ordered ? " in order" : "", nodes->ranks, nodes->nodes, nodes->node[1] ? ", dealt out" : "", c->root,
             c->lanes.lanes, (int)c->lanes.slices, c->in_place ? ", in place" : "");
    return text;
}

/* Makes the calls of one kind on `nodes`. Returns their number. */
static int calls_of_kind(enum collective c, bool ordered, void (*check)(const struct call *))
{
    const int most = lanes_one(c, ordered) ? 1 : least;
    int calls = 0;
    for (int root = 0; root < (collective_rooted(c) ? nodes->ranks : 1); root++)
        for (int lanes = 1; lanes <= most; lanes++)
            for (int chunks = 1; chunks <= 2; chunks++)
                for (int in_place = 0; in_place <= collective_reduces(c); in_place++, calls++)
                    check(&(struct call){
                        {c, ordered, node_rank_of(nodes, root), lanes, lanes * chunks, nodes}, root, in_place});
    return calls;
}

/* Makes all calls on `count` nodes of 2 to `most` ranks each. Returns their number. */
static int all_calls(int count, int most, void (*check)(const struct call *))
{
    int sizes[MOST_NODES], calls = 0;
    for (int n = 0; n < count; n++)
        sizes[n] = 2;
    for (int n = 0; n < count;) {
        for (int in_turn = 0; in_turn <= 1; in_turn++) {
            lay_out(sizes, count, in_turn);
            for (enum collective c = 0; c < COLLECTIVES; c++)
                for (int ordered = 0; ordered <= (collective_reduces(c) && !in_turn); ordered++)
                    calls += in_turn && collective_prefix(c) ? 0 : calls_of_kind(c, ordered, check);
        }
        for (n = 0; n < count && ++sizes[n] > most; n++)
            sizes[n] = 2;
    }
    return calls;
}

static void check_call(const struct call *c)
{
    char text[160];
    const char *why = simulate_lanes(&c->lanes, c->root, c->in_place, lanes_stage_right, NULL);
    REQUIRE(!why, "%s: %s", text_of(c, text), why);
}

START_TEST(results)
{
    static const int calls[] = {2364, 9144, 33540, 119136}; /* on 2 nodes, on 3, .. */
    ck_assert_int_eq(all_calls(2 + _i, MOST_NODE, check_call), calls[_i]);
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
    return s->group != GROUP_SELF;
}

static bool rooted(const struct stage *s)
{
    return grouped(s) && collective_rooted(s->collective);
}

/* The number of a stage's ranks, and the rank's number among these. */
static int group_size(int rank, const struct stage *s)
{
    const int node = nodes->node[rank];
    return s->group == GROUP_LANE ? nodes->nodes : nodes->first[node + 1] - nodes->first[node];
}

static int number_in_group(int rank, const struct stage *s)
{
    const struct node_rank self = node_rank_of(nodes, rank);
    return s->group == GROUP_LANE ? self.node : self.index;
}

static bool same_memory(const struct target *p, int rank, enum stage_buffer a, enum stage_buffer b)
{
    const bool in_place = p->call->in_place && collective_in_place(p->call->lanes.collective, rank, p->call->root);
    return a == b || (a != BUFFER_HELD && b != BUFFER_HELD && in_place);
}

/* Does the rank read `from`? The last operand of an exclusive prefix is in no result. */
static bool has_from(int rank, const struct stage *s)
{
    const bool last = number_in_group(rank, s) == group_size(rank, s) - 1;
    return grouped(s) && collective_reduces(s->collective) && !(collective_traits[s->collective].exclusive && last);
}

/* Does it matter what `to` is? The first rank of a scan may have its result already, as that is its operand. */
static bool has_to(const struct target *p, int rank, const struct stage *s)
{
    const int me = number_in_group(rank, s);
    if (!grouped(s) || (s->collective == COLL_SCAN && me == 0 && same_memory(p, rank, s->from, s->to)))
        return false;
    return collective_writes(s->collective, me, s->root) || collective_source(s->collective, me, s->root);
}

/* Is this the part to change, or that of another rank of its group? */
static bool is_target(const struct target *p, int rank, int64_t number)
{
    return rank == p->rank && number == p->number;
}

static bool in_group(const struct target *p, const struct lanes *l, int rank, int64_t number, const struct stage *s)
{
    struct stage targeted;
    return number == p->number && grouped(s) && lanes_stage_right(l, p->rank, number, &targeted, NULL) &&
           (s->group == GROUP_LANE || nodes->node[rank] == nodes->node[p->rank]);
}

#define SLICES (p->call->lanes.slices)
#define OTHER(b, by) (((b) + (by)) % 3) /* of three buffers or groups */
#define OTHER_FROM(by) has_from(rank, s) && !same_memory(p, rank, s->from, OTHER(s->from, by))
#define OTHER_TO(by) has_to(p, rank, s) && !same_memory(p, rank, s->to, OTHER(s->to, by))

/* A mutator that changes parts by `what` if `where` holds. */
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
HERE(wrong_group, true, s->group = OTHER(s->group, 1))
HERE(wrong_collective, grouped(s), s->collective = (s->collective + 1) % COLLECTIVES)
HERE(wrong_root, rooted(s), s->root = (s->root + 1) % group_size(rank, s))
AGREED(wrong_root_agreed, rooted(s), s->root = (s->root + 1) % group_size(rank, s))
HERE(no_root, rooted(s), s->root = group_size(rank, s))
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

/* Stages of another call: on one rank, one with another root; on all ranks, one without the order of operands. */
static bool of_other_call(struct lanes l, int root, bool ordered, int rank, int64_t number, struct stage *s)
{
    l.root = node_rank_of(nodes, root);
    l.ordered = ordered;
    return lanes_stage_right(&l, rank, number, s, NULL);
}

MUTATOR(other_root, rank == p->rank && p->number == 0 && collective_rooted(l->collective),
        return of_other_call(*l, (p->call->root + 1) % nodes->ranks, l->ordered, rank, number, s))
WHOLE(order_forgotten, collective_flow(l->collective) == FLOW_ALL_TO_ONE && l->ordered,
      return of_other_call(*l, p->call->root, false, rank, number, s))

/* The stages come in another order. */
WHOLE(phases_backwards, true, return lanes_stage_right(l, rank, lanes_stages(l) - 1 - number, s, NULL))
WHOLE(lanes_upwards, l->lanes > 1,
      return lanes_stage_right(l, rank, number - number % l->lanes + l->lanes - 1 - number % l->lanes, s, NULL))

/* Is each change fatal, or one at least in each collective, or none? */
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
    ROW(left_out, EVERYWHERE),          ROW(joined, EVERYWHERE),
    ROW(wrong_phase, EVERYWHERE),       ROW(wrong_group, EVERYWHERE),
    ROW(wrong_collective, EVERYWHERE),  ROW(wrong_root, EVERYWHERE),
    ROW(wrong_root_agreed, EVERYWHERE), ROW(no_root, EVERYWHERE),
    ROW(wrong_slice, EVERYWHERE),       ROW(wrong_slice_agreed, EVERYWHERE),
    ROW(next_from, EVERYWHERE),         ROW(last_from, EVERYWHERE),
    ROW(next_to, EVERYWHERE),           ROW(last_to, EVERYWHERE),
    ROW(phases_backwards, EVERYWHERE),  ROW(other_root, SOMEWHERE),
    ROW(order_forgotten, SOMEWHERE),    ROW(lanes_upwards, NOWHERE),
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
    all_calls(3, 3, check_mutants);
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

LOOPED_SUITE("lanes", 60, results, MOST_NODES - 1, mutants)
