/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes trees of places as text, for tests: all small trees, and random ones. Makes tree pairs over places. */
#pragma once

#include "schedules.h"
#include "workshop.h"

enum { TREE_TEXT = 1 << 16 };

/* Makes a tree pair, which is valid until the next call. */
static inline struct tree_pair *made_pair(const struct places *t, tree_pair_maker *maker, int root)
{
    struct tree_pair *b = &workshop_enter()->pair;
    tree_pair_make(b, t, maker, root);
    workshop_leave();
    return b;
}

/* A list of parts while it is written. */
struct list {
    struct list *outer; /* the list that it is inside, or NULL */
    int left, levels;   /* ranks that are left for further parts; levels of places that the parts may have */
    char between;       /* separates parts */
};

/* Completes the text, which ends at `end`, in all ways, and calls f for each result. */
static inline void write_every(char *text, char *end, const struct list *list, void (*f)(const char *text))
{
    if (!list) {
        f(text);
        return;
    }
    if (list->left == 0) {
        if (list->outer)
            *end++ = ')';
        *end = 0;
        write_every(text, end, list->outer, f);
        return;
    }
    if (end > text && end[-1] != '(')
        *end++ = list->between;
    for (int k = 1; k <= list->left; k++) {
        struct list rest = *list, inner = {&rest, k, list->levels - 1, ','};
        rest.left -= k;
        if (list->levels == 1 || k < 3)
            write_every(text, end + sprintf(end, "%d", k), &rest, f);
        else {
            *end = '(';
            write_every(text, end + 1, &inner, f);
        }
    }
}

/* Calls f for each tree of p ranks in places of `levels` levels. `between`, ',' or '-', separates all parts. */
static inline void every_tree(int p, int levels, char between, void (*f)(const char *text))
{
    static char text[TREE_TEXT];
    write_every(text, text, &(struct list){NULL, p, levels, between}, f);
}

/* Writes a random tree of about p ranks; about `lines` percent of its places are lines. Returns the end of the text. */
static inline char *some_tree(char *end, int p, int levels, int lines)
{
    int parts = 1 + below(p < 12 ? p : 12);
    char between = below(100) < lines ? '-' : ',';
    for (int i = 0; i < parts; i++) {
        int size = 1 + below(2 * (p / parts + (i < p % parts)) - 1);
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

/* Places of some random depth; the ranks of a place need not follow one another. */
static inline struct places *random_places(int p)
{
    int path[64 * PLACES_DEPTH], depth = 1 + below(3);
    for (int i = 0; i < p * depth; i++)
        path[i] = below(3);
    struct places *t = places_of(path, p, depth, false);
    ck_assert_ptr_nonnull(t);
    return t;
}

/* Random figures: an outer level may be slower than an inner one, or faster. */
static inline void set_random_reach(struct places *t)
{
    struct reach reach[PLACES_DEPTH + 1];
    for (int level = 0; level <= PLACES_DEPTH; level++)
        reach[level] = (struct reach){.alpha = 1 + below(30), .flow = 1, .up = 1};
    places_set_reach(t, reach, 1 + below(8));
}

/* Gives all levels the same figures. */
static inline void set_alpha(struct places *t, double alpha)
{
    const struct reach one = {alpha, 1, 1}, reach[PLACES_DEPTH + 1] = {one, one, one, one, one};
    places_set_reach(t, reach, 1);
}
