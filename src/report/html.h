/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job as one page of HTML. The page needs no network and no script, and is well-formed XML, too. It has the job as JSON,
 * too, from which `pleach report` makes any form. The rest stays below 1 MB, unless names of call sites are long.
 */
#pragma once

#include "colour.h"
#include "escape.h"
#include "job.h"
#include "units.h"

/* Writes the page. Returns false if f has an error, or if memory runs out. */
bool job_html(const struct job *j, FILE *f);

/* ---- Shared by the files of the page -------------------------------------------------------------------------------- */

enum {
    PAGE = 960,  /* width of a picture in its own units, which are pixels on a wide screen */
    GUTTER = 76, /* the part of the width that names of rows take */
    ROWS = 32    /* most rows of ranks in a picture */
};

struct html {
    FILE *f; /* written to in the C locale, so that numbers have decimal points */
    const struct job *j;
    const char *colour[COLOURED]; /* of engines, by row of the registry */
};

/* Writes a whole number, with gaps between its thousands. */
void html_count(FILE *f, int64_t n);

/* Writes the name of a size class to text[UNITS_TEXT], and returns text. */
const char *html_size(int size, char *text);

/* The index in job.rank of a rank that has reported. */
int html_reported(const struct job *j, int rank);

/* The rows of a picture, one for each rank that has reported. If there are too many ranks, several share a row. */
struct rows {
    int count, height; /* height: of a row, in pixels */
};

struct rows html_rows(const struct job *j);
int html_row(const struct job *j, struct rows r, int rank); /* the row of a rank in MPI_COMM_WORLD */

/* Writes the names of the rows, which are their ranks. The first row begins `top` pixels below the top of the picture. */
void html_row_names(const struct html *h, struct rows r, int top);

/* Writes the table of sizes, which opens by a click below the picture of sizes. */
void html_size_table(const struct html *h);

/* Writes the legend: the colours of the job's engines, and that of waiting. */
void html_legend(const struct html *h);

/* ---- Sections. They return false if memory runs out ----------------------------------------------------------------- */

void html_style(FILE *f);
void html_sizes(const struct html *h);    /* time by size class */
void html_tables(const struct html *h);   /* by collective, engine and reason, site */
void html_others(const struct html *h);   /* collectives that Pleach does not serve */
bool html_late(const struct html *h);     /* ranks that the others waited for */
bool html_timeline(const struct html *h); /* ranks x time */
