/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of engine `lanes`: in all calls the stages give the results that MPI promises, without a deadlock; and
 * mistakes in the stages are found.
 */
#include "staged.h"

static void check_call(const struct call *c)
{
    static struct tape t;
    char text[160];
    record(&t, &c->lanes, in_order);
    const char *why = run(c, &t);
    REQUIRE(!why, "%s: %s", text_of(c, text), why);
}

START_TEST(all_calls)
{
    static const int calls[] = {3258, 12552, 45942, 162964}; /* on 2 nodes, on 3, .. */
    ck_assert_int_eq(for_calls(2 + _i, NODE_RANKS, check_call), calls[_i]);
}

/* ---- Mutants --------------------------------------------------------------------------------------------------------- */

struct target {
    const struct call *call;
    struct tape *tape;
    int rank, k;
    struct part *x; /* part k of the rank */
};

static int ranks_of_call(const struct target *p)
{
    return p->call->lanes.nodes->ranks;
}
static bool whole(const struct target *p)
{
    return p->rank == 0 && p->k == 0;
}
static bool grouped(const struct target *p)
{
    return p->x->s.group != GROUP_SELF;
}
static bool reads_from(const struct target *p)
{
    return grouped(p) && collective_reduces(p->x->s.collective);
}

/* Is the memory the same? */
static bool same_memory(const struct target *p, enum stage_buffer a, enum stage_buffer b)
{
    return a == b || (a != BUFFER_HELD && b != BUFFER_HELD && in_place(p->call, p->rank));
}

/* Does it matter what `to` is? The first rank of a scan may have its result already: its operand. */
static bool has_to(const struct target *p)
{
    const struct stage *s = &p->x->s;
    const struct node_rank self = node_rank_of(p->call->lanes.nodes, p->rank);
    const int at = s->group == GROUP_LANE ? self.node : self.index;
    if (!grouped(p) || (s->collective == COLL_SCAN && at == 0 && same_memory(p, s->from, s->to)))
        return false;
    return collective_writes(s->collective, at, s->root) || collective_source(s->collective, at, s->root);
}

static int group_size(const struct target *p)
{
    int member[RANKS];
    return members_of(&p->call->lanes, p->rank, &p->x->s, member);
}

static void insert(struct tape *t, int rank, int k, struct part x)
{
    memmove(&t->part[rank][k + 1], &t->part[rank][k], (size_t)(t->parts[rank]++ - k) * sizeof x);
    t->part[rank][k] = x;
}

static void drop(struct tape *t, int rank, int k)
{
    memmove(&t->part[rank][k], &t->part[rank][k + 1], (size_t)(--t->parts[rank] - k) * sizeof t->part[0][0]);
}

/* Gives the stage this root and slice on all ranks of its group. */
static void agree(struct target *p, int root, int64_t slice)
{
    const struct part x = *p->x;
    const int *node = p->call->lanes.nodes->node;
    for (int r = 0; r < ranks_of_call(p); r++)
        for (int k = 0; k < p->tape->parts[r]; k++) {
            struct part *y = &p->tape->part[r][k];
            if (y->number == x.number && (x.s.group == GROUP_LANE || node[r] == node[p->rank])) {
                y->s.root = root;
                y->s.slice = slice;
            }
        }
}

/* Gives the stage to the next rank, too. */
static bool joined(struct target *p)
{
    const int other = (p->rank + 1) % ranks_of_call(p);
    int k = 0;
    while (k < p->tape->parts[other] && p->tape->part[other][k].number < p->x->number)
        k++;
    if (k < p->tape->parts[other] && p->tape->part[other][k].number == p->x->number)
        return false;
    insert(p->tape, other, k, *p->x);
    return true;
}

static int64_t lanes_upwards(const struct lanes *l, int64_t place)
{
    return place - place % l->lanes + l->lanes - 1 - place % l->lanes;
}

static int64_t phases_backwards(const struct lanes *l, int64_t place)
{
    return lanes_stages(l) - 1 - place;
}

static bool reordered(struct target *p, order *number)
{
    if (whole(p))
        record(p->tape, &p->call->lanes, number);
    return whole(p);
}

/* One rank takes another rank for the root. */
static bool other_root(struct target *p)
{
    struct lanes l = p->call->lanes;
    if (p->k > 0 || !collective_rooted(l.collective))
        return false;
    l.root = node_rank_of(l.nodes, (p->call->root + 1) % ranks_of_call(p));
    record_rank(p->tape, &l, p->rank, in_order);
    return true;
}

static bool order_forgotten(struct target *p)
{
    struct lanes l = p->call->lanes;
    if (!whole(p) || !l.ordered || collective_flow(l.collective) != FLOW_ALL_TO_ONE)
        return false;
    l.ordered = false;
    record(p->tape, &l, in_order);
    return true;
}

#define ROOTED (grouped(p) && collective_rooted(p->x->s.collective))
#define NEXT_ROOT ((p->x->s.root + 1) % group_size(p))
#define NEXT_SLICE ((p->x->s.slice + 1) % p->call->lanes.slices)
#define OTHER(b, by) (((b) + (by)) % 3) /* of three buffers or groups */
#define OTHER_FROM(by) reads_from(p) && !same_memory(p, p->x->s.from, OTHER(p->x->s.from, by))
#define OTHER_TO(by) has_to(p) && !same_memory(p, p->x->s.to, OTHER(p->x->s.to, by))

