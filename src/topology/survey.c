/* SPDX-License-Identifier: BSD-2-Clause */
/* See infer.h. */
#include "infer_work.h"

#include <stdlib.h>
#include <string.h>

/* At least this many times the latency inside. */
static const double SITES = 4;

struct survey *survey_new(int rows, int hosts)
{
    struct survey *s = calloc(1, sizeof *s + (size_t)rows * sizeof s->place[0] + (size_t)hosts * sizeof s->row[0]);
    if (s) {
        s->hosts = hosts;
        s->row = (int *)&s->place[rows];
    }
    return s;
}

static bool stays(const struct survey *s, int row)
{
    return s->place[row].around < 0 || s->place[s->place[row].around].parts > 1;
}

static void raise_to(double *figure, double value)
{
    *figure = value > *figure ? value : *figure;
}

static void count(struct survey *s)
{
    for (int i = 0; i < s->rows; i++)
        s->place[i].hosts = s->place[i].parts = 0;
    for (int host = 0; host < s->hosts; host++)
        for (int i = s->row[host]; i >= 0; i = s->place[i].around)
            if (s->place[i].hosts++ == 0 && i > 0)
                s->place[s->place[i].around].parts++;
}

/* A level has its places' largest figures, `up` counts for the level around. A single part's figures are its place's. */
void survey_lay_out(struct survey *s)
{
    count(s);
    for (int i = 0; i < s->rows; i++) {
        struct found *f = &s->place[i];
        if (f->hosts == 0)
            continue;
        f->level = i == 0 ? 0 : s->place[f->around].level + stays(s, i);
        if (f->parts != 1) {
            raise_to(&s->reach[f->level].alpha, f->alpha);
            raise_to(&s->reach[f->level].flow, f->flow);
        }
        if (f->level > 0)
            raise_to(&s->reach[f->level - 1].up, f->up);
        s->depth = f->level > s->depth ? f->level : s->depth;
    }
    s->sites = s->depth > 0 && s->reach[1].alpha > 0 && s->reach[0].alpha >= SITES * s->reach[1].alpha;
}

struct survey *survey_part(const struct survey *all, const int *host, int hosts)
{
    struct survey *s = survey_new(all->rows, hosts);
    if (!s)
        return NULL;
    s->rows = all->rows;
    memcpy(s->place, all->place, (size_t)all->rows * sizeof s->place[0]);
    for (int i = 0; i < hosts; i++)
        s->row[i] = all->row[host[i]];
    survey_lay_out(s);
    return s;
}

void survey_path(const struct survey *s, int host, int *path)
{
    for (int level = 0; level < s->depth; level++)
        path[level] = 0;
    for (int i = s->row[host]; i > 0; i = s->place[i].around)
        if (stays(s, i))
            path[s->place[i].level - 1] = i;
}
