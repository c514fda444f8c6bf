/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: which ranks are near each other, as a tree. A place is a node, a rack, a site: ranks behind one boundary (a
 * network card, an uplink). What crosses a boundary twice costs twice.
 *
 * A tree of places is one of positions, 0 .. p-1: the ranks of a place have consecutive ones. Where the application's ranks
 * do not lie like that, `order` tells which of them is at a position. Pure; the same on all ranks.
 */
#ifndef PLEACH_PLACES_H
#define PLEACH_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* Most levels of places: a node in a rack of a site is one in a place in a place in all. */
enum { PLACES_DEPTH = 4 };

/* A place. Its parts are places, too; a single position is one without parts. None but all has a single part. */
struct place {
    int first, end; /* its positions: first .. end-1 */
    int next;       /* row of the place that follows it; the rows between are the places inside */
    int up;         /* row of the place of which it is a part; 0 for all, too */
    bool line;      /* its parts are sites, far from each other: what goes to all of them goes from one to the next */
};

/* The ways between the parts of places on one level. Seconds, and seconds a byte. */
struct reach {
    double alpha; /* of the shortest message, one way */
    double flow;  /* of one stream of messages between two ranks */
    double up;    /* over the boundary of a part, whichever of its ranks share it; the slowest part's */
};

/* What lies between the parts of the places of one level. */
struct level {
    int parts;   /* of all these places together */
    int largest; /* positions in the largest of these parts */
};

struct tree_pair;
struct tree_cache;

struct places {
    int rows;   /* at most 2p - 1 */
    int depth;  /* boundaries on the way to the innermost position: 0 for a single one, 1 where all are alike */
    bool lines; /* some place is a line of its parts */
    struct level level[PLACES_DEPTH + 2]; /* depth of them: 0: the parts of all, 1: their parts, .. */
    int *order;                           /* the rank at each position; NULL: they are the same */
    int *position;                        /* the other way; likewise */
    /*
     * Figures, the same on all ranks; see places_set_reach(). `reach` is none of 0: between the parts of all, between their
     * parts, and so on. `gap`: seconds after which a rank sends again; to take a message costs as much.
     */
    struct reach reach[PLACES_DEPTH + 2];
    double gap;
    bool measured; /* they were set; else they are nominal */
    /* What engines have made, which they change: two trees, and trees of any degree; NULL where places do not differ. */
    struct tree_pair *tree_pair;   /* see engines/tree_pair.h */
    struct tree_cache *tree_cache; /* see engines/tree_cache.h */
    struct place place[];          /* row 0: all; then each place's parts in their order, each with all that is inside it */
};

/*
 * Makes the tree for p >= 1 ranks, of which rank r lies in the place path[r*depth] of all, there in the place
 * path[r*depth + 1], and so on: any numbers. Places come in the order of their lowest ranks. Places with a single part, and
 * levels on which nothing is told apart, are left out. Sites: the parts of all are in a line. NULL: no memory.
 */
struct places *places_of(const int *path, int p, int depth, bool sites);

/*
 * Reads a tree of places as people write it:
 *
 *     16           16 ranks, all alike             50,40,30,17  four places with so many ranks
 *     4x8          four places of 8                (2x3),(4,1)  places in places
 *     4-4-4        three sites of 4, in a line
 *
 * NULL: it is none, has more than `most` ranks, or is too deep; *why says it, in a few words.
 */
struct places *places_read(const char *text, int most, const char **why);

/*
 * Writes a tree as places_read() takes it, without 'x', as far as there is room: ".." ends what is cut. Returns the text.
 */
const char *places_text(const struct places *t, char *text, size_t size);

void places_free(struct places *t);

/*
 * Sets the figures of as many levels as there are, all above 0, and the gap. Trees for measured figures combine operands in
 * another order than trees for others: places that decide about bits keep what they begin with. That is 1 us between the
 * innermost parts, with a gap of half of that, and 1 ns a byte; each level further out, 16 and 4 times as much.
 */
void places_set_reach(struct places *t, const struct reach reach[], double gap);

/* The level on which the ways of two positions part: 0 if they lie in different parts of all. */
int places_level(const struct places *t, int a, int b);

/* Number of ranks. */
int places_ranks(const struct places *t);

/* Row of the first part of a place; the row behind its last part is place[row].next. */
int places_part(int row);

/* Number of parts; 0 for a single position. */
int places_parts(const struct places *t, int row);

/* Are there places at all: are not all positions alike? */
bool places_differ(const struct places *t);

#endif
