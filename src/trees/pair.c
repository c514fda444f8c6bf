/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hierarchical pair: two trees over places. Every boundary carries the message once in and at most once out. The
 * construction is ours, from the in-order trees U and V of Sanders, Speck and Traeff (shift_trees.c); doc/places derives it.
 *
 * Each tree enters a place by one edge. At most two edges leave it in both trees: its exits, at its first and last part. At
 * every level the pair is over the parts; the edges that leave a part are its exits, a rank's are its children.
 *
 * The parts are Y1 .. Yk. T is the tree of the only exit, or of the left exit, and O the other tree. In a row, mid is a pair
 * over the other parts, T its unshifted tree. "a -> (l, r)" gives part a these exits, "Y left of mid's first" hangs Y at the
 * left exit of mid's first part.
 *
 *     exits      tree T                                         tree O
 *     none       mid over all                                   mid over all
 *     both in T  Y1 -> (exit, Yk), Yk -> (mid, exit)            mid; Y1 left of its first, Yk right of its last
 *     T and O    Y1 -> (exit, mid); Yk right of mid's last      Yk -> (mid, exit); Y1 left of mid's first
 *     left, T    Y1 -> (exit, mid)                              mid; Y1 left of its first
 *     right, T   Yk -> (mid, exit)                              mid; Yk right of its last
 *
 * Exits lead to places until all trees are built, as they may form circles. In a line, each place hands both trees on to the
 * next. Scans take T alone, with all exits; see places_tree.c.
 *
 * Invariant: unless the view heeds lines, both trees are in-order in the view.
 */
#include "pair.h"

#include <assert.h>

/* An order of the positions: their own, the reverse, or with the root's place in front at every level. */
struct pair_view {
    struct tree_pair *b;
    const struct places *t;
    int front; /* the rank in front, or NOBODY */
    bool mirrored;
    bool lines;
    bool single; /* U alone */
    int made_up;
    int parts;
    int placed;
};

static const struct exit none = {NOBODY, 0};

static int open_parts(struct pair_view *v, int row)
{
    struct pair_part *part = v->b->part + v->parts;
    int k = 0;
    for (int y = places_part(row); y < v->t->place[row].next; y = v->t->place[y].next)
        part[k++] = (struct pair_part){y, {none, none}};
    v->parts += k;
    for (int i = 0; v->mirrored && i < k / 2; i++) {
        int row_of_last = part[k - 1 - i].row;
        part[k - 1 - i].row = part[i].row;
        part[i].row = row_of_last;
    }
    for (int i = k - 1; v->front != NOBODY && i > 0; i--)
        if (places_has(v->t, part[i].row, v->front)) {
            int row_of_root = part[i].row;
            for (; i > 0; i--)
                part[i].row = part[i - 1].row;
            part[0].row = row_of_root;
        }
    return k;
}

/* Until all trees are built, a child is the row of a place. */
static void tie(struct pair_view *v, int row, struct exit left, struct exit right)
{
    int rank = v->t->place[row].first;
    const struct exit exit[2] = {left, right};
    for (int side = LEFT; side <= RIGHT; side++)
        if (exit[side].to != NOBODY)
            v->b->node[rank].child[exit[side].tree][v->mirrored ? !side : side] = exit[side].to;
    v->b->order[v->placed++] = rank;
}

static void lead(const struct pair_view *v, struct pair_part *part, int side, int tree, int to)
{
    if (v->single && tree == TREE_V)
        return;
    assert(part->exit[side].to == NOBODY);
    part->exit[side] = (struct exit){to, tree};
}

/* The pair over m parts, unshifted in `tree`. root[]: rows of the parts with the roots; NOBODY if m = 0. */
static void lead_mid(const struct pair_view *v, struct pair_part *part, int m, int tree, int root[2])
{
    for (int t = TREE_U; t <= TREE_V; t++) {
        int mine = t == TREE_U ? tree : 1 - tree, child[2];
        root[mine] = m > 0 ? part[two_tree_root(m, t)].row : NOBODY;
        for (int x = 0; x < m; x++) {
            two_tree_children(m, t, x, child);
            for (int side = LEFT; side <= RIGHT; side++)
                if (child[side] >= 0)
                    lead(v, &part[x], side, mine, part[child[side]].row);
        }
    }
}

/* By the table above, for k >= 2 parts. */
static void lead_pair(const struct pair_view *v, struct pair_part *part, int k, struct exit left, struct exit right,
                      int root[2])
{
    const bool has_left = left.to != NOBODY, has_right = right.to != NOBODY, both = has_left && has_right;
    const bool same = both && left.tree == right.tree;
    struct pair_part *first = part, *last = part + k - 1, *mid = part + has_left;
    const int m = k - has_left - has_right, T = has_left ? left.tree : has_right ? right.tree : TREE_U, O = 1 - T;
    int roots[2];
    lead_mid(v, mid, m, T, roots);
    root[T] = has_left ? first->row : has_right ? last->row : roots[T];
    root[O] = both && (m == 0 || !same) ? last->row : roots[O];
    if (has_left) {
        lead(v, first, LEFT, T, left.to);
        lead(v, first, RIGHT, T, m == 0 || same ? last->row : roots[T]);
    }
    if (has_right) {
        lead(v, last, LEFT, m == 0 ? O : right.tree, m == 0 ? first->row : roots[right.tree]);
        lead(v, last, RIGHT, right.tree, right.to);
    }
    if (has_left && m > 0)
        lead(v, mid, LEFT, O, first->row);
    if (has_right && m > 0)
        lead(v, mid + m - 1, RIGHT, 1 - right.tree, last->row);
}

