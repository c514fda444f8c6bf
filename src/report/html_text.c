/* SPDX-License-Identifier: BSD-2-Clause */
/* Text, numbers and rows of ranks, which all parts of the page write; see html.h. */
#include "html.h"

#include "utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Length of the UTF-8 sequence at the beginning of text; 0 if there is none, or if its character must not be in the page. */
static int sequence(const char *text)
{
    uint32_t code = 0;
    const int length = utf8_length(text, &code);
    const bool steers = code < ' ' || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
                        (code >= 0x2066 && code <= 0x2069);
    return steers || (code & 0xfffe) == 0xfffe ? 0 : length;
}

void html_text(FILE *f, const char *text)
{
    while (*text) {
        int bytes = sequence(text);
        if (strchr("&<>\"'", *text))
            fprintf(f, "&#%d;", *text);
        else if (bytes > 0)
            fwrite(text, 1, (size_t)bytes, f);
        else
            fputs("&#xfffd;", f);
        text += bytes > 0 ? bytes : 1;
    }
}

void html_count(FILE *f, int64_t n)
{
    char text[UNITS_TEXT];
    int length = snprintf(text, sizeof text, "%" PRId64, n);
    for (int i = 0; i < length; i++) {
        if (i > 0 && length > 4 && (length - i) % 3 == 0)
            fputs("&#8239;", f);
        putc(text[i], f);
    }
}

const char *html_size(int size, char *text)
{
    char most[UNITS_TEXT];
    if (size < 0)
        return strcpy(text, "none");
    size_print(INT64_C(1) << size, most, sizeof most);
    snprintf(text, UNITS_TEXT, size > 0 ? "&#8804; %s" : "%s", most);
    return text;
}

static int by_rank(const void *a, const void *b)
{
    int x = ((const struct job_rank *)a)->rank, y = ((const struct job_rank *)b)->rank;
    return (x > y) - (x < y);
}

int html_reported(const struct job *j, int rank)
{
    if (rank < j->reported && j->rank[rank].rank == rank) /* all ranks before it have reported */
        return rank;
    struct job_rank key = {.rank = rank}, *found = bsearch(&key, j->rank, (size_t)j->reported, sizeof key, by_rank);
    return found ? (int)(found - j->rank) : 0;
}

struct rows html_rows(const struct job *j)
{
    enum { HEIGHT = 512, LEAST = 8, MOST = 22 };
    int count = j->reported < ROWS ? j->reported : ROWS, height = HEIGHT / count;
    return (struct rows){count, height < LEAST ? LEAST : height > MOST ? MOST : height};
}

int html_row(const struct job *j, struct rows r, int rank)
{
    return (int)((int64_t)html_reported(j, rank) * r.count / j->reported);
}

/* The index in job.rank of the first rank in a row. */
static int first_of(const struct job *j, struct rows r, int row)
{
    return (int)(((int64_t)row * j->reported + r.count - 1) / r.count);
}

void html_row_names(const struct html *h, struct rows r, int top)
{
    enum { LINE = 12 }; /* height of a name, in pixels; if rows are lower, only some of them have names */
    const int each = (LINE + r.height - 1) / r.height;
    char time[UNITS_TEXT];
    for (int row = 0; row < r.count; row++) {
        const struct job_rank *first = &h->j->rank[first_of(h->j, r, row)],
                              *last = &h->j->rank[first_of(h->j, r, row + 1) - 1];
        if (row % each != 0)
            continue;
        fprintf(h->f, "<text x='%d' y='%d' class='r'>%d", GUTTER - 6, top + row * r.height + r.height / 2 + 4, first->rank);
        if (last > first)
            fprintf(h->f, "&#8211;%d", last->rank);
        fprintf(h->f, "<title>rank %d on ", first->rank);
        html_text(h->f, first->host);
        fputs(": ", h->f);
        html_count(h->f, first->calls);
        fprintf(h->f, " calls, %s in them</title></text>\n", time_about(first->seconds, time));
    }
}

void html_legend(const struct html *h)
{
    bool used[64] = {false};
    assert(engine_count() <= 64);
    fputs("<p class='legend'>", h->f);
    for (int i = 0; i < h->j->groups[BY_SERVICE]; i++)
        used[h->j->group[BY_SERVICE][i].engine] = true;
    for (int i = 0; engines[i]; i++)
        if (used[i])
            fprintf(h->f, "<span><b style='background:%s'></b>%s</span> ", h->colour[i], engines[i]->name);
    fputs("<span><b class='waits'></b>waiting for others</span></p>\n", h->f);
}
