/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places-tree: scans over one binary tree that keeps places together.
 *
 * The tree is new, to our knowledge. Its schedule is that of scan_trees.c, both phases at once: P. Sanders, J. L. Traeff,
 * "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.3.
 *
 * A place acts as a node of a tree: its ranks form a subtree but for two exits. What is left of the place in the whole
 * tree hangs below its first rank, what is right of it below its last one. single(X, L, R) is the tree of the place X with
 * the parts Y1 .. Yk and the exits L and R, either of which may be none. U is the in-order tree of two_tree.c, of which
 * each part is a node, and "a -> (l, r)" gives the part a these exits.
 *
 *     neither     U over Y1 .. Yk
 *     L           Y1 -> (L, U over Y2 .. Yk)
 *     R           Yk -> (U over Y1 .. Yk-1, R)
 *     both        Y1 -> (L, Yk), Yk -> (U over Y2 .. Yk-1, R)
 *     sites       where the parts are in a line, with any exits: Y1 -> (L, Y2), Yi -> (none, Yi+1), Yk -> (none, R)
 *
 * A rank with its exits is a node with its children. So P places of one level have P-1 edges between them, with a message in
 * either direction at most. Where all parts of all are sites, each site has its exit at its last rank, which is its root:
 * all these ranks are on the right spine, and nothing goes back to a site before.
 *
 * Rounds: 4H - 5 + 3n, where H is the height of the tree. For 16, 64, 256 nodes of 16, 16, 64 ranks it is 11, 15, 21.
 *
 * Example, p = 7 in the places 0 1 | 2 3 4 | 5 6, of which the second is U's root and has both exits, at 2 and 4:
 *
 *              2
 *          1       4
 *        0       3   6
 *                   5
 *
 * Scan, n = 2; the block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7    8    9   10   11
 *     rank 0            -/0            -/1
 *     rank 1            0/-       -/0  1/-       -/1
 *     rank 2                      0/-  -/0       1/-  -/1
 *     rank 3                                0/0            1/1
 *     rank 4                           0/-  0/0  -/0  1/-  1/1  -/1
 *     rank 5                                          0/0            1/1
 *     rank 6                                     0/-  0/0       1/-  1/1
 */
#include "places_tree.h"

#include "two_tree.h"

#include <stdlib.h>

/* ---- The tree -------------------------------------------------------------------------------------------------------- */

/* A tree in the making. */
struct maker {
    const struct places *places;
    struct tree_node *node;
};

static void hang(struct maker *m, int parent, int side, int child)
{
    if (child >= 0) {
        m->node[parent].child[side] = child;
        m->node[child].parent = parent;
    }
}

/* Hangs the roots of what is left and right of a place, -1 for none, below its outermost ranks. */
static void hang_at_exits(struct maker *m, int row, int left, int right)
{
    hang(m, m->places->place[row].first, LEFT, left);
    hang(m, m->places->place[row].end - 1, RIGHT, right);
}

static int single(struct maker *m, int row, bool left, bool right);

/*
 * The subtree of node x of the tree U over `count` parts. *row is that of its leftmost part, and then of what follows its
 * rightmost one. Returns the rank at its root, or -1 if x is none.
 */
static int over(struct maker *m, int count, int x, int *row)
{
    int child[2];
    if (x < 0)
        return -1;
    two_tree_children(count, TREE_U, x, child);
    int left = over(m, count, child[LEFT], row), own = *row;
    *row = m->places->place[own].next;
    int right = over(m, count, child[RIGHT], row);
    int root = single(m, own, left >= 0, right >= 0);
    hang_at_exits(m, own, left, right);
    return root;
}

/* The tree of a place whose parts are sites. */
static int in_a_line(struct maker *m, int row, bool left, bool right)
{
    const struct place *place = m->places->place;
    int first = places_part(row), end = place[row].next;
    int root = single(m, first, left, true);
    for (int before = first, part; (part = place[before].next) < end; before = part)
        hang_at_exits(m, before, -1, single(m, part, false, right || place[part].next < end));
    return root;
}

/* The tree of a place with these exits. Returns the rank at its root; what hangs at the exits is up to the caller. */
static int single(struct maker *m, int row, bool left, bool right)
{
    const struct place *place = m->places->place;
    int first = places_part(row), count = places_parts(m->places, row) - left - right;
    if (place[row].next == first)
        return place[row].first;
    if (place[row].line)
        return in_a_line(m, row, left, right);
    int part = left ? place[first].next : first;
    int root = over(m, count, count > 0 ? two_tree_root(count, TREE_U) : -1, &part);
    if (right) { /* the part that is left, the last one */
        int rest = root;
        root = single(m, part, rest >= 0, true);
        hang_at_exits(m, part, rest, -1);
    }
    if (left) {
        int rest = root;
        root = single(m, first, true, true);
        hang_at_exits(m, first, -1, rest);
    }
    return root;
}

/* Edges from a node up to another, or, for -1, one more than to the root. */
static int hops(const struct tree_node *node, int below, int above)
{
    int count = 0;
    for (; below != above; below = node[below].parent)
        count++;
    return count;
}

/* The tree is in-order: x+1 is leftmost below x's right child, or x is rightmost below x+1's left one. */
static int greatest_depth(const struct tree_node *node, int p)
{
    int depth = hops(node, 0, -1) - 1, most = depth;
    for (int x = 0; x + 1 < p; x++) {
        depth += node[x].child[RIGHT] >= 0 ? hops(node, x + 1, x) : -hops(node, x, x + 1);
        most = depth > most ? depth : most;
    }
    return most;
}

struct places_tree *places_tree_of(const struct places *places)
{
    int p = places_ranks(places);
    struct places_tree *t = malloc(sizeof *t + (size_t)p * sizeof t->node[0]);
    if (!t)
        return NULL;
    struct maker maker = {places, t->node};
    for (int x = 0; x < p; x++)
        t->node[x] = (struct tree_node){.parent = -1, .child = {-1, -1}};
    single(&maker, 0, false, false);
    t->height = greatest_depth(t->node, p);
    return t;
}

/* ---- The engine ------------------------------------------------------------------------------------------------------ */

static int parent(const struct shape *s, int x)
{
    return s->places->tree->node[x].parent;
}

static void children(const struct shape *s, int x, int child[2])
{
    const struct tree_node *node = &s->places->tree->node[x];
    child[LEFT] = node->child[LEFT];
    child[RIGHT] = node->child[RIGHT];
}

static int height(const struct shape *s)
{
    return s->places->tree->height;
}

static const struct scan_tree tree = {parent, children, height};

/* Ranks in the order of positions: a scan takes no other. */
static bool fits(const struct shape *s)
{
    return s->places && places_differ(s->places) && !s->places->order;
}

static void generate(struct schedule *s)
{
    scan_one_tree(&tree, SCAN_DOUBLY, s);
}

static struct pace pace(const struct shape *s)
{
    return scan_one_tree_pace(&tree, SCAN_DOUBLY, s);
}

#define SCAN                                                                                                                \
    .text.rounds = "4H-5+3n", .text.needs = "places of consecutive ranks", .fits = fits, .pace = pace, .generate = generate

const struct engine engine_places_tree = {
    .name = "places-tree",
    .summary = "one tree that keeps places together, blocks up and down at once",
    .trees = 1,
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