static void lead_line(const struct pair_view *v, struct pair_part *part, int k, struct exit left, struct exit right,
                      int root[2])
{
    for (int i = 0; i < k - 1; i++) {
        lead(v, &part[i], v->single ? RIGHT : LEFT, TREE_U, part[i + 1].row);
        lead(v, &part[i], RIGHT, TREE_V, part[i + 1].row);
    }
    part[v->single ? 0 : k - 1].exit[LEFT] = left;
    part[k - 1].exit[RIGHT] = right;
    root[TREE_U] = root[TREE_V] = part[0].row;
}

static void pair(struct pair_view *v, int row, struct exit left, struct exit right);

static void pair_parts(struct pair_view *v, int place, struct pair_part *part, int k, bool line, struct exit left,
                       struct exit right)
{
    if (k == 1 || (line && v->lines))
        lead_line(v, part, k, left, right, v->b->entry[place]);
    else
        lead_pair(v, part, k, left, right, v->b->entry[place]);
    for (int i = 0; i < k; i++)
        pair(v, part[i].row, part[i].exit[LEFT], part[i].exit[RIGHT]);
}

static int make_up(struct pair_view *v)
{
    assert(v->made_up < TREE_PAIR_DEPTH);
    return v->t->rows + v->made_up++;
}

/* If the rank in front lies there, it is the source. */
static void pair(struct pair_view *v, int row, struct exit left, struct exit right)
{
    if (places_single(v->t, row)) {
        tie(v, row, left, right);
        return;
    }
    struct pair_part *part = v->b->part + v->parts;
    const bool around = places_has(v->t, row, v->front);
    const int k = open_parts(v, row), own = part[0].row, rest = around ? make_up(v) : row;
    pair_parts(v, rest, part + around, k - around, v->t->place[row].line, left, right);
    v->parts -= k;
    if (around)
        pair(v, own, (struct exit){rest, TREE_U}, (struct exit){rest, TREE_V});
}

/*
 * A place whose first rank is the source; `right`, in V, is the only exit of its other ranks. Returns the place fed in U,
 * sets *feed_v to that in V.
 */
static int pair_behind(struct pair_view *v, int row, struct exit right, int *feed_v)
{
    if (places_single(v->t, row)) {
        *feed_v = right.to;
        v->b->order[v->placed++] = v->t->place[row].first;
        return NOBODY;
    }
    struct pair_part *part = v->b->part + v->parts;
    int k = open_parts(v, row), rest = make_up(v);
    int feed_u = pair_behind(v, part[0].row, (struct exit){rest, TREE_V}, feed_v);
    pair_parts(v, rest, part + 1, k - 1, false, (struct exit){feed_u, TREE_U}, right);
    v->parts -= k;
    return rest;
}

/* Replaces children that are rows by the roots of the trees there. */
static void resolve(struct pair_view *v, int rank)
{
    for (int t = TREE_U; t <= TREE_V; t++)
        for (int side = LEFT; side <= RIGHT; side++) {
            int *child = &v->b->node[rank].child[t][side], row = *child;
            if (row == NOBODY)
                continue;
            while (row >= v->t->rows || !places_single(v->t, row))
                row = v->b->entry[row][t];
            *child = v->t->place[row].first;
        }
}

static void weave_behind(struct pair_view *v, int row)
{
    const struct place *place = &v->t->place[row];
    int feed[2], source;
    v->placed = place->first;
    feed[TREE_U] = pair_behind(v, row, none, &feed[TREE_V]);
    source = v->b->order[place->first];
    for (int t = TREE_U; t <= TREE_V; t++)
        v->b->node[source].child[t][v->mirrored ? LEFT : RIGHT] = feed[t];
    for (int rank = place->first; rank < place->end; rank++)
        resolve(v, rank);
}

void pair_sites(struct tree_pair *b, const struct places *t, bool at_its_end)
{
    for (int row = places_part(0); row < t->rows; row = t->place[row].next)
        weave_behind(&(struct pair_view){.b = b, .t = t, .front = NOBODY, .mirrored = at_its_end}, row);
}

void pair_first(struct tree_pair *b, const struct places *t, int root)
{
    weave_behind(&(struct pair_view){.b = b, .t = t, .front = root}, 0);
    tree_pair_down(b);
}

void pair_last(struct tree_pair *b, const struct places *t, int root)
{
    assert(root == b->ranks - 1);
    (void)root;
    weave_behind(&(struct pair_view){.b = b, .t = t, .front = NOBODY, .mirrored = true}, 0);
    tree_pair_down(b);
}

static void weave_all(struct pair_view *v)
{
    pair(v, 0, none, none);
    for (int rank = 0; rank < v->b->ranks; rank++)
        resolve(v, rank);
}

void pair_line(struct tree_pair *b, const struct places *t, int root)
{
    weave_all(&(struct pair_view){.b = b, .t = t, .front = root, .lines = true});
    for (int rank = 0; rank < b->ranks; rank++)
        b->order[rank] = rank;
    tree_pair_down(b);
}

void pair_all(struct tree_pair *b, const struct places *t, int root)
{
    (void)root;
    weave_all(&(struct pair_view){.b = b, .t = t, .front = NOBODY});
    tree_pair_colour(b);
}

void pair_single(struct tree_pair *b, const struct places *t, int root)
{
    (void)root;
    weave_all(&(struct pair_view){.b = b, .t = t, .front = NOBODY, .lines = true, .single = true});
    tree_pair_join(b);
}
