/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: which ranks are near each other. A place is a node, a rack, a site: ranks behind one boundary (a network card, an
 * uplink). The tree has positions 0 .. p-1; those of a place are consecutive. Pure; the same on all ranks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Most levels: a node in a rack of a site takes three. */
enum { PLACES_DEPTH = 4 };

/* Its parts are places, too; a single position has none. No place has a single part. */
struct place {
    int first, end; /* positions first .. end-1 */
    int next;       /* row of the place that follows; the rows between are inside */
    int up;         /* row of the enclosing place; 0 in row 0 */
    bool line;      /* its parts are sites far from each other: messages pass from one to the next */
};

/* The cost of messages between the parts of places on one level; each number above 0. */
struct reach {
    double alpha; /* seconds of the shortest message, one way */
    double flow;  /* seconds a byte, in one stream between two ranks */
    double up;    /* seconds a byte over the slowest part's boundary, all streams together */
};

struct level {
    int parts;
    int largest; /* positions in the largest part */
};

struct places {
    int rows;  /* at most 2p - 1 */
    int depth; /* levels of parts below row 0; 0: one position; 1: all alike */
    bool lines;
    struct level level[PLACES_DEPTH + 2]; /* level[0]: the parts of row 0; .. */
    int *order;                           /* the rank at each position; NULL: position i has rank i */
    int *position;                        /* the position of each rank; NULL: rank i has position i */
    /* See places_set_reach(). reach[0]: between the parts of row 0; .. `gap`: seconds between two messages of a rank. */
    struct reach reach[PLACES_DEPTH + 2];
    double gap;
    bool measured; /* else nominal */
    bool splits_nodes;
    bool reserved;        /* places differ, and the workshop has memory for their trees */
    struct place place[]; /* row 0: all ranks; behind a place its parts in order, each with its own */
};

/*
 * Makes the tree for p ranks. Rank r lies in the outermost place path[r*depth], inside it in path[r*depth+1], and so on;
 * numbers are arbitrary. Places come in the order of their lowest ranks. Leaves out levels on which no places differ.
 * `sites`: the outermost places are in a line. NULL if memory runs out.
 */
struct places *places_of(const int *path, int p, int depth, bool sites);

/*
 * Builds a tree place by place, the row of all positions opened first and closed last. places_new(): an empty tree, or NULL.
 * places_open() returns the row; then the parts follow. places_add() adds single positions and returns first+count.
 * places_close() replaces a place with a single part by this part. places_ready() completes the tree, or frees it and
 * returns NULL.
 */
struct places *places_new(int p);
int places_open(struct places *t, int first);
int places_add(struct places *t, int first, int count);
void places_close(struct places *t, int row, int end);
struct places *places_ready(struct places *t);

/*
 * Makes *of, the tree of t's places that have several nodes, with their figures; its ranks are the nodes node[r] = 0 ..
 * nodes-1. NULL if these places do not differ, or split a node. Sets t->splits_nodes. Returns false if memory is short.
 */
bool places_of_nodes(struct places *t, const int *node, int nodes, struct places **of);

/* Writes a tree as in place_text.h, without the short form 4x8; the text ends with ".." if there is no room. Returns it. */
const char *places_text(const struct places *t, char *text, size_t size);

void places_free(struct places *t);

/* Sets the figures of all levels. Trees follow from them, so places that decide about bits keep the nominal ones. */
void places_set_reach(struct places *t, const struct reach reach[], double gap);

/* The level on which two positions lie in different parts; 0 is the outermost. */
int places_level(const struct places *t, int a, int b);

int places_ranks(const struct places *t);

/* Row of the first part; place[row].next is behind the last. */
int places_part(int row);

/* Number of parts; 0 for a single position. */
int places_parts(const struct places *t, int row);

static inline bool places_single(const struct places *t, int row)
{
    return t->place[row].next == row + 1;
}

static inline bool places_has(const struct places *t, int row, int position)
{
    return t->place[row].first <= position && position < t->place[row].end;
}

/* Do places differ? Else all positions are alike. */
bool places_differ(const struct places *t);
