/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees of places, from paths and from text. */
#include "place_text.h"
#include "suite.h"

enum { TEXT = 400 };

/* Writes a place in the format of places_read(): each list in parentheses, each rank as 1. Returns the end of the text. */
static char *put(char *to, const struct places *t, int row)
{
    if (places_parts(t, row) == 0)
        return to + sprintf(to, "1");
    *to++ = '(';
    for (int part = places_part(row); part < t->place[row].next; part = t->place[part].next) {
        to = put(to, t, part);
        *to++ = t->place[row].line ? '-' : ',';
    }
    to[-1] = ')';
    *to = 0;
    return to;
}

static void check_tree(const struct places *t, const char *wanted, int depth)
{
    char text[TEXT];
    put(text, t, 0);
    ck_assert_str_eq(text, wanted);
    ck_assert_int_eq(t->depth, depth);
    ck_assert_int_eq(places_differ(t), depth > 1);
    for (int row = 0; row < t->rows; row++) {
        const struct place *x = &t->place[row];
        int at = x->first;
        for (int part = places_part(row); part < x->next; at = t->place[part].end, part = t->place[part].next)
            ck_assert_int_eq(t->place[part].first, at);
        ck_assert_int_eq(places_parts(t, row) ? at : x->end, x->end);
        ck_assert(places_parts(t, row) ? places_parts(t, row) > 1 : x->end == x->first + 1);
    }
}

static const struct {
    const char *text, *tree;
    int depth;
} good[] = {
    {"1", "1", 0},
    {"3", "(1,1,1)", 1},
    {"1,1,1", "(1,1,1)", 1},
    {"2,3", "((1,1),(1,1,1))", 2},
    {"1,3", "(1,(1,1,1))", 2},
    {"2x3", "((1,1,1),(1,1,1))", 2},
    {"2x2x2", "(((1,1),(1,1)),((1,1),(1,1)))", 3},
    {"(2x2),(3,1)", "(((1,1),(1,1)),((1,1,1),1))", 3},
    {"2-2-1", "((1,1)-(1,1)-1)", 2},
    {"(2-1),2", "(((1,1)-1),(1,1))", 3},
    {"1x5", "(1,1,1,1,1)", 1},
    {"((3))", "(1,1,1)", 1},
    {"(2-2)", "((1,1)-(1,1))", 2},
};

LOOPED_TEST(texts, COUNT(good))
{
    const char *why;
    struct places *t = places_read(good[_i].text, 100, &why);
    REQUIRE(t, "%s: %s", good[_i].text, why);
    check_tree(t, good[_i].tree, good[_i].depth);
    char text[TEXT], cut[4];
    struct places *again = places_read(places_text(t, text, sizeof text), 100, &why);
    REQUIRE(again, "%s: %s", text, why);
    check_tree(again, good[_i].tree, good[_i].depth);
    if (strlen(text) < sizeof cut)
        ck_assert_str_eq(places_text(t, cut, sizeof cut), text);
    else
        ck_assert_str_eq(places_text(t, cut, sizeof cut) + 1, "..");
    places_free(again);
    places_free(t);
}

static const struct {
    const char *text, *why;
} bad[] = {
    {"", "a number or '(' is missing"},
    {"2,", "a number or '(' is missing"},
    {"2,3-4", "',' and '-' in one list"},
    {"0", "a place without ranks"},
    {"3x0", "a place without ranks"},
    {"101", "too many ranks"},
    {"11x10", "too many ranks"},
    {"60,41", "too many ranks"},
    {"99999999999999999999", "too many ranks"},
    {"(2,2", "')' is missing"},
    {"2)", "the rest is not understood"},
    {"2 ,2", "the rest is not understood"},
    {"2x2x2x2x2x2", "too many levels"},
};

START_TEST(bad_texts)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        const char *why;
        struct places *t = places_read(bad[i].text, 100, &why);
        REQUIRE(!t, "%s is accepted", bad[i].text);
        ck_assert_str_eq(why, bad[i].why);
    }
}

enum { P = 8 };

static const struct {
    int p, depth;
    bool sites;
    int path[2 * P];
    const char *tree;
    int levels;
    int order[P];
    bool moved;
} paths[] = {
    {1, 2, true, {0, 0}, "1", 0, {0}, false},
    {3, 0, false, {0}, "(1,1,1)", 1, {0, 1, 2}, false},
    {4, 1, false, {9, 9, 3, 3}, "((1,1),(1,1))", 2, {0, 1, 2, 3}, false},
    {4, 1, false, {7, 7, 7, 7}, "(1,1,1,1)", 1, {0, 1, 2, 3}, false}, /* a single place around all ranks is left out */
    {4, 1, false, {3, 2, 1, 0}, "(1,1,1,1)", 1, {0, 1, 2, 3}, false},
    {5, 1, false, {1, 0, 1, 0, 1}, "((1,1,1),(1,1))", 2, {0, 2, 4, 1, 3}, true},
    {5, 1, true, {1, 0, 1, 0, 1}, "((1,1,1)-(1,1))", 2, {0, 2, 4, 1, 3}, true},
    /* A place's number counts only inside the enclosing place. The tree leaves out a node that is alone in its site. */
    {6, 2, true, {0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0}, "(((1,1),1)-(1,1,1))", 3, {0, 2, 4, 1, 3, 5}, true},
    {6, 2, false, {0, 0, 1, 1, 2, 2, 0, 1, 1, 2, 2, 1}, "((1,1),(1,1),(1,1))", 2, {0, 3, 1, 4, 2, 5}, true},
    {6, 2, false, {5, 1, 5, 2, 5, 1, 5, 2, 5, 1, 5, 2}, "((1,1,1),(1,1,1))", 2, {0, 2, 4, 1, 3, 5}, true},
};

