/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A job as one page of HTML. It needs no network and no script, and is well-formed XML, too. However many ranks and calls
 * there are, it stays below 1 MB, but for long names of call sites.
 */
#ifndef PLEACH_HTML_H
#define PLEACH_HTML_H

#include "job.h"
#include "units.h"

/* Writes the page. False: an error of f, or out of memory. */
bool job_html(const struct job *j, FILE *f);

/* ---- What the files of the page share ------------------------------------------------------------------------------- */

enum {
    PAGE = 960,  /* width of a picture in its own units, which are pixels on a wide screen */
    GUTTER = 76, /* of it, for the names of rows */
    ROWS = 64    /* of ranks in a picture, at most */
};

struct html {
    FILE *f; /* written to in the C locale, so that numbers have decimal points */
    const struct job *j;
};

/* Text from outside. Escapes the special characters of HTML; control characters and invalid UTF-8 become U+FFFD. */
void html_text(FILE *f, const char *text);

/* A whole number, with gaps between its thousands. */
void html_count(FILE *f, int64_t n);

/* A part of a whole in percent, and the name of a size class. Both return text, of UNITS_TEXT bytes. */
const char *html_percent(double part, double whole, char *text);
const char *html_size(int size, char *text);

/* A single call in words: collective, size, engine, and the function that made it. */
void html_call(FILE *f, const struct job_call *c);

/* The row of job.rank that a rank in MPI_COMM_WORLD has. It has told. */
int html_reported(const struct job *j, int rank);

/* The ranks that have told are the rows of a picture; where they are many, several ranks share a row. */
struct rows {
    int count, height; /* of rows; of one, in pixels */
};

struct rows html_rows(const struct job *j, int most);       /* most: no more than ROWS */
int html_row(const struct job *j, struct rows r, int rank); /* of a rank in MPI_COMM_WORLD */
void html_row_names(const struct html *h, struct rows r, int top);

/* A table of sizes that opens, below their picture. */
void html_size_table(const struct html *h);

/* The colours of the job's engines, and that of waiting. */
void html_legend(const struct html *h, bool waiting);

/* ---- Sections. They write nothing where there is nothing to tell. False: out of memory ------------------------------ */

void html_style(FILE *f);
void html_head(const struct html *h);     /* what was run, and what came of it */
void html_sizes(const struct html *h);    /* time by size class */
void html_tables(const struct html *h);   /* by collective, engine and reason, site */
void html_others(const struct html *h);   /* collectives that Pleach does not serve */
bool html_late(const struct html *h);     /* ranks that the others waited for */
bool html_waiting(const struct html *h);  /* ranks x calls */
bool html_timeline(const struct html *h); /* ranks x time */

#endif
