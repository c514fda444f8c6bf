/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees of places, from paths, from text, and from files that name the places of hosts and ranks; the layout of nodes. */
#include "layout.h"
#include "place_text.h"
#include "placefile.h"
#include "suite.h"

/* ---- Trees ------------------------------------------------------------------------------------------------------------ */

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
    {"", "a number or '(' is missing"}, {"2,", "a number or '(' is missing"}, {"2,3-4", "',' and '-' in one list"},
    {"0", "a group without ranks"},     {"3x0", "a group without ranks"},     {"101", "too many ranks"},
    {"11x10", "too many ranks"},        {"60,41", "too many ranks"},          {"99999999999999999999", "too many ranks"},
    {"(2,2", "')' is missing"},         {"2)", "the rest is not understood"}, {"2 ,2", "the rest is not understood"},
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

/* ---- Files ------------------------------------------------------------------------------------------------------------ */

#define OWN PLACE_OWN

static const char sample[] = "# a comment\n"
                             "\n"
                             "node17 paris/rack3 # behind a line\n"
                             "  node18\tparis/rack4\r\n"
                             "node19 lyon/rack3\n"
                             "node20.lyon.org lyon\n"
                             "rank 2-3,9 nancy/a/b\n"
                             "node17 lyon\n"
                             "rank all paris/rack3";

/* Places are numbered as the file names them: paris 0, its rack3 1, rack4 2, lyon 3, its rack3 4, nancy 5, a 6, b 7. */
static const struct {
    const char *host;
    int rank, path[PLACE_NAMES];
} where[] = {
    {"node17", 0, {0, 1, OWN}},   {"node17.paris.org", 2, {0, 1, OWN}}, /* the first line that fits a host counts */
    {"node18", 0, {0, 2, OWN}},   {"node19", 0, {3, 4, OWN}},           {"node20.lyon.org", 0, {3, OWN, OWN}},
    {"node20", 0, {3, OWN, OWN}}, {"node20.paris.org", 3, {5, 6, 7}},   {"node1", 9, {5, 6, 7}},
    {"node1", 8, {0, 1, OWN}},
};

START_TEST(paths)
{
    int line, path[PLACE_NAMES];
    char why[256];
    struct placefile *f = placefile_parse(sample, &line, why, sizeof why);
    REQUIRE(f, "%d: %s", line, why);
    ck_assert_int_eq(placefile_places(f), 8);
    ck_assert(!placefile_sites(f));
    for (size_t i = 0; i < COUNT(where); i++) {
        placefile_path(f, where[i].host, where[i].rank, path);
        REQUIRE(memcmp(path, where[i].path, sizeof path) == 0, "%s, rank %d: %d, %d, %d", where[i].host, where[i].rank,
                path[0], path[1], path[2]);
    }
    placefile_free(f);
}

START_TEST(hosts_without_a_line)
{
    static const char *const texts[] = {"", "sites", "sites # far\n\n", "node paris\nrank 3 lyon\n"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        int line, path[PLACE_NAMES];
        char why[256];
        struct placefile *f = placefile_parse(texts[i], &line, why, sizeof why);
        REQUIRE(f, "%s: %d: %s", texts[i], line, why);
        ck_assert_int_eq(placefile_sites(f), i == 1 || i == 2);
        placefile_path(f, "other", 4, path);
        for (int level = 0; level < PLACE_NAMES; level++)
            ck_assert_int_eq(path[level], PLACE_OWN);
        placefile_free(f);
    }
}

static const struct {
    const char *text;
    int line;
    const char *why;
} bad_files[] = {
    {"node17", 1, "'node17' has no group"},
    {"a b\n\nnode17 # paris\n", 3, "'node17' has no group"},
    {"sites 3-4", 0, ""}, /* a host may have that name */
    {"rank 0-3", 1, "'0-3' has no group"},
    {"rank x paris", 1, "'x' is not a list of ranks and ranges such as 0-3,8"},
    {"rank 3-1 paris", 1, "'3-1' is not a list of ranks and ranges such as 0-3,8"},
    {"a b\nrank paris", 2, "'paris' is not a list of ranks and ranges such as 0-3,8"},
    {"node17 paris rack3", 1, "the line has 'rack3' behind the group"},
    {"rank 0 paris rack3", 1, "the line has 'rack3' behind the group"},
    {"node17 paris/", 1, "a group has no name"},
    {"node17 /paris", 1, "a group has no name"},
    {"node17 a//b", 1, "a group has no name"},
    {"node17 a/b/c", 0, ""},
    {"node17 a/b/c/d", 1, "more than 3 groups are nested"},
    {"a\033b", 1, "'a?b' has no group"},
};