START_TEST(trees_of_paths)
{
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct places *t = places_of(paths[i].path, paths[i].p, paths[i].depth, paths[i].sites);
        ck_assert_ptr_nonnull(t);
        check_tree(t, paths[i].tree, paths[i].levels);
        ck_assert_int_eq(places_ranks(t), paths[i].p);
        ck_assert_int_eq(t->order != NULL, paths[i].moved);
        for (int at = 0; t->order && at < paths[i].p; at++) {
            ck_assert_int_eq(t->order[at], paths[i].order[at]);
            ck_assert_int_eq(t->position[t->order[at]], at);
        }
        places_free(t);
    }
}

/* The tree of nodes. NULL: there is none, as no inner place has several nodes; "split": .. as places split a node. */
static const struct {
    int p, depth, path[2 * P], nodes, node[P];
    const char *tree;
    int order[P];
} of_nodes[] = {
    {8, 2, {0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 1, 2, 1, 3, 1, 3}, 4, {0, 0, 1, 1, 2, 2, 3, 3}, "((1,1)-(1,1))", {0, 1, 2, 3}},
    {8, 2, {0, 0, 1, 1, 0, 2, 1, 3, 0, 0, 1, 1, 0, 2, 1, 3}, 4, {0, 1, 2, 3, 0, 1, 2, 3}, "((1,1)-(1,1))", {0, 2, 1, 3}},
    {6, 2, {0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 1, 2}, 3, {0, 0, 1, 1, 2, 2}, "(1-(1,1))", {0, 1, 2}},
    {4, 1, {0, 0, 1, 1}, 2, {0, 0, 1, 1}, NULL, {0}},                         /* places are nodes */
    {4, 0, {0}, 2, {0, 1, 0, 1}, NULL, {0}},                                  /* no places */
    {8, 1, {0, 0, 1, 1, 2, 2, 3, 3}, 2, {0, 0, 0, 0, 1, 1, 1, 1}, NULL, {0}}, /* places in nodes */
    {6, 1, {0, 0, 0, 1, 1, 1}, 3, {0, 0, 1, 1, 2, 2}, "split", {0}},          /* half of node 1 is in each place */
    {6, 1, {0, 0, 1, 1, 1, 1}, 2, {0, 0, 0, 0, 1, 1}, "split", {0}},          /* node 0 is a place, and half of another */
    {8, 2, {0, 0, 0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 1, 3, 1, 3}, 4, {0, 0, 0, 1, 2, 2, 3, 3}, "split", {0}},
    {6, 1, {0, 1, 2, 0, 1, 2}, 3, {0, 1, 2, 1, 2, 0}, "split", {0}},
    {6, 1, {0, 0, 0, 1, 1, 1}, 4, {0, 1, 0, 2, 0, 3}, "split", {0}}, /* node 0 has two positions, node 1 has none */
    {4, 1, {0, 0, 1, 1}, 1, {0, 0, 0, 0}, NULL, {0}},
};

START_TEST(trees_of_nodes)
{
    const struct reach reach[] = {{3e-3, 3e-9, 4e-9}, {2e-3, 2e-9, 3e-9}, {1e-3, 1e-9, 2e-9}};
    for (size_t i = 0; i < COUNT(of_nodes); i++) {
        struct places *t = places_of(of_nodes[i].path, of_nodes[i].p, of_nodes[i].depth, true), *of;
        const bool split = of_nodes[i].tree && strcmp(of_nodes[i].tree, "split") == 0;
        ck_assert_ptr_nonnull(t);
        places_set_reach(t, reach, 0.25);
        ck_assert(places_of_nodes(t, of_nodes[i].node, of_nodes[i].nodes, &of));
        ck_assert_int_eq(of != NULL, of_nodes[i].tree && !split);
        ck_assert_int_eq(t->splits_nodes, split);
        if (of) {
            check_tree(of, of_nodes[i].tree, 2);
            ck_assert(of->measured && of->gap == 0.25 && of->reach[0].up == 4e-9 && of->reach[1].alpha == 2e-3);
        }
        for (int at = 0; of && at < of_nodes[i].nodes; at++) {
            ck_assert_int_eq(of->order ? of->order[at] : at, of_nodes[i].order[at]);
            ck_assert_int_eq(of->order ? of->position[of->order[at]] : at, at);
        }
        places_free(of);
        places_free(t);
    }
}

/* The level of two positions is that of the innermost place that has both. The test counts all places that have both. */
START_TEST(levels)
{
    for (size_t i = 0; i < COUNT(good); i++) {
        const char *why;
        struct places *t = places_read(good[i].text, 100, &why);
        ck_assert_ptr_nonnull(t);
        for (int a = 0; a < places_ranks(t); a++)
            for (int b = 0; b < places_ranks(t); b++) {
                int both = 0;
                for (int row = 0; row < t->rows; row++)
                    both += a >= t->place[row].first && a < t->place[row].end && b >= t->place[row].first &&
                            b < t->place[row].end;
                ck_assert(a == b || places_level(t, a, b) == both - 1);
            }
        places_free(t);
    }
}

SUITE("places", 30)
