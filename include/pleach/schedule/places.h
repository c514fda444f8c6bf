/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: which ranks are near each other, as a tree. A place is a node, a rack, a site: ranks behind one boundary (a network
 * card, an uplink). What crosses a boundary twice costs twice.
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
    bool line;      /* its parts are sites, far from each other: what goes to all of them goes from one to the next */
};

struct places {
    int rows;             /* at most 2p - 1 */
    int depth;            /* boundaries on the way to the innermost position: 0 for a single one, 1 where all are alike */
    int *order;           /* the rank at each position; NULL: they are the same */
    int *position;        /* the other way; likewise */
    struct braid *braid;  /* memory for what engines make of the tree, which they change; see engines/braid.h */
    struct place place[]; /* row 0: all; then each place's parts in their order, each with all that is inside it */
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

void places_free(struct places *t);

/* Number of ranks. */
int places_ranks(const struct places *t);

/* Row of the first part of a place; the row behind its last part is place[row].next. */
int places_part(int row);

/* Number of parts; 0 for a single position. */
int places_parts(const struct places *t, int row);

/* Are there places at all: are not all positions alike? */
bool places_differ(const struct places *t);

#endif
