/* SPDX-License-Identifier: BSD-2-Clause */
/* See columns.h. */
#include "columns.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { GAP = 2, UNIT = 5 };

struct column {
    int width;
    bool right;
};

static const char *shown(const char *cell)
{
    return *cell ? cell : "-";
}

/* 12, 1.5K, -99.0%, 12 MB/s; not a list as 0-3,8. */
static bool is_number(const char *text)
{
    text += *text == '+' || *text == '-';
    const char *unit = text + strspn(text, "0123456789.");
    return isdigit((unsigned char)*text) && strlen(unit) <= UNIT && !strpbrk(unit, "0123456789,-");
}

static struct column measure(int rows, int stride, const char *const *cell)
{
    struct column c = {0, false};
    int words = 0;
    for (int i = 0; i < rows; i++) {
        const char *text = shown(cell[i * stride]);
        c.width = (int)strlen(text) > c.width ? (int)strlen(text) : c.width;
        if (i > 0 && strcmp(text, "-") != 0) {
            c.right |= is_number(text);
            words += !is_number(text);
        }
    }
    c.right &= words == 0;
    return c;
}

/* Up to *room characters in all, each of them whole. */
static void put_cell(FILE *f, int before, const char *text, int after, int *room)
{
    int length = (int)strlen(text);
    before = before < *room ? before : *room;
    *room -= before;
    if (length > *room)
        for (length = *room; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    *room -= length;
    after = after < *room ? after : *room;
    *room -= after;
    fprintf(f, "%*s%.*s%*s", before, "", length, text, after, "");
}

static void put(FILE *f, int rows, int columns, const char *const *cell, int width, bool marks)
{
    struct column column[columns];
    for (int c = 0; c < columns; c++)
        column[c] = measure(rows, columns, cell + c);
    for (int r = 0; r < rows; r++) {
        int length = 0, room;
        for (int c = 0; c < columns; c++) {
            bool last = c == columns - 1 && !column[c].right;
            length += last ? (int)strlen(shown(cell[c])) : column[c].width;
            length += c < columns - 1 ? GAP : 0;
        }
        bool cut = width > 2 && length > width;
        const bool bold = marks && **cell == '*';
        room = cut ? width - 2 : length;
        fputs(bold ? "\033[1m" : "", f);
        for (int c = 0; c < columns; c++, cell++) {
            bool last = c == columns - 1;
            int pad = column[c].width - (int)strlen(shown(*cell));
            put_cell(f, column[c].right ? pad : 0, shown(*cell), (last ? 0 : GAP) + (column[c].right || last ? 0 : pad),
                     &room);
        }
        fprintf(f, "%s%s\n", cut ? ".." : "", bold ? "\033[0m" : "");
    }
}

FILE *columns_begin(struct columns *t)
{
    t->marks = false;
    return t->stream = open_memstream(&t->text, &t->size);
}

bool columns_end(struct columns *t, FILE *f, int width)
{
    bool good = !ferror(t->stream);
    int rows = 0, cells = 0;
    good = fclose(t->stream) == 0 && good;
    for (const char *c = t->text; good && *c; c++) {
        rows += *c == '\n';
        cells += *c == '\n' || *c == '\t';
    }
    const char **cell = good ? malloc((size_t)(cells + 1) * sizeof *cell) : NULL;
    char *rest = t->text;
    good = cell != NULL;
    for (int i = 0; good && i < cells; i++)
        cell[i] = strsep(&rest, "\t\n");
    if (good && rows > 0 && f)
        put(f, rows, cells / rows, cell, width, t->marks);
    free(cell);
    free(t->text);
    return good;
}

int columns_width(FILE *f)
{
    struct winsize size;
    return isatty(fileno(f)) && ioctl(fileno(f), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
