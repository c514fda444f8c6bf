/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: a tree that shows which ranks are near each other. A place is a node, a rack, a site: ranks behind one boundary (a
 * network card, an uplink). A message that crosses a boundary twice costs twice.
 *
 * A tree of places has positions, 0 .. p-1; those of a place are consecutive. If the application's ranks do not lie like
 * that, `order` gives the rank at each position. Pure; the same on all ranks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Most levels of places: a node in a rack of a site takes three. */
enum { PLACES_DEPTH = 4 };

/* A place. Its parts are places, too; a single position is a place without parts. No place has a single part. */
struct place {
    int first, end; /* its positions: first .. end-1 */
    int next;       /* row of the place that follows it; the rows between are the places inside */
    int up;         /* row of the enclosing place; 0 in row 0, too */
    bool line;      /* its parts are sites, far from each other: messages to all of them pass from one to the next */
};

/* The cost of messages between the parts of places on one level. */
struct reach {
    double alpha; /* seconds of the shortest message, one way */
    double flow;  /* seconds for a byte, in one stream of messages between two ranks */
    double up;    /* seconds for a byte over the boundary of the slowest part, in all streams together */
};

/* The size of one level. */
struct level {
    int parts;   /* number of parts of all places of the level */
    int largest; /* positions in the largest of these parts */
};

struct places {
    int rows;   /* at most 2p - 1 */
    int depth;  /* levels of parts below row 0: 0 if there is one position, 1 if all positions are alike */
    bool lines; /* some place is a line of its parts */
    struct level level[PLACES_DEPTH + 2]; /* level[0]: the parts of row 0; level[1]: their parts; .. */
    int *order;                           /* the rank at each position; NULL: position i has rank i */
    int *position;                        /* the position of each rank; NULL: rank i has position i */
    /*
     * Figures, the same on all ranks; see places_set_reach(). reach[0] holds between the parts of row 0, reach[1] between
     * the parts of these, and so on. All numbers in `reach` are above 0. `gap`: seconds between two messages that a rank
     * sends; a message that it receives costs as much.
     */
    struct reach reach[PLACES_DEPTH + 2];
    double gap;
    bool measured;        /* the figures were set; else they are nominal */
    bool splits_nodes;    /* see places_of_nodes() */
    bool reserved;        /* places differ, and there is memory to make trees over them; see workshop.h */
    struct place place[]; /* row 0: all ranks; behind a place its parts in order, each with the places inside it */
};

/*
 * Makes the tree for p >= 1 ranks. Rank r lies in the outermost place path[r*depth], inside it in the place path[r*depth+1],
 * and so on; the numbers are arbitrary. Places come in the order of their lowest ranks. Leaves out places with a single
 * part, and levels on which no places differ. `sites`: the outermost places, if places differ, are in a line. Returns NULL
 * if memory runs out.
 */
struct places *places_of(const int *path, int p, int depth, bool sites);

/*
 * A tree can also be built place by place. places_new() makes an empty tree with room for p positions, or returns NULL if
 * memory is short. places_open() begins a place at position `first` and returns its row; then its parts follow, in order.
 * places_add() adds single positions first .. first+count-1, and returns first+count. places_close() ends a place at
 * position `end`; if the place has a single part, this part replaces it. The row of all positions is opened first and closed
 * last. places_ready() completes the tree. If memory is short, it frees the tree and returns NULL.
 */
struct places *places_new(int p);
int places_open(struct places *t, int first);
int places_add(struct places *t, int first, int count);
void places_close(struct places *t, int row, int end);
struct places *places_ready(struct places *t);

/*
 * Makes *of, the tree of the nodes of t. Its ranks are the nodes: node[r] = 0 .. nodes-1 is the node of rank r. The tree has
 * the places of t that have several nodes, with their figures. Sets *of to NULL if these places do not differ, or if they
 * split a node: its positions are not consecutive, or lie in several of them. Sets t->splits_nodes, too. Returns false if
 * memory is short.
 */
bool places_of_nodes(struct places *t, const int *node, int nodes, struct places **of);

/*
 * Writes a tree in the form that place_text.h describes, without the short form 4x8. Without enough room, the text ends with
 * "..". Returns the text.
 */
const char *places_text(const struct places *t, char *text, size_t size);

void places_free(struct places *t);

/*
 * Sets the figures of all levels, each above 0, and the gap. Trees from these figures combine operands in another order than
 * trees from nominal figures, so places that decide about bits keep the nominal figures: a gap of 0.5 us and, between the
 * innermost parts, a latency of 1 us and 1 ns a byte. Each level further out has 16 times the latency, and 4 times the
 * time a byte.
 */
void places_set_reach(struct places *t, const struct reach reach[], double gap);

/* The level on which two positions lie in different parts; 0: they lie in different outermost places. */
int places_level(const struct places *t, int a, int b);

int places_ranks(const struct places *t);

/* Row of the first part of a place; the row behind its last part is place[row].next. */
int places_part(int row);

/* Number of parts; 0 for a single position. */
int places_parts(const struct places *t, int row);

/* Is the row a single position? */
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
