/* SPDX-License-Identifier: BSD-2-Clause */
/* See segment_cell.h. */
#include "segment_cell.h"

#include <stdlib.h>

bool cell_make(struct used_cell *c, int ranks, int64_t wide)
{
    const size_t p = (size_t)ranks;
    *c = (struct used_cell){.ranks = ranks, .wide = wide, .round = -1};
    bool have = (c->before = malloc(p * sizeof *c->before)) && (c->reads = malloc(p * (size_t)wide * sizeof *c->reads)) &&
                (c->place = calloc((size_t)wide, sizeof *c->place));
    for (size_t j = 0; have && j < p; j++)
        c->before[j] = -1;
    for (int64_t j = 0; have && j < wide; j++)
        c->place[j].written = -1;
    for (size_t j = 0; have && j < p * (size_t)wide; j++)
        c->reads[j] = -1;
    return have;
}

void cell_drop(struct used_cell *c)
{
    free(c->before);
    free(c->reads);
    free(c->place);
}

void cell_begin_round(struct used_cell *c, int64_t round)
{
    for (int64_t i = 0; i < c->wide; i++) {
        struct place_in_cell *p = &c->place[i];
        if (p->written >= 0 && c->before[p->writer] < p->written)
            c->before[p->writer] = p->written;
        for (int r = 0; r < c->ranks; r++) {
            int64_t *read = &c->reads[i * c->ranks + r];
            c->before[r] = c->before[r] > *read ? c->before[r] : *read;
            *read = -1;
        }
        p->value.set = false;
        p->written = -1;
    }
    c->round = round;
}

int cell_user(const struct used_cell *c, int64_t i, int rank, const int64_t *clock)
{
    for (int r = 0; r < c->ranks; r++)
        if (r != rank && (c->before[r] >= clock[r] || c->reads[i * c->ranks + r] >= clock[r]))
            return r;
    return NOBODY;
}

int cell_writer(const struct used_cell *c, int64_t i, int rank, const int64_t *clock)
{
    const struct place_in_cell *p = &c->place[i];
    return p->written >= 0 && p->writer != rank && p->written >= clock[p->writer] ? p->writer : NOBODY;
}

struct sim_value *cell_write(struct used_cell *c, int64_t i, int rank, const int64_t *clock)
{
    c->place[i].writer = rank;
    c->place[i].written = clock[rank];
    return &c->place[i].value;
}

struct sim_value *cell_read(struct used_cell *c, int64_t i, int rank, const int64_t *clock)
{
    c->reads[i * c->ranks + rank] = clock[rank];
    return &c->place[i].value;
}
