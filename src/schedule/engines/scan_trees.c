/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of scans over pipelined in-order binary trees; see scan_trees.h, and doc/scans for the proofs.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, LNCS 4192, Sect. 2.3. The
 * subtree of node v holds the ranks l .. r, and [l..r] is the combination of their inputs. For each block,
 *
 *     up     v sends [l..r] to its parent, unless v is on the right spine (r = p-1)
 *     down   v gets the prefix P = [0..l-1] from its parent, unless v is on the left spine (l = 0). It sends P to its left
 *            child and [0..v] to its right child.
 *
 * With L and R for what comes up from the children, this is done with the messages:
 *
 *                        scan                                  exclusive scan
 *     L comes            OUT = L (+) IN                        OUT = L
 *     R comes            kept                                  kept
 *     sent up            OUT (+) R, or OUT                     OUT (+) (IN (+) R), or OUT (+) IN
 *     P comes            OUT = P (+) OUT                       OUT = P (+) OUT, or P if there is no left child
 *     sent to the left   P                                     P
 *     sent to the right  OUT                                   OUT (+) IN
 *
 * P comes to v in step D, and v sends up in step U. Let s be the node of the right spine from which the path to v first
 * leaves to the left, and x the left child of s on that path:
 *
 *     D(v) = origin + the hops down on the path to v
 *     U(v) = D(s) + the turn at x - the hops up on the path from x to v
 *
 * Invariants. A node sends up as late as it may, so one kept block for each edge is enough. OUT is ready when P comes,
 * except at s: there P may come before L, and waits in its slot. R lies in T0 and P in T2. A block that is kept for the
 * whole period is sent while the next one comes in: then R takes T0 and T1 by turns, or P does and R is in T2. What is
 * needed in one step alone goes through the spare slot. The exclusive scan reads IN after it writes OUT, hence
 * `keeps_input`.
 */
#include "scan_trees.h"

#include "two_tree.h"

/* A node's messages. Those that it does not have are lanes with none left. */
enum { FROM_LEFT, FROM_RIGHT, TO_PARENT, FROM_PARENT, TO_LEFT, TO_RIGHT, MESSAGES };

struct slots {
    uint8_t right, prefix, spare; /* for R, P and what does not stay */
};

/* A node's place in time: U and D, and whether it has these messages. */
struct moment {
    int64_t up, down;
    bool sends_up, has_prefix;
};

static struct moment moment(const struct scan_tree *tree, const struct scan_clock *clock, const struct shape *shape, int x)
{
    struct moment v = {.down = clock->origin};
    int64_t climbed = 0; /* hops up from v to x */
    int64_t fallen = 0;  /* hops down from x to s, the parent of the left child that was met last */
    for (int parent; (parent = tree->parent(shape, x)) >= 0; x = parent) {
        int64_t hop = clock->hop(shape, HOP_DOWN, x, parent);
        v.down += hop;
        fallen += hop;
        if (x < parent) {
            v.sends_up = true;
            v.up = clock->hop(shape, HOP_TURN, x, parent) - climbed;
            fallen = 0;
        } else {
            v.has_prefix = true;
        }
        climbed += clock->hop(shape, HOP_UP, x, parent);
    }
    v.up += clock->origin + fallen;
    return v;
}

static void add_message(struct lane *lane, const struct scan_clock *clock, enum leg leg, int peer, int64_t when)
{
    lane->leg = leg;
    lane->peer = peer;
    lane->when = when;
    lane->period = clock->period;
    lane->block = clock->block;
    lane->left = clock->blocks;
}

/* All messages, without slots and actions. */
static void add_messages(struct lane lane[MESSAGES], const struct scan_tree *tree, const struct scan_clock *clock,
                         const struct shape *shape, int x)
{
    const struct moment v = moment(tree, clock, shape, x);
    int64_t down = v.down + clock->delay;
    int parent = tree->parent(shape, x), child[2];
    tree->children(shape, x, child);
    int left = child[LEFT], right = child[RIGHT];

    if (v.sends_up)
        add_message(&lane[TO_PARENT], clock, LEG_SEND, parent, v.up);
    if (v.has_prefix)
        add_message(&lane[FROM_PARENT], clock, LEG_RECV, parent, down);
    if (left >= 0)
        add_message(&lane[FROM_LEFT], clock, LEG_RECV, left,
                    v.sends_up ? v.up - clock->hop(shape, HOP_UP, left, x) : v.down + clock->hop(shape, HOP_TURN, left, x));
    if (left >= 0 && v.has_prefix)
        add_message(&lane[TO_LEFT], clock, LEG_SEND, left, down + clock->hop(shape, HOP_DOWN, left, x));
    if (right >= 0 && v.sends_up)
        add_message(&lane[FROM_RIGHT], clock, LEG_RECV, right, v.up - clock->hop(shape, HOP_UP, right, x));
    if (right >= 0)
        add_message(&lane[TO_RIGHT], clock, LEG_SEND, right, down + clock->hop(shape, HOP_DOWN, right, x));
}

static struct slots choose_slots(const struct lane lane[MESSAGES], const struct scan_clock *clock)
{
    struct slots t = {SLOT_T0, SLOT_T2, clock->spare};
    if (lane[FROM_RIGHT].left && lane[TO_PARENT].when - lane[FROM_RIGHT].when == clock->period)
        t.right = SLOT_T0 | SLOT_ALTERNATE;
    if (lane[TO_LEFT].left && lane[TO_LEFT].when - lane[FROM_PARENT].when == clock->period)
        t = (struct slots){SLOT_T2, SLOT_T0 | SLOT_ALTERNATE, clock->spare};
    return t;
}

