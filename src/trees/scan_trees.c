/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over pipelined in-order binary trees; doc/scans has the proofs.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, LNCS 4192, Sect. 2.3. The subtree
 * of node v holds the ranks l .. r, and [l..r] is the combination of their inputs. For each block,
 *
 *     up     v sends [l..r] to its parent, unless v is on the right spine (r = p-1)
 *     down   v gets the prefix P = [0..l-1] from its parent, unless v is on the left spine (l = 0). v sends P to its left
 *            child and [0..v] to its right child.
 *
 * L and R are the blocks that come up from the children. The actions of a node:
 *
 *                        scan                                  exclusive scan
 *     L comes            OUT = L (+) IN                        OUT = L
 *     R comes            kept                                  kept
 *     sent up            OUT (+) R, or OUT                     OUT (+) (IN (+) R), or OUT (+) IN
 *     P comes            OUT = P (+) OUT                       OUT = P (+) OUT, or P if there is no left child
 *     sent to the left   P                                     P
 *     sent to the right  OUT                                   OUT (+) IN
 *
 * P comes to v in step D, and v sends up in step U. Let s be the node at which the path from the root to v leaves the right
 * spine, and x the left child of s:
 *
 *     D(v) = origin + the hops down on the path to v
 *     U(v) = D(s) + the turn at x (1, or -1 if x has hop 2) - the hops up on the path from x to v
 *
 * Invariants. OUT is ready when P comes; only at s may P wait for L. R lies in T0 and P in T2, unless the caller names other
 * slots; for a whole period, T0 and T1 by turns. A block needed in one step alone goes through the spare slot.
 */
#include "trees.h"

/* A missing one has a lane without blocks. */
enum { FROM_LEFT, FROM_RIGHT, TO_PARENT, FROM_PARENT, TO_LEFT, TO_RIGHT, MESSAGES };

static void add_message(struct lane *lane, const struct tree_edge *edge, enum leg leg, int64_t when)
{
    if (edge->peer == NOBODY || when == NEVER)
        return;
    *lane = edge->share;
    lane->leg = leg;
    lane->peer = edge->peer;
    lane->when = when;
}

static void add_messages(struct lane lane[MESSAGES], const struct tree_view *x)
{
    const struct tree_edge *parent = &x->parent, *left = &x->child[LEFT], *right = &x->child[RIGHT];
    add_message(&lane[TO_PARENT], parent, LEG_SEND, parent->up);
    add_message(&lane[FROM_PARENT], parent, LEG_RECV, parent->down);
    add_message(&lane[FROM_LEFT], left, LEG_RECV, left->up);
    add_message(&lane[TO_LEFT], left, LEG_SEND, left->down);
    add_message(&lane[FROM_RIGHT], right, LEG_RECV, right->up);
    add_message(&lane[TO_RIGHT], right, LEG_SEND, right->down);
}

/* A block kept for the whole period takes two slots. */
static struct scan_slots choose_slots(const struct lane lane[MESSAGES], struct scan_slots t, int64_t period)
{
    const uint8_t by_turns = t.right | SLOT_ALTERNATE;
    if (lane[TO_LEFT].left && lane[TO_LEFT].when - lane[FROM_PARENT].when == period)
        return (struct scan_slots){t.prefix, by_turns, t.spare};
    if (lane[FROM_RIGHT].left && lane[TO_PARENT].when - lane[FROM_RIGHT].when == period)
        t.right = by_turns;
    return t;
}

/* Folds P into OUT when P and L have come; the fold follows L and `done` other actions. */
static void fold_prefix(struct lane lane[MESSAGES], uint8_t prefix, int done)
{
    bool waits = lane[FROM_LEFT].left && lane[FROM_LEFT].when > lane[FROM_PARENT].when;
    struct act fold = {STEP_FOLD, prefix, SLOT_OUT};
    if (waits)
        lane[FROM_LEFT].after[done] = fold;
    else
        lane[FROM_PARENT].after[0] = fold;
}

static void add_scan(struct lane lane[MESSAGES], struct scan_slots t)
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

static void send_inclusive(struct lane *lane, uint8_t spare)
{
    lane->before[0] = (struct act){STEP_COPY, SLOT_IN, spare};
    lane->before[1] = (struct act){STEP_FOLD, SLOT_OUT, spare};
    lane->slot = spare;
}

static void add_exscan(struct lane lane[MESSAGES], struct scan_slots t)
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

void tree_scan(struct schedule *s, const struct tree_view *x, struct scan_slots slots)
{
    struct lane lane[MESSAGES] = {{.left = 0}};
    if (x->parent.share.left == 0)
        return;
    add_messages(lane, x);
    slots = choose_slots(lane, slots, x->parent.share.period);
    if (s->shape.collective == COLL_SCAN)
        add_scan(lane, slots);
    else
        add_exscan(lane, slots);
    for (int i = 0; i < MESSAGES; i++)
        schedule_lane(s, lane[i]);
}

/* ---- One tree ------------------------------------------------------------------------------------------------------ */

static int tree_of(const struct trees *x, const struct shape *shape)
{
    return x->nodes ? shape->node_ranks : TREE_U;
}

void scan_one_tree(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const struct family *f = s->trees->family;
    const int t = tree_of(s->trees, shape), way = s->trees->way;
    const struct gait gait = {2 * (int64_t)f->height(shape->ranks, t) - 3, .down = {1, 2}, .up = {2, 1}};
    struct tree_view x = tree_scan_view(f, &gait, shape->ranks, t, s->rank);
    struct tree_edge *const edges[] = {&x.parent, &x.child[LEFT], &x.child[RIGHT]};
    for (int i = 0; i < 3 && way == SCAN_TWO_PHASE; i++)
        edges[i]->down += edges[i]->down == NEVER ? 0 : 2 * (shape->blocks - 1);
    tree_share_out(&x, tree_share(shape, way, 1, 0));
    tree_scan(s, &x, (struct scan_slots){SLOT_T0, SLOT_T2, SLOT_T1});
}

struct round_bound scan_one_tree_round_bound(const struct trees *x, const struct shape *shape)
{
    int slope = x->way == SCAN_TWO_PHASE ? 4 : 3;
    double latency = shape->ranks > 1 ? 4.0 * x->family->height(shape->ranks, tree_of(x, shape)) - 2 - slope : 0;
    return (struct round_bound){.slope = slope, .latency = latency};
}
