/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of engine `lanes`. Its stages are performed here on lists of ranks in the place of data, for all small
 * layouts of nodes, and the result must be that of the collective. Mistakes planted in the stages must be found.
 */
#include "engine.h"
#include "lanes.h"
#include "suite.h"

enum { MOST_RANKS = 16, MOST_SLICES = 8 };

/* The ranks whose data are combined, in the order of operands; -1 ranks: the memory is undefined. */
struct value {
    int count, rank[MOST_RANKS];
};

static const struct value undefined = {.count = -1};

struct memory {
    struct value in[MOST_SLICES], out[MOST_SLICES], held;
    int64_t held_slice;
};

/* ---- Layouts --------------------------------------------------------------------------------------------------------- */

static struct node_list nodes;
static int numbers[5 * MOST_RANKS];

/* Sets `nodes` to nodes of so many ranks, which are consecutive, or dealt out in turn. Returns the ranks of the smallest. */
static int lay_out(const int *sizes, int count, bool in_turn)
{
    int least = MOST_RANKS, left[MOST_RANKS], rank = 0;
    nodes = (struct node_list){.nodes = count,
                               .first = numbers,
                               .rank = numbers + MOST_RANKS,
                               .position = numbers + 2 * MOST_RANKS,
                               .node = numbers + 3 * MOST_RANKS,
                               .lane = numbers + 4 * MOST_RANKS};
    for (int n = 0; n < count; n++) {
        nodes.first[n] = nodes.ranks;
        nodes.ranks += left[n] = sizes[n];
        least = sizes[n] < least ? sizes[n] : least;
    }
    nodes.first[count] = nodes.ranks;
    for (int n = 0; rank < nodes.ranks; n = in_turn || !left[n] ? (n + 1) % count : n)
        if (left[n]) {
            const int position = nodes.first[n] + sizes[n] - left[n]--;
            nodes.node[rank] = n;
            nodes.position[rank] = position;
            nodes.rank[position] = rank++;
        }
    return least;
}

/* ---- Stages on lists of ranks ---------------------------------------------------------------------------------------- */

static struct memory memory[MOST_RANKS];
static bool in_place;
static const char *wrong; /* what a stage did wrong; NULL: nothing */

static struct value *buffer(const struct lanes *l, int rank, enum stage_buffer b, int64_t slice, bool writes)
{
    struct memory *m = &memory[rank];
    const int root = collective_rooted(l->collective) ? node_list_rank(&nodes, l->root.node, l->root.index) : 0;
    const bool has_out = l->collective == COLL_BCAST || collective_writes(l->collective, rank, root);
    if (b == BUFFER_HELD && writes)
        m->held_slice = slice;
    if (b == BUFFER_HELD && m->held_slice != slice)
        wrong = "HELD has another slice";
    if (b == BUFFER_OUT && !has_out && !(collective_prefix(l->collective) && !writes))
        wrong = "MPI forbids to write OUT";
    if (b == BUFFER_IN && writes)
        wrong = "IN is written";
    const bool same = in_place && collective_in_place(l->collective, rank, root);
    return b == BUFFER_HELD ? &m->held : b == BUFFER_OUT || same ? &m->out[slice] : &m->in[slice];
}

static void join(struct value *sum, const struct value *more)
{
    if (sum->count < 0 || more->count < 0 || sum->count + more->count > MOST_RANKS) {
        wrong = "an operand is undefined or too long";
        return;
    }
    memcpy(sum->rank + sum->count, more->rank, (size_t)more->count * sizeof more->rank[0]);
    sum->count += more->count;
}

/* Performs a stage for the ranks of its group, in the order of their numbers there. */
static void perform(const struct lanes *l, const int *member, int count, const struct stage *s)
{
    const enum collective c = s[member[0]].collective;
    const int root = s[member[0]].root;
    struct value before = {0}, from[MOST_RANKS];
    if (root < 0 || root >= count) {
        wrong = "the root is not in the group";
        return;
    }
    for (int i = 0; i < count; i++) {
        const struct stage *x = &s[member[i]];
        if (x->collective != c || x->root != root || x->slice != s[member[0]].slice)
            wrong = "ranks perform different stages";
        from[i] = c == COLL_BCAST ? undefined : *buffer(l, member[i], x->from, x->slice, false);
    }
    if (c == COLL_BCAST)
        before = *buffer(l, member[root], s[member[root]].to, s[member[root]].slice, false);
    else if (!collective_prefix(c))
        for (int i = 0; i < count; i++)
            join(&before, &from[i]);
    for (int i = 0; i < count; i++) {
        const struct stage *x = &s[member[i]];
        if (collective_prefix(c) && !(c == COLL_EXSCAN) && !wrong)
            join(&before, &from[i]);
        if (collective_writes(c, i, root))
            *buffer(l, member[i], x->to, x->slice, true) = before;
        if (c == COLL_EXSCAN && i < count - 1)
            join(&before, &from[i]);
    }
}

