/* SPDX-License-Identifier: BSD-2-Clause */
/* The engines over trees of places: shapes of all kinds under strict rendezvous, and what crosses each boundary. */
#include "pair.h"
#include "schedules.h"

enum { TEXT = 4096, MOST = 1 << 16 };

/* ---- Trees of places ------------------------------------------------------------------------------------------------- */

static struct places *read_tree(const char *text)
{
    const char *why;
    struct places *t = places_read(text, MOST, &why);
    REQUIRE(t, "%s: %s", text, why);
    return t;
}

struct rest {
    struct rest *outer; /* what follows the list around */
    int left, levels;   /* ranks of this list that are still to be written */
    char between;
};

/* Writes the next part of the innermost list in every way, and all that follows. */
static void every(char *text, char *end, struct rest *rest, void (*f)(const char *text))
{
    if (!rest) {
        f(text);
        return;
    }
    if (rest->left == 0) {
        if (rest->outer)
            *end++ = ')';
        *end = 0;
        every(text, end, rest->outer, f);
        return;
    }
    if (end > text && end[-1] != '(')
        *end++ = rest->between;
    for (int k = 1; k <= rest->left; k++) {
        struct rest here = *rest, inner = {&here, k, rest->levels - 1, ','};
        here.left -= k;
        if (rest->levels == 1 || k < 3)
            every(text, end + sprintf(end, "%d", k), &here, f);
        else {
            *end = '(';
            every(text, end + 1, &inner, f);
        }
    }
}

/* A tree at random of about p ranks; lines with so many percent of the places. */
static char *some_tree(char *end, int p, int levels, int lines)
{
    int parts = 1 + below(p < 12 ? p : 12);
    char between = below(100) < lines ? '-' : ',';
    for (int i = 0; i < parts; i++) {
        int size = p / parts + (i < p % parts);
        size = 1 + below(2 * size - 1);
        if (i > 0)
            *end++ = between;
        if (levels == 1 || size < 3)
            end += sprintf(end, "%d", size);
        else {
            *end++ = '(';
            end = some_tree(end, size, levels - 1, lines);
            *end++ = ')';
        }
    }
    *end = 0;
    return end;
}

/* ---- One engine, one tree -------------------------------------------------------------------------------------------- */

static const char *tree; /* for messages */

/*
 * Each place has all blocks in once and out at most once; to the root's one half may come back, but not through a line. With
 * an odd number of blocks, both exits may be in the larger half. A gate stands between two sites and feeds its own, so that
 * a place around it in its site has more: half of the message in, and all of it out.
 */
static void check_boundaries(const struct engine *e, const struct shape *s, const struct verdict *v)
{
    int64_t n = s->blocks, half = (n + 1) / 2;
    bool line = e == engine_find("places-line");
    for (int level = 0; level < s->places->depth; level++) {
        bool gates = line && s->collective == COLL_REDUCE && s->ordered && level > 0;
        struct boundary others = v->without_root[level], own = v->with_root[level];
        if (s->collective == COLL_REDUCE) { /* time reversed */
            others = (struct boundary){others.out, others.in};
            own = (struct boundary){own.out, own.in};
        }
        REQUIRE((others.in >= n || (others.in == 0 && level > 0)) && others.in <= n + gates * half &&
                    others.out <= 2 * half + gates * n,
                "%s: " SHAPE "level %d: in %d, out %d", tree, SHAPE_OF(e, s), level, (int)others.in, (int)others.out);
        REQUIRE(own.in <= (line && !gates ? 0 : half) && own.out <= 2 * half + gates * n,
                "%s: " SHAPE "level %d, the root's place: in %d, out %d", tree, SHAPE_OF(e, s), level, (int)own.in,
                (int)own.out);
    }
}

static int checked;

static void check_engine(const char *name, const struct shape *s)
{
    const struct engine *e = engine_find(name);
    struct verdict v;
    if (!engine_fits(e, s))
        return;
    REQUIRE(simulate_engine(e, s, &v), "%s: " SHAPE "%s", tree, SHAPE_OF(e, s), v.why);
    if (!shape_interior(s))
        check_boundaries(e, s, &v);
    checked++;
}

static void check(struct shape s)
{
    check_engine("places", &s);
    check_engine("places-line", &s);
}

/* Broadcast, and reduction in any order and in that of the ranks. */
static void check_root(const struct places *t, int root, int64_t blocks)
{
    struct shape s = {.ranks = places_ranks(t), .places = t, .root = root, .blocks = blocks};
    check(s);
    s.collective = COLL_REDUCE;
    check(s);
    s.ordered = true;
    check(s);
}

static void check_every_root(const char *text)
{
    static const int blocks[] = {1, 2, 3, 4, 5, 8};
    struct places *t = read_tree(tree = text);
    if (places_differ(t))
        for (int root = 0; root < places_ranks(t); root++)
            for (size_t i = 0; i < COUNT(blocks); i++)
                check_root(t, root, blocks[i]);
    places_free(t);
}

/* The ends and two roots between. */
static void check_some_roots(const char *text, int most_blocks)
{
    struct places *t = read_tree(tree = text);
    int p = places_ranks(t);
    const int roots[] = {0, below(p), below(p), p - 1};
    for (size_t i = 0; i < COUNT(roots) && places_differ(t); i++)
        check_root(t, roots[i], 1 + below(most_blocks));
    places_free(t);
}

/* ---- Tests ----------------------------------------------------------------------------------------------------------- */

START_TEST(every_small_tree)
{
    char text[TEXT];
    for (int levels = 1; levels <= 3; levels++)
        for (int p = 2; p <= (levels == 1 ? 8 : 7); p++)
            for (int line = 0; line < 2; line++)
                every(text, text, &(struct rest){NULL, p, levels, line ? '-' : ','}, check_every_root);
    fprintf(stderr, "%d\n", checked);
}

START_TEST(trees_at_random)
{
    char text[TEXT];
    for (int i = 0; i < 2000; i++) {
        some_tree(text, 2 + below(59), 1 + below(3), i % 2 ? 30 : 0);
        check_some_roots(text, 9);
    }
    fprintf(stderr, "%d\n", checked);
}

START_TEST(large_trees)
{
    char text[TEXT];
    for (int i = 0; i < 12; i++) {
        some_tree(text, 1 << (7 + i / 2), 1 + below(3), i % 2 ? 30 : 0);
        check_some_roots(text, 3);
    }
    check_some_roots("64x64", 2);
    fprintf(stderr, "%d\n", checked);
}

SUITE("places engines", 20, every_small_tree, trees_at_random, large_trees)
