/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The schedule of scans over pipelined in-order binary trees; see scan_trees.h. doc/scans has the proofs.
 *
 * P. Sanders, J. L. Traeff, "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, LNCS 4192, Sect. 2.3. The
 * subtree of node v holds the ranks l .. r, and [l..r] is the combination of their inputs. For each block,
 *
 *     up     v sends [l..r] to its parent, unless v is on the right spine (r = p-1)
 *     down   v gets the prefix P = [0..l-1] from its parent, unless v is on the left spine (l = 0). It sends P to its left
 *            child and [0..v] to its right child.
 *
 * L and R are the blocks that come up from the children. A node acts on its messages so:
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
 * except at s: there P may come before L, and waits in its slot. R lies in T0 and P in T2, unless the caller names other
 * slots. A block that is kept for the whole period is sent while the next one comes in. If that is R, it takes T0 and T1 by
 * turns; if it is P, P takes T0 and T1, and R lies in T2. A block that is needed in one step alone goes through the spare
 * slot. The exclusive scan reads IN after it writes OUT, hence `keeps_input`.
 */
#include "scan_trees.h"

#include "two_tree.h"

/* A node's messages. If a node lacks one of them, the lane has no blocks left. */
enum { FROM_LEFT, FROM_RIGHT, TO_PARENT, FROM_PARENT, TO_LEFT, TO_RIGHT, MESSAGES };

struct slots {
    uint8_t right, prefix, spare; /* for R, for P, and for blocks that are needed in one step alone */
};

/* A node's steps U and D, and whether it sends up and gets a prefix at all. */
struct moment {
    int64_t up, down;
    bool sends_up, has_prefix;
};

static struct moment moment(const struct scan_tree *tree, const struct scan_clock *clock, const struct shape *shape, int x)
{
    struct moment v = {.down = clock->origin};
    int64_t climbed = 0; /* hops up from v to x */
    int64_t fallen = 0;  /* hops down from x to s, the parent of the last left child on the way so far */
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

/* A rank's edges to its parent and its children. The steps of its children follow from its own. */
static struct scan_edges edges_of(const struct scan_tree *tree, const struct scan_clock *clock, const struct shape *shape,
                                  int x)
{
    const struct moment v = moment(tree, clock, shape, x);
    struct scan_edges e = {{tree->parent(shape, x), -1, -1}, {-1, -1, -1}, {-1, -1, -1}};
    int64_t down = v.down + clock->delay;
    int child[2];
    tree->children(shape, x, child);
    int left = e.left.peer = child[LEFT], right = e.right.peer = child[RIGHT];

    if (v.sends_up)
        e.parent.up = v.up;
    if (v.has_prefix)
        e.parent.down = down;
    if (left >= 0)
        e.left.up = v.sends_up ? v.up - clock->hop(shape, HOP_UP, left, x) : v.down + clock->hop(shape, HOP_TURN, left, x);
    if (left >= 0 && v.has_prefix)
        e.left.down = down + clock->hop(shape, HOP_DOWN, left, x);
    if (right >= 0 && v.sends_up)
        e.right.up = v.up - clock->hop(shape, HOP_UP, right, x);
    if (right >= 0)
        e.right.down = down + clock->hop(shape, HOP_DOWN, right, x);
    return e;
}

static void add_message(struct lane *lane, const struct scan_share *share, enum leg leg, int peer, int64_t when)
{
    if (when >= 0)
        *lane = (struct lane){
            .leg = leg, .peer = peer, .when = when, .period = share->period, .block = share->block, .left = share->blocks};
}

/* Adds all messages, without slots and actions. */
static void add_messages(struct lane lane[MESSAGES], const struct scan_edges *e, const struct scan_share *share)
{
    add_message(&lane[TO_PARENT], share, LEG_SEND, e->parent.peer, e->parent.up);
    add_message(&lane[FROM_PARENT], share, LEG_RECV, e->parent.peer, e->parent.down);
    add_message(&lane[FROM_LEFT], share, LEG_RECV, e->left.peer, e->left.up);
    add_message(&lane[TO_LEFT], share, LEG_SEND, e->left.peer, e->left.down);
    add_message(&lane[FROM_RIGHT], share, LEG_RECV, e->right.peer, e->right.up);
    add_message(&lane[TO_RIGHT], share, LEG_SEND, e->right.peer, e->right.down);
}

static struct slots choose_slots(const struct lane lane[MESSAGES], const struct scan_share *share)
{
    struct slots t = {share->right, share->prefix, share->spare};
    if (lane[FROM_RIGHT].left && lane[TO_PARENT].when - lane[FROM_RIGHT].when == share->period)
        t.right = share->right | SLOT_ALTERNATE;
    if (lane[TO_LEFT].left && lane[TO_LEFT].when - lane[FROM_PARENT].when == share->period)
        t = (struct slots){share->prefix, share->right | SLOT_ALTERNATE, share->spare};
    return t;
}

/* Folds P into OUT when P has come in. If L comes in later, the fold follows L and `done` other actions. */
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

void scan_edge_lanes(const struct scan_edges *edges, const struct scan_share *share, struct schedule *s)
{
    struct lane lane[MESSAGES] = {0};
    if (share->blocks == 0)
        return;
    add_messages(lane, edges, share);
    if (s->shape.collective == COLL_SCAN)
        add_scan(lane, choose_slots(lane, share));
    else
        add_exscan(lane, choose_slots(lane, share));
    for (int i = 0; i < MESSAGES; i++)
        schedule_lane(s, lane[i]);
}

void scan_tree_lanes(const struct scan_tree *tree, const struct scan_clock *clock, struct schedule *s)
{
    const struct scan_edges edges = edges_of(tree, clock, &s->shape, s->rank);
    const struct scan_share share = {.period = clock->period,
                                     .right = SLOT_T0,
                                     .prefix = SLOT_T2,
                                     .spare = clock->spare,
                                     .block = clock->block,
                                     .blocks = clock->blocks};
    scan_edge_lanes(&edges, &share, s);
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

struct round_bound scan_one_tree_round_bound(const struct scan_tree *tree, enum scan_way way, const struct shape *shape)
{
    int slope = way == SCAN_TWO_PHASE ? 4 : 3;
    return (struct round_bound){.slope = slope, .latency = shape->ranks > 1 ? 4.0 * tree->height(shape) - 2 - slope : 0};
}
