/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of a rank report. Rows and sites lie in own_memory() and double, up to LARGEST. Calls for which there is no room
 * count in others[]: a row for each collective, with site and size -1, REASON_NONE, native.
 */
#pragma once

#include "index.h"
#include "rank_report.h"
#include "record.h"

/* Most rows and sites; most single calls. */
enum { LARGEST = 1 << 16, CALLS = 4096 };

struct site_frames {
    void *frame[CALL_SITE_FRAMES]; /* NULL behind the last */
};

struct own_table {
    void *entry;
    int count, room;
    bool full; /* it grows no more */
    struct index index;
};

struct tables {
    struct own_table row, site;          /* struct rank_row, struct site_frames */
    struct rank_row others[COLLECTIVES]; /* counts if it has calls */
    struct rank_call call[CALLS];        /* the first that rank_report_keeps() */
    int calls;
    int64_t faults; /* page faults but for each row's first call, which meets new buffers */
};

/* Counts a call. `began`: r->time when the rank report began. */
void tables_add(struct tables *t, const struct record *r, double began);
