/* SPDX-License-Identifier: BSD-2-Clause */
/* The layout of ranks on nodes: node numbers give facts of the machine, and an order of the ranks by nodes. */
#include "layout.h"
#include "suite.h"

enum { MOST = 12 };

static const struct {
    int p, node[MOST];
    int nodes, node_ranks;
    bool gathered, consecutive;
    int order[MOST];
} table[] = {
    {1, {0}, 1, 1, true, true, {0}},
    {4, {0, 0, 0, 0}, 1, 4, true, true, {0, 1, 2, 3}},
    {4, {0, 1, 2, 3}, 4, 1, true, true, {0, 1, 2, 3}},
    {4, {9, 7, 5, 3}, 4, 1, true, true, {0, 1, 2, 3}}, /* nodes may have any numbers */
    {6, {0, 0, 2, 2, 4, 4}, 3, 2, true, true, {0, 1, 2, 3, 4, 5}},
    {5, {0, 0, 2, 2, 4}, 3, 2, true, true, {0, 1, 2, 3, 4}},  /* a short last node */
    {5, {0, 1, 1, 3, 3}, 3, 2, true, false, {0, 1, 2, 3, 4}}, /* a short first node */
    {6, {0, 0, 2, 3, 3, 3}, 3, 3, true, false, {0, 1, 2, 3, 4, 5}},
    {6, {5, 5, 5, 1, 1, 1}, 2, 3, true, true, {0, 1, 2, 3, 4, 5}}, /* descending numbers */
    {6, {0, 1, 0, 1, 0, 1}, 2, 3, false, false, {0, 2, 4, 1, 3, 5}},
    {6, {1, 0, 1, 0, 1, 0}, 2, 3, false, false, {0, 2, 4, 1, 3, 5}}, /* nodes in the order of their lowest ranks */
    {7, {0, 1, 2, 0, 1, 2, 0}, 3, 3, false, false, {0, 3, 6, 1, 4, 2, 5}},
    {5, {3, 3, 8, 3, 8}, 2, 3, false, false, {0, 1, 3, 2, 4}},
};

LOOPED_TEST(layouts, COUNT(table))
{
    struct machine m = {.oversubscribed = 2, .measured = true};
    int order[MOST];
    ck_assert(layout_of(table[_i].node, table[_i].p, &m, order));
    ck_assert_int_eq(m.nodes, table[_i].nodes);
    ck_assert_int_eq(m.node_ranks, table[_i].node_ranks);
    ck_assert_int_eq(m.gathered, table[_i].gathered);
    ck_assert_int_eq(m.consecutive, table[_i].consecutive);
    for (int i = 0; i < table[_i].p; i++)
        ck_assert_int_eq(order[i], table[_i].order[i]);
    ck_assert(m.oversubscribed && m.measured); /* the layout leaves these alone */
}

/*
 * For random node numbers, the order has each rank once and the ranks of a node together. If `consecutive` is true, the
 * quotient r / node_ranks tells the node of rank r.
 */
START_TEST(random_layouts)
{
    enum { P = 200 };
    int node[P], order[P];
    srandom(1);
    for (int turn = 0; turn < 2000; turn++) {
        int p = 1 + (int)(random() % P), kinds = 1 + (int)(random() % 20), seen[P] = {0};
        struct machine m = {0};
        for (int r = 0; r < p; r++)
            node[r] = turn % 3 ? (int)(random() % kinds) : r / kinds;
        ck_assert(layout_of(node, p, &m, order));
        bool straight = true;
        for (int i = 0; i < p; i++) {
            seen[order[i]]++;
            for (int j = i + 2; j < p; j++) /* the ranks of a node follow each other */
                if (node[order[j]] == node[order[i]])
                    REQUIRE(node[order[j - 1]] == node[order[i]], "turn %d: node %d is parted", turn, node[order[i]]);
            straight = straight && (i == 0 || (node[i] == node[i - 1]) == (i / m.node_ranks == (i - 1) / m.node_ranks));
        }
        for (int r = 0; r < p; r++)
            REQUIRE(seen[r] == 1, "turn %d: rank %d comes %d times", turn, r, seen[r]);
        if (turn % 3 == 0)
            ck_assert(m.consecutive && m.node_ranks == (kinds < p ? kinds : p));
        ck_assert(!m.consecutive || straight);
        ck_assert(m.gathered || !m.consecutive);
    }
}

SUITE("layout", 60)
