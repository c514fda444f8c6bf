/* SPDX-License-Identifier: BSD-2-Clause */
/* See place_tree.h. */
#include "place_tree.h"

#include "own_memory.h"
#include "workshop.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct places *places_new(int p)
{
    struct places *t;
    return own_memory(sizeof *t + ((size_t)2 * (size_t)p + PLACES_DEPTH + 2) * sizeof t->place[0]);
}

/* Counts parts level by level; sets `up`, `depth`, `lines`. */
static void count_parts(struct places *t, int row, int depth)
{
    t->lines |= t->place[row].line;
    for (int part = row + 1; part < t->place[row].next; part = t->place[part].next) {
        const int positions = t->place[part].end - t->place[part].first;
        assert(depth < PLACES_DEPTH + 2);
        struct level *l = &t->level[depth];
        t->place[part].up = row;
        l->parts++;
        l->largest = positions > l->largest ? positions : l->largest;
        t->depth = depth + 1 > t->depth ? depth + 1 : t->depth;
        count_parts(t, part, depth + 1);
    }
}

static void set_nominal_reach(struct places *t)
{
    struct reach reach = {.alpha = 1e-6, .flow = 1e-9, .up = 1e-9};
    for (int level = t->depth - 1; level >= 0; level--) {
        t->reach[level] = reach;
        reach = (struct reach){16 * reach.alpha, 4 * reach.flow, 4 * reach.up};
    }
    t->gap = 0.5e-6;
}

struct places *places_ready(struct places *t)
{
    count_parts(t, 0, 0);
    set_nominal_reach(t);
    t->reserved = places_differ(t) && workshop_reserve(places_ranks(t));
    if (t->reserved || !places_differ(t))
        return t;
    places_free(t);
    return NULL;
}

void places_free(struct places *t)
{
    if (t && t->reserved)
        workshop_release();
    if (t)
        own_memory_free(t->order);
    own_memory_free(t);
}

void places_set_reach(struct places *t, const struct reach reach[], double gap)
{
    for (int level = 0; level < t->depth; level++) {
        assert(reach[level].alpha > 0 && reach[level].flow > 0 && reach[level].up > 0);
        t->reach[level] = reach[level];
    }
    t->gap = gap;
    t->measured = true;
    workshop_forget();
}

static int row_of(const struct places *t, int position)
{
    int row = 0, end = t->rows;
    while (end - row > 1) {
        int middle = row + (end - row) / 2;
        if (t->place[middle].first <= position)
            row = middle;
        else
            end = middle;
    }
    return row;
}

int places_level(const struct places *t, int a, int b)
{
    assert(a != b);
    int row = row_of(t, a), level = 0;
    while (!places_has(t, row, b))
        row = t->place[row].up;
    for (; row > 0; row = t->place[row].up)
        level++;
    return level;
}

int places_ranks(const struct places *t)
{
    return t->place[0].end;
}

int places_part(int row)
{
    return row + 1;
}

int places_parts(const struct places *t, int row)
{
    int parts = 0;
    for (int part = row + 1; part < t->place[row].next; part = t->place[part].next)
        parts++;
    return parts;
}

bool places_differ(const struct places *t)
{
    return t->depth > 1;
}

int places_open(struct places *t, int first)
{
    t->place[t->rows] = (struct place){.first = first};
    return t->rows++;
}

void places_close(struct places *t, int row, int end)
{
    struct place *place = &t->place[row];
    place->end = end;
    place->next = t->rows;
    if (place->next > row + 1 && t->place[row + 1].next == t->rows) {
        memmove(place, place + 1, (size_t)(t->rows - row - 1) * sizeof *place);
        t->rows--;
        for (int i = row; i < t->rows; i++)
            t->place[i].next--;
    }
}

int places_add(struct places *t, int first, int count)
{
    for (int i = 0; i < count; i++)
        places_close(t, places_open(t, first + i), first + i + 1);
    return first + count;
}

/* ---- From paths ------------------------------------------------------------------------------------------------------ */

/* The key: the lowest rank of its place at each level, then the rank. */
struct member {
    int key[PLACES_DEPTH + 1];
    int rank;
};

static int by_keys(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    for (int i = 0; i <= PLACES_DEPTH; i++)
        if (x->key[i] != y->key[i])
            return x->key[i] < y->key[i] ? -1 : 1;
    return 0;
}

static bool same_place(const struct member *a, const struct member *b, int levels)
{
    return memcmp(a->key, b->key, (size_t)levels * sizeof a->key[0]) == 0;
}

/* Numbers the places of a level by their lowest ranks. */
static void number_by_lowest(struct member *member, int p, int level)
{
    qsort(member, (size_t)p, sizeof *member, by_keys);
    for (int first = 0, end; first < p; first = end) {
        int number = member[first].key[level], lowest = INT_MAX;
        for (end = first; end < p && same_place(&member[first], &member[end], level) && member[end].key[level] == number;
             end++)
            lowest = member[end].rank < lowest ? member[end].rank : lowest;
        for (int i = first; i < end; i++)
            member[i].key[level] = lowest;
    }
}

