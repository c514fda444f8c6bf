/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the tree of the places that inference found, without empty places and places of a single part; see infer.h. */
#include "infer_work.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* If the latency between the outermost places is at least this many times the latency inside them, they are sites. */
static const double SITES = 4;

/* A place that goes from the old tree to the new one. */
struct survey_entry {
    int row; /* in the old tree */
    int level;
    int lowest[PLACES_DEPTH + 1]; /* the lowest host of each place around it, and of itself, by level; the sort key */
};

/* The data of a place of the old tree. */
struct count {
    int lowest; /* lowest number of a host in it */
    int hosts;  /* number of hosts in it */
    int parts;  /* number of parts that have hosts */
    int only;   /* row of one of these parts */
    int row;    /* row in the new tree; without meaning if the place does not stay */
};

struct survey_tree {
    const struct found *place;
    int rows;
    struct count *count;
};

static void count_all(const struct survey_tree *t, const int *row, int hosts)
{
    for (int i = 0; i < t->rows; i++)
        t->count[i] = (struct count){.lowest = INT_MAX};
    for (int host = 0; host < hosts; host++)
        for (int i = row[host]; i >= 0; i = t->place[i].around) {
            t->count[i].hosts++;
            t->count[i].lowest = host < t->count[i].lowest ? host : t->count[i].lowest;
        }
    for (int i = 0; i < t->rows; i++)
        if (t->count[i].hosts > 0 && t->place[i].around >= 0) {
            t->count[t->place[i].around].parts++;
            t->count[t->place[i].around].only = i;
        }
}

/* Does the new tree have the place? A place with a single part and this part become one place. */
static bool stays(const struct survey_tree *t, int row)
{
    return t->count[row].hosts > 0 && (t->place[row].around < 0 || t->count[t->place[row].around].parts > 1);
}

static struct survey_entry entry_of(const struct survey_tree *t, int row)
{
    struct survey_entry e = {.row = row};
    int chain[PLACES_DEPTH + 1], levels = 0;
    for (int i = row; i >= 0; i = t->place[i].around)
        if (stays(t, i)) {
            assert(levels <= PLACES_DEPTH);
            chain[levels++] = i;
        }
    e.level = levels - 1;
    for (int level = 0; level < levels; level++)
        e.lowest[level] = t->count[chain[levels - 1 - level]].lowest;
    return e;
}

static int by_level(const void *a, const void *b)
{
    const struct survey_entry *x = a, *y = b;
    if (x->level != y->level)
        return x->level - y->level;
    for (int level = 0; level <= x->level; level++)
        if (x->lowest[level] != y->lowest[level])
            return x->lowest[level] - y->lowest[level];
    return 0;
}

/* The figures of a place. A place with a single part has the figures of the part, but the slower boundary of the two. */
static struct found content_of(const struct survey_tree *t, int row)
{
    double up = t->place[row].up;
    while (t->count[row].parts == 1) {
        row = t->count[row].only;
        up = t->place[row].up > up ? t->place[row].up : up;
    }
    struct found f = t->place[row];
    f.up = up;
    return f;
}

static void raise_to(double *figure, double value)
{
    *figure = value > *figure ? value : *figure;
}

/*
 * Sets each figure of a level to its largest value among the places there; the `up` of a place counts for the level around
 * the place. Also sets the depth, and `sites`.
 */
static void sum_up(struct survey *s)
{
    for (int i = 0; i < s->rows; i++) {
        const struct found *f = &s->place[i];
        raise_to(&s->reach[f->level].alpha, f->alpha);
        raise_to(&s->reach[f->level].flow, f->flow);
        if (f->level > 0)
            raise_to(&s->reach[f->level - 1].up, f->up);
        s->depth = f->level > s->depth ? f->level : s->depth;
    }
    s->sites = s->depth > 0 && s->reach[1].alpha > 0 && s->reach[0].alpha >= SITES * s->reach[1].alpha;
}

static size_t survey_bytes(int rows, int hosts)
{
    return sizeof(struct survey) + (size_t)rows * sizeof(struct found) + (size_t)hosts * sizeof(int);
}

bool survey_begin(struct draft *d, int rows, int hosts)
{
    d->count = malloc((size_t)rows * sizeof *d->count);
    d->entry = malloc((size_t)rows * sizeof *d->entry);
    d->survey = calloc(1, survey_bytes(2 * hosts, hosts)); /* as no place has a single part, 2 * hosts rows suffice */
    return d->count && d->entry && d->survey;
}

struct survey *survey_end(struct draft *d, bool wanted)
{
    struct survey *s = wanted ? d->survey : NULL;
    free(d->count);
    free(d->entry);
    if (!wanted)
        free(d->survey);
    return s;
}

/* Returns the row, in the new tree, of an old place or of the innermost place around it that stays; -1: there is none. */
static int new_row(const struct survey_tree *t, int row)
{
    while (row >= 0 && !stays(t, row))
        row = t->place[row].around;
    return row < 0 ? -1 : t->count[row].row;
}

void survey_fill(struct draft *d, const struct found *place, int rows, const int *row, int hosts)
{
    struct survey_tree t = {.place = place, .rows = rows, .count = d->count};
    struct survey *s = d->survey;
    count_all(&t, row, hosts);
    for (int i = 0; i < rows; i++)
        if (stays(&t, i))
            d->entry[s->rows++] = entry_of(&t, i);
    qsort(d->entry, (size_t)s->rows, sizeof *d->entry, by_level);
    struct survey *tight = realloc(s, survey_bytes(s->rows, hosts));
    d->survey = s = tight ? tight : s;
    s->hosts = hosts;
    s->row = (int *)&s->place[s->rows];
    for (int i = 0; i < s->rows; i++) {
        int old = d->entry[i].row;
        t.count[old].row = i;
        s->place[i] = content_of(&t, old);
        s->place[i].around = new_row(&t, place[old].around);
        s->place[i].level = d->entry[i].level;
    }
    for (int host = 0; host < hosts; host++)
        s->row[host] = new_row(&t, row[host]);
    sum_up(s);
}

struct survey *survey_part(const struct survey *all, const int *host, int hosts)
{
    int *row = malloc((size_t)hosts * sizeof *row);
    struct draft d;
    bool have = survey_begin(&d, all->rows, hosts) && row;
    for (int i = 0; have && i < hosts; i++)
        row[i] = all->row[host[i]];
    if (have)
        survey_fill(&d, all->place, all->rows, row, hosts);
    free(row);
    return survey_end(&d, have);
}

void survey_path(const struct survey *s, int host, int *path)
{
    for (int level = 0; level < s->depth; level++)
        path[level] = 0;
    for (int i = s->row[host]; i > 0; i = s->place[i].around)
        path[s->place[i].level - 1] = i;
}