/* Sets what P is folded into OUT by: its arrival or, if that is later, L's, after `done` other actions. */
static void fold_prefix(struct lane lane[MESSAGES], uint8_t prefix, int done)
{
    bool waits = lane[FROM_LEFT].left && lane[FROM_LEFT].when > lane[FROM_PARENT].when;
    struct act fold = {STEP_FOLD, prefix, SLOT_OUT};
    if (waits)
        lane[FROM_LEFT].after[done] = fold;
    else
        lane[FROM_PARENT].after[0] = fold;
}

static void add_scan(struct lane lane[MESSAGES], struct slots t)
{
    /* IN goes to OUT before the first message that needs it there. */
    static const int order[] = {FROM_LEFT, TO_PARENT, FROM_PARENT, TO_RIGHT};
    bool left = lane[FROM_LEFT].left > 0;
    int first = 0;
    while (lane[order[first]].left == 0)
        first++;
    lane[order[first]].before[0] = (struct act){STEP_COPY, SLOT_IN, SLOT_OUT};

    lane[FROM_LEFT].slot = t.spare;
    lane[FROM_LEFT].after[0] = (struct act){STEP_FOLD, t.spare, SLOT_OUT};
    lane[FROM_RIGHT].slot = t.right;
    lane[TO_PARENT].slot = SLOT_OUT;
    if (lane[FROM_RIGHT].left) {
        lane[TO_PARENT].before[left ? 0 : 1] = (struct act){STEP_FOLD, SLOT_OUT, t.right};
        lane[TO_PARENT].slot = t.right;
    }
    lane[FROM_PARENT].slot = left ? t.prefix : t.spare;
    if (lane[FROM_PARENT].left)
        fold_prefix(lane, lane[FROM_PARENT].slot, 1);
    lane[TO_LEFT].slot = t.prefix;
    lane[TO_RIGHT].slot = SLOT_OUT;
}

/* The message is OUT (+) IN. */
static void send_inclusive(struct lane *lane, uint8_t spare)
{
    lane->before[0] = (struct act){STEP_COPY, SLOT_IN, spare};
    lane->before[1] = (struct act){STEP_FOLD, SLOT_OUT, spare};
    lane->slot = spare;
}

static void add_exscan(struct lane lane[MESSAGES], struct slots t)
{
    bool left = lane[FROM_LEFT].left > 0;
    lane[FROM_LEFT].slot = SLOT_OUT;
    lane[FROM_RIGHT].slot = t.right;
    lane[TO_PARENT].slot = SLOT_IN;
    if (lane[FROM_RIGHT].left) {
        lane[TO_PARENT].before[0] = (struct act){STEP_FOLD, SLOT_IN, t.right};
        if (left)
            lane[TO_PARENT].before[1] = (struct act){STEP_FOLD, SLOT_OUT, t.right};
        lane[TO_PARENT].slot = t.right;
    } else if (left) {
        send_inclusive(&lane[TO_PARENT], t.spare);
    }
    lane[FROM_PARENT].slot = left ? t.prefix : SLOT_OUT;
    if (left && lane[FROM_PARENT].left)
        fold_prefix(lane, t.prefix, 0);
    lane[TO_LEFT].slot = t.prefix;
    lane[TO_RIGHT].slot = SLOT_IN;
    if (left || lane[FROM_PARENT].left)
        send_inclusive(&lane[TO_RIGHT], t.spare);
}

void scan_tree_lanes(const struct scan_tree *tree, const struct scan_clock *clock, struct schedule *s)
{
    const struct shape *shape = &s->shape;
    struct lane lane[MESSAGES] = {0};
    if (clock->blocks == 0)
        return;
    add_messages(lane, tree, clock, shape, s->rank);
    if (shape->collective == COLL_SCAN)
        add_scan(lane, choose_slots(lane, clock));
    else
        add_exscan(lane, choose_slots(lane, clock));
    for (int i = 0; i < MESSAGES; i++)
        schedule_lane(s, lane[i]);
}

/* ---- One tree ------------------------------------------------------------------------------------------------------ */

static int hop(const struct shape *shape, enum scan_hop kind, int x, int parent)
{
    static const int hops[][2] = {[HOP_DOWN] = {1, 2}, [HOP_UP] = {2, 1}, [HOP_TURN] = {1}};
    (void)shape;
    return hops[kind][x > parent];
}

void scan_one_tree(const struct scan_tree *tree, enum scan_way way, struct schedule *s)
{
    const struct scan_clock clock = {.hop = hop,
                                     .period = way,
                                     .origin = 2 * (int64_t)tree->height(&s->shape) - 3,
                                     .delay = way == SCAN_TWO_PHASE ? 2 * (s->shape.blocks - 1) : 0,
                                     .spare = SLOT_T1,
                                     .blocks = s->shape.blocks};
    scan_tree_lanes(tree, &clock, s);
}

struct pace scan_one_tree_pace(const struct scan_tree *tree, enum scan_way way, const struct shape *shape)
{
    int slope = way == SCAN_TWO_PHASE ? 4 : 3;
    return (struct pace){.slope = slope, .latency = shape->ranks > 1 ? 4.0 * tree->height(shape) - 2 - slope : 0};
}