/* A mutator that changes the part by `what` if `where` holds. */
#define MUTATOR(name, where, what)                                                                                          \
    static bool name(struct target *p)                                                                                      \
    {                                                                                                                       \
        if (!(where))                                                                                                       \
            return false;                                                                                                   \
        what;                                                                                                               \
        return true;                                                                                                        \
    }

MUTATOR(left_out, true, drop(p->tape, p->rank, p->k))
MUTATOR(taken_twice, grouped(p), insert(p->tape, p->rank, p->k, *p->x))
MUTATOR(later, p->k + 1 < p->tape->parts[p->rank], insert(p->tape, p->rank, p->k + 2, *p->x); drop(p->tape, p->rank, p->k))
MUTATOR(wrong_phase, grouped(p), p->x->s.phase = (p->x->s.phase + 1) % STAGE_PHASES)
MUTATOR(wrong_group, true, p->x->s.group = OTHER(p->x->s.group, 1))
MUTATOR(wrong_collective, grouped(p), p->x->s.collective = (p->x->s.collective + 1) % COLLECTIVES)
MUTATOR(wrong_root, ROOTED, p->x->s.root = NEXT_ROOT)
MUTATOR(wrong_root_agreed, ROOTED, agree(p, NEXT_ROOT, p->x->s.slice))
MUTATOR(wrong_slice, p->call->lanes.slices > 1, p->x->s.slice = NEXT_SLICE)
MUTATOR(wrong_slice_agreed, grouped(p) && p->call->lanes.slices > 1, agree(p, p->x->s.root, NEXT_SLICE))
MUTATOR(next_from, OTHER_FROM(1), p->x->s.from = OTHER(p->x->s.from, 1))
MUTATOR(last_from, OTHER_FROM(2), p->x->s.from = OTHER(p->x->s.from, 2))
MUTATOR(next_to, OTHER_TO(1), p->x->s.to = OTHER(p->x->s.to, 1))
MUTATOR(last_to, OTHER_TO(2), p->x->s.to = OTHER(p->x->s.to, 2))
MUTATOR(other_lanes, whole(p), return reordered(p, lanes_upwards))
MUTATOR(other_phases, whole(p), return reordered(p, phases_backwards))

/* Is each change fatal, or at least one in each collective, or none? */
enum fatal { EVERYWHERE, SOMEWHERE, NOWHERE };

static const struct mutator {
    const char *name;
    bool (*mutate)(struct target *p);
    enum fatal fatal;
} mutators[] = {
#define ROW(name, ...)                                                                                                      \
    {                                                                                                                       \
#name, name, __VA_ARGS__                                                                                            \
    }
    ROW(left_out, EVERYWHERE),
    ROW(taken_twice, EVERYWHERE),
    ROW(joined, EVERYWHERE),
    ROW(later, SOMEWHERE),
    ROW(wrong_phase, EVERYWHERE),
    ROW(wrong_group, EVERYWHERE),
    ROW(wrong_root, EVERYWHERE),
    ROW(wrong_root_agreed, EVERYWHERE),
    ROW(wrong_collective, EVERYWHERE),
    ROW(wrong_slice, EVERYWHERE),
    ROW(wrong_slice_agreed, EVERYWHERE),
    ROW(next_from, EVERYWHERE),
    ROW(last_from, EVERYWHERE),
    ROW(next_to, EVERYWHERE),
    ROW(last_to, EVERYWHERE),
    ROW(other_root, SOMEWHERE),
    ROW(order_forgotten, SOMEWHERE),
    ROW(other_phases, EVERYWHERE),
    ROW(other_lanes, NOWHERE),
#undef ROW
};

static int64_t changed[COUNT(mutators)][COLLECTIVES], found[COUNT(mutators)][COLLECTIVES];

static void check_mutants(const struct call *c)
{
    static struct tape t, mutant;
    char text[160];
    record(&t, &c->lanes, in_order);
    for (size_t i = 0; i < COUNT(mutators); i++)
        for (int rank = 0; rank < c->lanes.nodes->ranks; rank++)
            for (int k = 0; k < t.parts[rank]; k++) {
                const struct mutator *m = &mutators[i];
                for (int r = 0; r < c->lanes.nodes->ranks; r++)
                    memcpy(mutant.part[r], t.part[r], (size_t)(mutant.parts[r] = t.parts[r]) * sizeof t.part[0][0]);
                struct target p = {c, &mutant, rank, k, &mutant.part[rank][k]};
                if (!m->mutate(&p))
                    continue;
                const char *why = run(c, &mutant);
                changed[i][c->lanes.collective]++;
                found[i][c->lanes.collective] += why != NULL;
                REQUIRE(m->fatal == SOMEWHERE || (m->fatal == EVERYWHERE) == (why != NULL),
                        "%s: %s of part %d of rank %d: %s", text_of(c, text), m->name, k, rank, why ? why : "not found");
            }
}

START_TEST(mutants)
{
    ck_assert_int_gt(for_calls(3, 3, check_mutants), 0);
    for (size_t i = 0; i < COUNT(mutators); i++) {
        int64_t all = 0;
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            all += changed[i][c];
            REQUIRE(mutators[i].fatal == NOWHERE || !changed[i][c] || found[i][c], "%s in %s: never found", mutators[i].name,
                    collective_name(c));
        }
        REQUIRE(all, "%s changes nothing", mutators[i].name);
    }
}

LOOPED_SUITE("lanes", 120, all_calls, NODES - 1, mutants)
