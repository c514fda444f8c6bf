/* SPDX-License-Identifier: BSD-2-Clause */
/* Space-time tables; see table.h. Each schedule runs twice, to measure the table and then to print it, and is not stored. */
#include "table.h"

#include <string.h>

enum { CELL = 2 * PIECE_TEXT, GAP = 2 };

/* Takes a rank's next exchange, and writes its entry; false at the end. */
static bool next_cell(struct walk *s, struct step *x, char *cell)
{
    char in[PIECE_TEXT] = "-", out[PIECE_TEXT] = "-";
    do
        if (!walk_next(s, x))
            return false;
    while (x->kind != STEP_EXCHANGE);
    if (x->from != NOBODY)
        piece_text(s->schedule.shape.blocks, x->b, in);
    if (x->to != NOBODY)
        piece_text(s->schedule.shape.blocks, x->a, out);
    snprintf(cell, CELL, "%s/%s", in, out);
    return true;
}

static int wider(int width, const char *text)
{
    int length = (int)strlen(text);
    return length > width ? length : width;
}

/* Returns the number of columns, and sets their width. */
static int64_t measure(const struct engine *e, const struct shape *shape, int first, int last, int *width)
{
    char cell[CELL];
    int64_t columns = 0;
    struct walk s;
    struct step x;
    *width = 1;
    for (int rank = first; rank <= last; rank++)
        for (engine_walk(e, &s, shape, rank); next_cell(&s, &x, cell);) {
            *width = wider(*width, cell);
            columns = x.when >= columns ? x.when + 1 : columns;
        }
    snprintf(cell, sizeof cell, "%lld", (long long)columns - 1);
    *width = wider(*width, cell);
    return columns;
}

/* Writes spaces from *column to column `to`, then the text. So no line ends with spaces. */
static void put_at(FILE *f, int64_t *column, int64_t to, const char *text)
{
    for (; *column < to && !ferror(f); ++*column)
        putc(' ', f);
    fputs(text, f);
    *column += (int64_t)strlen(text);
}

void schedule_table(FILE *f, const struct engine *e, const struct shape *shape, int first, int last)
{
    char text[CELL];
    int width;
    int64_t columns = measure(e, shape, first, last, &width);
    int label = snprintf(text, sizeof text, "rank %d", last);
    int64_t column = 0;

    put_at(f, &column, 0, "step");
    for (int64_t step = 0; step < columns && !ferror(f); step++) {
        int length = snprintf(text, sizeof text, "%lld", (long long)step);
        put_at(f, &column, label + step * (width + GAP) + GAP + (width - length) / 2, text);
    }
    putc('\n', f);
    for (int rank = first; rank <= last && !ferror(f); rank++) {
        struct walk s;
        struct step x;
        snprintf(text, sizeof text, "rank %*d", label - (int)strlen("rank "), rank);
        column = 0;
        put_at(f, &column, 0, text);
        for (engine_walk(e, &s, shape, rank); next_cell(&s, &x, text) && !ferror(f);)
            put_at(f, &column, label + x.when * (width + GAP) + GAP, text);
        putc('\n', f);
    }
}
