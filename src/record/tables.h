/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a part is made from: sums over calls that have everything in common, their call sites, and a sample of single calls.
 * The tables are bounded, so that counting a call never allocates.
 */
#ifndef PLEACH_TABLES_H
#define PLEACH_TABLES_H

#include "part.h"
#include "record.h"

/*
 * Rows, sites and single calls that there is room for, by hand: more than the programs that we met have. A hash table has
 * twice as many slots, so that a search is short.
 */
enum { ROWS = 2048, ROW_SLOTS = 2 * ROWS, SITES = 512, SITE_SLOTS = 2 * SITES, CALLS = 4096 };

struct tables {
    struct part_row row[ROWS];
    void *site[SITES][SITE_FRAMES]; /* as site_take() fills them; what is behind the end is NULL, too */
    struct part_call call[CALLS];   /* the first of those that part_keeps() */
    int rows, sites, calls;
    int row_slot[ROW_SLOTS], site_slot[SITE_SLOTS]; /* number of a row or site, from 1; 0: free */
};

/*
 * Counts a call. `began`: r->time at the beginning of the part. A call whose site finds no place has none (-1). A call that
 * finds no row counts in one without a site, and if there is no room for that either, in one of its collective that is native,
 * of size -1 and for no reason.
 */
void tables_add(struct tables *t, const struct record *r, double began);

#endif
