/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables from which a rank report is made: sums over calls with equal properties (rows), call sites, and a sample of
 * single calls. The tables have a fixed size, so counting a call never allocates.
 *
 * The tables keep the call sites that take most time, by a space-saving sketch (Metwally, Agrawal, El Abbadi: Efficient
 * computation of frequent and top-k elements in data streams, ICDT 2005). Each site has a weight: an upper bound on the
 * seconds that its calls have taken. If no entry is free for a new site, the site of least weight gives up its entry. Then
 * its calls count in rows without a site, and the new site begins with the weight `missed`. Two bounds follow:
 *
 *     A site without an entry has taken at most the least weight, which is at most 1/SITES of the time of all calls. So
 *     every site that has taken more has an entry. If rows run out, the least weight may be more than 1/SITES.
 *
 *     A site may have taken up to `missed` seconds more than its rows show. `missed` is the larger of two numbers: the
 *     largest weight of a site that lost its entry or its rows, and the most seconds that a site's rows lack because calls
 *     found no row.
 *
 * Such bounds of several ranks add up (Agarwal et al.: Mergeable summaries, PODS 2012).
 */
#ifndef PLEACH_TABLES_H
#define PLEACH_TABLES_H

#include "rank_report.h"
#include "record.h"

/* Most rows, sites and single calls; chosen by hand. A hash table has twice as many slots, so that its lists are short. */
enum { ROWS = 2048, ROW_SLOTS = 2 * ROWS, SITES = 512, SITE_SLOTS = 2 * SITES, CALLS = 4096 };

/* A link in a list is the number of a row, site or call, counted from 1; 0 ends the list. */
struct tables {
    struct rank_row row[ROWS];           /* a row without calls is free */
    void *site[SITES][CALL_SITE_FRAMES]; /* as call_site_take() fills them; NULL in all frames behind the last */
    struct rank_call call[CALLS];        /* the first calls for which rank_report_keeps() is true */
    int rows, sites, calls;              /* entries of row, site and call that have been used */
    int64_t faults; /* page faults of calls, but for the first call of each row, which meets new buffers */
    double missed;                       /* most seconds that a site may have taken beyond those of its rows */

    double weight[SITES];                         /* upper bound on the seconds that a site has taken */
    double counted[SITES];                        /* seconds in a site's rows */
    int row_first[ROW_SLOTS], row_next[ROWS];     /* hash table of rows: a list for each slot */
    int site_first[SITE_SLOTS], site_next[SITES]; /* hash table of sites */
    int own_row[SITES], next_own[ROWS];           /* list of a site's rows */
    int own_call[SITES], next_call[CALLS];        /* list of a site's single calls */
    int row_free, rows_free;                      /* list of free rows, linked by row_next; their number */
};

/*
 * Counts a call. `began`: value of r->time when the rank report began. The call counts in the row of its properties. If that
 * row is new and no row is free, another site loses its rows: it is the one of least weight among the sites that have rows.
 * If that does not help, the call counts in a row without a site (-1). If there is no room for this row either, the call
 * counts in a row that is kept for all such calls of its collective: its engine is native, its size -1, its reason
 * REASON_NONE.
 */
void tables_add(struct tables *t, const struct record *r, double began);

#endif