/* A stage of a rank alone. */
static void perform_alone(const struct lanes *l, int rank, const struct stage *s)
{
    struct value sum = *buffer(l, rank, BUFFER_HELD, s->slice, false);
    if (s->phase == STAGE_ADD)
        join(&sum, buffer(l, rank, BUFFER_IN, s->slice, false));
    *buffer(l, rank, BUFFER_OUT, s->slice, true) = sum;
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
static int mistake = -1, mistaken; /* the mistake that is planted, or -1; on this rank */
static enum stage_phase in_phase;  /* in stages of this phase */
static bool planted;               /* it has changed something */

/* lanes_stage() with the mistake. */
static bool stage_of(const struct lanes *l, int rank, int64_t number, struct stage *s)
{
    if (!lanes_stage(l, node_rank_of(&nodes, rank), number, s))
        return false;
    if (mistake < 0 || s->phase != in_phase || rank != mistaken)
        return true;
    struct stage changed = *s;
    const struct node_rank self = node_rank_of(&nodes, rank);
    if (!mistakes[mistake](&changed, s->group == GROUP_LANE ? self.node : self.index) || changed.slice >= l->slices)
        return true;
    planted = true;
    *s = changed;
    return mistakes[mistake] != leave_out;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

/* Performs the stage of that number for all groups that have it. */
static void perform_number(const struct lanes *l, int64_t number)
{
    struct stage s[MOST_RANKS];
    bool takes[MOST_RANKS];
    int member[MOST_RANKS], in_lane = 0;
    for (int r = 0; r < nodes.ranks; r++)
        takes[r] = stage_of(l, r, number, &s[r]);
    for (int n = 0; n < nodes.nodes; n++) {
        int on_node = 0, first = nodes.first[n], size = nodes.first[n + 1] - first, group[MOST_RANKS];
        const int before = in_lane;
        for (int i = first; i < first + size; i++) {
            const int r = nodes.rank[i];
            if (takes[r] && s[r].group == GROUP_SELF)
                perform_alone(l, r, &s[r]);
            else if (takes[r] && s[r].group == GROUP_LANE)
                member[in_lane++] = r;
            else if (takes[r])
                group[on_node++] = r;
        }
        if ((on_node && on_node != size) || in_lane - before > 1)
            wrong = "a group is not whole";
        else if (on_node)
            perform(l, group, size, s);
    }
    if (in_lane && in_lane != nodes.nodes)
        wrong = "a lane is not whole";
    else if (in_lane)
        perform(l, member, in_lane, s);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Is the value the combination of ranks 0 .. last, in order or in any order? */
static bool combines(struct value v, int last, bool ordered)
{
    if (!ordered && v.count > 0)
        qsort(v.rank, (size_t)v.count, sizeof v.rank[0], by_number);
    bool good = v.count == last + 1;
    for (int i = 0; good && i <= last; i++)
        good = v.rank[i] == i;
    return good;
}

/* Performs a call; returns what is wrong with it, or NULL. */
static const char *call(const struct lanes *l, int root)
{
    const enum collective c = l->collective;
    wrong = NULL;
    for (int r = 0; r < nodes.ranks; r++) {
        memory[r] = (struct memory){.held = undefined, .held_slice = -1};
        const bool same = in_place && collective_in_place(c, r, root);
        for (int i = 0; i < l->slices; i++) {
            memory[r].in[i] = (struct value){1, {r}};
            memory[r].out[i] = same || collective_source(c, r, root) ? memory[r].in[i] : undefined;
        }
    }
    for (int64_t i = 0; i < lanes_stages(l) && !wrong; i++)
        perform_number(l, i);
    for (int r = 0; r < nodes.ranks && !wrong; r++)
        for (int i = 0; i < l->slices; i++) {
            const struct value v = memory[r].out[i];
            if (c == COLL_BCAST
                    ? v.count != 1 || v.rank[0] != root
                    : collective_writes(c, r, root) && !combines(v, collective_last(c, r, nodes.ranks), l->ordered))
                wrong = "a result is wrong";
        }
    return wrong;
}

static int calls;

/* Makes calls on these nodes, from each root; with `each`, tries a planted mistake in each. */
static void all_calls(const int *sizes, int count, bool in_turn, void (*each)(const struct lanes *, int))
{
    const int least = lay_out(sizes, count, in_turn);
    for (int c = 0; c < COLLECTIVES; c++)
        for (int ordered = 0; ordered < 2; ordered++)
            for (int root = 0; root < (collective_rooted((enum collective)c) ? nodes.ranks : 1); root++) {
                const bool one = lanes_one((enum collective)c, ordered),
                           orders = ordered || collective_prefix((enum collective)c);
                if ((in_turn && orders) || (collective_prefix((enum collective)c) && !ordered))
                    continue;
                for (int lanes = 1; lanes <= (one ? 1 : least); lanes++)
                    for (int chunks = 1; chunks <= 2; chunks++) {
                        in_place = (root + lanes + chunks) % 2;
                        each(&(struct lanes){.collective = (enum collective)c,
                                             .ordered = ordered,
                                             .root = node_rank_of(&nodes, root),
                                             .lanes = lanes,
                                             .slices = lanes * chunks,
                                             .nodes = &nodes},
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
    const char *why = call(l, root);
    REQUIRE(!why, "%s%s, %d nodes, %d ranks, root %d, %d lanes, %d slices: %s", collective_name(l->collective),
            l->ordered ? " in order" : "", nodes.nodes, nodes.ranks, root, l->lanes, (int)l->slices, why);
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
            for (mistaken = 0; mistaken < nodes.ranks; mistaken++) {
                planted = false;
                const char *why = call(l, root);
                if (planted)
                    (why ? found : missed)[mistake]++;
            }
    mistake = -1;
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
