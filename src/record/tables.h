/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a rank report is made from: sums over calls that have everything in common, their call sites, and a sample of single
 * calls. The tables are bounded, so that counting a call never allocates.
 *
 * Of call sites the dearest are kept, by a space-saving sketch (Metwally, Agrawal, El Abbadi: Efficient computation of
 * frequent and top-k elements in data streams, ICDT 2005) of the seconds that they take. A new site that finds no place gets
 * that of the cheapest one, and its weight; that one's calls count without a site from then on. So a site that has no place
 * has taken no more than the least weight, which is 1/SITES of the time of all calls at most: what is dearer has a place.
 * What a site has taken may be more than its rows tell, but by no more than the largest weight that ever lost its place, or
 * its rows to others. Such bounds of several ranks add up (Agarwal et al.: Mergeable summaries, PODS 2012).
 */
#ifndef PLEACH_TABLES_H
#define PLEACH_TABLES_H

#include "rank_report.h"
#include "record.h"

/* Rows, sites and single calls that there is room for, by hand. A hash table has twice as many slots: a search is short. */
enum { ROWS = 2048, ROW_SLOTS = 2 * ROWS, SITES = 512, SITE_SLOTS = 2 * SITES, CALLS = 4096 };

/* Links are numbers of rows, sites or calls, from 1; 0: there is no further one. */
struct tables {
    struct rank_row row[ROWS];           /* a row without calls is free */
    void *site[SITES][CALL_SITE_FRAMES]; /* as call_site_take() fills them; what is behind the end is NULL, too */
    struct rank_call call[CALLS];        /* the first of those that rank_report_keeps() */
    int rows, sites, calls;              /* so many of them were in use at once */
    double missed;                       /* seconds that a site may have taken beyond those in its rows, at most */

    double weight[SITES], counted[SITES];     /* seconds: at most what a site has taken; in its rows */
    int row_first[ROW_SLOTS], row_next[ROWS]; /* a hash table */
    int site_first[SITE_SLOTS], site_next[SITES];
    int own_row[SITES], next_own[ROWS]; /* the rows of a site */
    int own_call[SITES], next_call[CALLS];
    int row_free, rows_free; /* the first free row, linked by row_next; their number */
};

/*
 * Counts a call. `began`: r->time at the beginning of the rank report. A call that finds no row, even if the cheapest site
 * gives up its own, counts in one without a site (-1), and if there is no room for that either, in one of its collective
 * that is native, of size -1 and for no reason.
 */
void tables_add(struct tables *t, const struct record *r, double began);

#endif
