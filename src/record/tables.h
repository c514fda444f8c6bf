/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables from which a rank report is made: sums over calls with equal properties (rows), call sites, and a sample of
 * single calls. The tables of rows and sites lie in own_memory() and double when they are full, up to LARGEST entries. Calls
 * for which there is no row then, or for which memory is short, count in others[]: one row for each collective, with no site
 * (-1), no size (-1), REASON_NONE, and native as the engine.
 */
#pragma once

#include "index.h"
#include "rank_report.h"
#include "record.h"

/* Most rows and most sites; most single calls. */
enum { LARGEST = 1 << 16, CALLS = 4096 };

struct site_frames {
    void *frame[CALL_SITE_FRAMES]; /* as call_site_capture() fills them; NULL in all frames behind the last */
};

struct own_table {
    void *entry;
    int count, room;
    bool full; /* it does not grow any more */
    struct index index;
};

struct tables {
    struct own_table row, site;          /* of struct rank_row, struct site_frames */
    struct rank_row others[COLLECTIVES]; /* a row without calls does not count */
    struct rank_call call[CALLS];        /* the first calls for which rank_report_keeps() is true */
    int calls;
    int64_t faults; /* page faults of calls, but for the first call of each row, which meets new buffers */
};

/* Counts a call. `began`: value of r->time when the rank report began. */
void tables_add(struct tables *t, const struct record *r, double began);
