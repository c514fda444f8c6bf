/* SPDX-License-Identifier: BSD-2-Clause */
/* Schedules run twice: to measure, and to print. */
#include "schedule_table.h"

#include <string.h>

enum { CELL = 2 * PIECE_TEXT, GAP = 2 };
enum { IDLE = 100 }; /* steps before a late table */

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

struct extent {
    int64_t start, columns;
    int width;
};

static struct extent measure(const struct engine *e, const struct shape *shape, int first, int last)
{
    char cell[CELL];
    struct extent m = {.width = 1};
    int64_t end = 0;
    struct walk s;
    struct step x;
    for (int rank = first; rank <= last; rank++) {
        engine_walk(e, &s, shape, rank);
        if (next_cell(&s, &x, cell) && (end == 0 || x.when < m.start)) {
            m.start = x.when;
            end = x.when + 1;
        }
    }
    m.start = m.start < IDLE ? 0 : m.start;
    for (int rank = first; rank <= last; rank++)
        for (engine_walk(e, &s, shape, rank); next_cell(&s, &x, cell);) {
            m.width = wider(m.width, cell);
            end = x.when >= end ? x.when + 1 : end;
        }
    snprintf(cell, sizeof cell, "%lld", (long long)end - 1);
    m.width = wider(m.width, cell);
    m.columns = end - m.start;
    return m;
}

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
    const int label = snprintf(text, sizeof text, "rank %d", last);
    const struct extent m = measure(e, shape, first, last);
    int64_t column = 0;

    put_at(f, &column, 0, "step");
    for (int64_t i = 0; i < m.columns && !ferror(f); i++) {
        int length = snprintf(text, sizeof text, "%lld", (long long)(m.start + i));
        put_at(f, &column, label + i * (m.width + GAP) + GAP + (m.width - length) / 2, text);
    }
    putc('\n', f);
    for (int rank = first; rank <= last && !ferror(f); rank++) {
        struct walk s;
        struct step x;
        snprintf(text, sizeof text, "rank %*d", label - (int)strlen("rank "), rank);
        column = 0;
        put_at(f, &column, 0, text);
        for (engine_walk(e, &s, shape, rank); next_cell(&s, &x, text) && !ferror(f);)
            put_at(f, &column, label + (x.when - m.start) * (m.width + GAP) + GAP, text);
        putc('\n', f);
    }
}