START_TEST(bad_lines)
{
    for (size_t i = 0; i < COUNT(bad_files); i++) {
        int line;
        char why[256] = "";
        struct placefile *f = placefile_parse(bad_files[i].text, &line, why, sizeof why);
        REQUIRE(!f == (bad_files[i].line > 0), "%s: %d: %s", bad_files[i].text, line, why);
        if (!f) {
            ck_assert_int_eq(line, bad_files[i].line);
            ck_assert_str_eq(why, bad_files[i].why);
        }
        placefile_free(f);
    }
}

/* ---- Layouts ---------------------------------------------------------------------------------------------------------- */

enum { MOST_RANKS = 12 };

static const struct {
    int p, node[MOST_RANKS];
    int nodes, node_ranks;
    bool gathered, consecutive;
    int order[MOST_RANKS];
} layouts[] = {
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

LOOPED_TEST(layouts, COUNT(layouts))
{
    struct machine m = {.oversubscribed = 2, .measured = true};
    int order[MOST_RANKS];
    ck_assert(layout_of(layouts[_i].node, layouts[_i].p, &m, order));
    ck_assert_int_eq(m.nodes, layouts[_i].nodes);
    ck_assert_int_eq(m.node_ranks, layouts[_i].node_ranks);
    ck_assert_int_eq(m.gathered, layouts[_i].gathered);
    ck_assert_int_eq(m.consecutive, layouts[_i].consecutive);
    for (int i = 0; i < layouts[_i].p; i++)
        ck_assert_int_eq(order[i], layouts[_i].order[i]);
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

/* ---- domains ---------------------------------------------------------------------------------------------------------- */

static const struct {
    int p, node[MOST_RANKS], domain[MOST_RANKS], ranks;
} domains[] = {
    {8, {0}, {0, 0, 0, 0, 4, 4, 4, 4}, 4},
    {7, {0}, {4, 4, 4, 0, 0, 0, 8}, 3}, /* any numbers, a short last one */
    {7, {0}, {0, 0, 0, 0, 4, 4, 4}, 4},
    {7, {0}, {0, 0, 0, 4, 4, 4, 4}, 0}, /* a short first one */
    {8, {0}, {0, 0, 3, 3, 3, 6, 6, 6}, 0},
    {8, {0}, {0, 0, 0, 3, 3, 6, 6, 6}, 0},
    {6, {0}, {0, 4, 0, 4, 0, 4}, 1}, /* dealt out in turn */
    {6, {0}, {0, 0, 0, 0, 0, 0}, 0},
    {6, {0}, {0, 0, -1, 4, 4, 4}, 0},
    {6, {0}, {0, 0, 0, 4, 4, -1}, 0},
    {6, {0}, {-1, -1, -1, -1, -1, -1}, 0},
    {8, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 2, 2, 0, 0, 2, 2}, 2},
    {8, {0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 0, 0, 0, 0, 2, 2}, 2}, /* equal numbers on two nodes */
    {8, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 2, 2, 0, 0, 0, 0}, 0},
    {7, {0, 0, 0, 0, 1, 1, 1}, {0, 0, 2, 2, 0, 0, 2}, 2},
    {6, {0, 0, 0, 0, 1, 1}, {0, 0, 2, 2, 0, 0}, 2},
    {8, {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 0, 2, 2, 2, 2}, 2},
    {4, {0, 1, 2, 3}, {0, 0, 0, 0}, 0},
};

LOOPED_TEST(ranks_of_domains, COUNT(domains))
{
    struct machine m;
    int order[MOST_RANKS];
    ck_assert(layout_of(domains[_i].node, domains[_i].p, &m, order));
    ck_assert_int_eq(layout_domain(domains[_i].node, domains[_i].domain, domains[_i].p, order), domains[_i].ranks);
}

SUITE("places", 60)