/* Of the sorted members first .. end-1, alike at the first `levels` levels. */
static void add_place(struct places *t, const struct member *member, int first, int end, int levels, int depth)
{
    int row = places_open(t, first);
    if (levels == depth)
        places_add(t, first, end - first);
    else
        for (int begin = first, i = first + 1; i <= end; i++)
            if (i == end || !same_place(&member[begin], &member[i], levels + 1)) {
                add_place(t, member, begin, i, levels + 1, depth);
                begin = i;
            }
    places_close(t, row, end);
}

/* Sets order and position from order[0 .. p-1]; frees `order` if position i has rank i. */
static void set_order(struct places *t, int *order, int p)
{
    bool moved = false;
    for (int i = 0; i < p; i++) {
        order[p + order[i]] = i;
        moved |= order[i] != i;
    }
    if (moved) {
        t->order = order;
        t->position = order + p;
    } else
        own_memory_free(order);
}

struct places *places_of(const int *path, int p, int depth, bool sites)
{
    assert(p >= 1 && depth >= 0 && depth <= PLACES_DEPTH);
    struct member *member = calloc((size_t)p, sizeof *member);
    int *order = own_memory(2 * (size_t)p * sizeof *order);
    struct places *t = places_new(p);
    if (!member || !order || !t) {
        free(member);
        own_memory_free(order);
        places_free(t);
        return NULL;
    }
    for (int r = 0; r < p; r++) {
        member[r].rank = member[r].key[PLACES_DEPTH] = r;
        memcpy(member[r].key, path + (size_t)r * (size_t)depth, (size_t)depth * sizeof *path);
    }
    for (int level = 0; level < depth; level++)
        number_by_lowest(member, p, level);
    qsort(member, (size_t)p, sizeof *member, by_keys);
    add_place(t, member, 0, p, 0, depth);
    for (int i = 0; i < p; i++)
        order[i] = member[i].rank;
    free(member);
    set_order(t, order, p);
    t = places_ready(t);
    if (t)
        t->lines = t->place[0].line = sites && t->depth > 1;
    return t;
}

/* ---- Of nodes -------------------------------------------------------------------------------------------------------- */

struct node_paths {
    const struct places *t;
    const int *node;
    int (*path)[PLACES_DEPTH]; /* of each node: rows of its places that have several nodes; -1: unknown */
    bool splits;
};

static int node_at(const struct node_paths *n, int position)
{
    return n->node[n->t->order ? n->t->order[position] : position];
}

/* `around`: the path of the place. */
static void find_paths(struct node_paths *n, int row, const int around[PLACES_DEPTH], int depth)
{
    const struct place *place = &n->t->place[row];
    const int first = node_at(n, place->first);
    int path[PLACES_DEPTH], *own = n->path[first];
    bool several = false;
    memcpy(path, around, sizeof path);
    for (int position = place->first; position < place->end; position++)
        several |= node_at(n, position) != first;
    if (!several) {
        n->splits |= own[0] >= 0 && memcmp(own, path, sizeof path) != 0;
        memcpy(own, path, sizeof path);
        return;
    }
    if (row > 0 && depth < PLACES_DEPTH)
        path[depth++] = row;
    for (int part = places_part(row); part < place->next; part = n->t->place[part].next)
        find_paths(n, part, path, depth);
}

bool places_of_nodes(struct places *t, const int *node, int nodes, struct places **of)
{
    static const int none[PLACES_DEPTH];
    const size_t bytes = (size_t)nodes * sizeof(int[PLACES_DEPTH]);
    struct node_paths n = {.t = t, .node = node, .path = malloc(bytes)};
    *of = NULL;
    if (!n.path)
        return false;
    memset(n.path, 0xff, bytes);
    find_paths(&n, 0, none, 0);
    t->splits_nodes = n.splits && places_differ(t);
    const bool whole = nodes > 1 && !n.splits;
    if (whole)
        *of = places_of(n.path[0], nodes, PLACES_DEPTH, t->place[0].line);
    free(n.path);
    const bool good = *of || !whole;
    if (*of && !places_differ(*of)) {
        places_free(*of);
        *of = NULL;
    }
    if (*of && t->measured)
        places_set_reach(*of, t->reach, t->gap);
    return good;
}

/* ---- A tree as text -------------------------------------------------------------------------------------------------- */

static size_t put_place(char *to, size_t room, const struct places *t, int row)
{
    const struct place *place = &t->place[row];
    const bool plain = place->next - row == places_parts(t, row) + 1;
    size_t used = 0;
    if (plain)
        return (size_t)snprintf(to, room, "%d", place->end - place->first);
    for (int part = places_part(row); part < place->next && used < room; part = t->place[part].next) {
        bool list = places_parts(t, part) > 0 && t->place[part].next - part > places_parts(t, part) + 1;
        used += (size_t)snprintf(to + used, room - used, "%s%s",
                                 part == places_part(row) ? ""
                                 : place->line            ? "-"
                                                          : ",",
                                 list ? "(" : "");
        used += used < room ? put_place(to + used, room - used, t, part) : 0;
        used += used < room && list ? (size_t)snprintf(to + used, room - used, ")") : 0;
    }
    return used;
}

const char *places_text(const struct places *t, char *text, size_t size)
{
    if (put_place(text, size, t, 0) >= size)
        memcpy(text + size - 3, "..", 3);
    return text;
}
