/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Puts newcomers into places that are known. Each newcomer starts in row 0, the place of all hosts, and descends: it pings
 * some hosts of each part, and goes on in the nearest part, if this is near enough. A newcomer near no part is an orphan;
 * orphans near each other make a new part.
 *
 * If only rates under load tell the parts of a place apart, round trips do not show the part of a newcomer. If its two
 * neighbours by address lie in one part, the newcomer lies there, too.
 */
#include "infer_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMBERS = 2,        /* most hosts that a newcomer pings in each part */
    MEMBERS_INSIDE = 4, /* most hosts that a newcomer pings in a place without parts */
    PINGS_ORPHAN = 30,
};

/* The values of part[]: the host is known, descends, has arrived, or is an orphan; k >= 0: it lies in new place number k. */
enum { KNOWN = -1, DESCENDS = -2, ARRIVED = -3, ORPHAN = -4 };

/* Takes over the known tree. In w->member, the known hosts stand in the order of their places; newcomers follow them. */
static void load(struct work *w, const struct survey *known)
{
    int *next = w->scratch, newcomers = 0;
    w->rows = known->rows;
    memcpy(w->place, known->place, (size_t)known->rows * sizeof *w->place);
    memcpy(w->row, known->row, (size_t)w->hosts * sizeof *w->row);
    infer_count_parts(w);
    for (int row = 0; row < w->rows; row++)
        w->end[row] = 0; /* end[] counts hosts at first */
    for (int host = 0; host < w->hosts; host++)
        for (int row = w->row[host]; row >= 0; row = w->place[row].around)
            w->end[row]++;
    w->first[0] = next[0] = 0;
    for (int row = 0; row < w->rows; row++) {
        if (row > 0) {
            w->first[row] = next[row] = next[w->place[row].around];
            next[w->place[row].around] += w->end[row];
        }
        w->end[row] += w->first[row];
    }
    for (int host = 0; host < w->hosts; host++)
        if (w->row[host] >= 0) {
            w->member[next[w->row[host]]++] = host;
            w->part[host] = KNOWN;
        } else {
            w->member[w->end[0] + newcomers++] = host;
            w->row[host] = 0;
            w->part[host] = DESCENDS;
        }
}

/* Has the place parts that round trips tell apart? */
static bool has_parts(const struct work *w, int row)
{
    return w->parts[row] > 0 && !w->place[row].loaded;
}

/* Adds pings from a newcomer to some hosts of a place. The newcomers spread their pings over the hosts. */
static void ping_some(struct work *w, int newcomer, int row, int most)
{
    int hosts = w->end[row] - w->first[row];
    for (int k = 0; k < most && k < hosts; k++)
        add_probe(w, newcomer, w->member[w->first[row] + (newcomer + k) % hosts], PINGS_SURE);
}

static int part_around(const struct work *w, int row, int host)
{
    int part = w->row[host];
    while (w->place[part].around != row)
        part = w->place[part].around;
    return part;
}

static bool inside(const struct work *w, int row, int host)
{
    int around = w->row[host];
    while (around >= 0 && around != row)
        around = w->place[around].around;
    return around == row;
}

/* Is there a level left for a new place between this place and all that is inside it? */
static bool room_inside(const struct work *w, int row)
{
    int deepest = w->place[row].level;
    for (int i = row + 1; i < w->rows; i++)
        for (int around = i; around >= row; around = w->place[around].around)
            if (around == row && w->place[i].level > deepest)
                deepest = w->place[i].level;
    return deepest < w->depth;
}

/*
 * Moves a newcomer after its pings. The newcomer is near if its nearest host, w->speaker[newcomer], is within the cut of the
 * place, or if the place has no cut. A near newcomer goes on into the part of this host; in a place without parts, it has
 * arrived. Any other newcomer has arrived if the place has neither parts nor a level for a new place; else it is an orphan.
 */
static void step(struct work *w, int newcomer)
{
    int row = w->row[newcomer];
    bool near = w->place[row].cut == 0 || w->nearest[newcomer] <= w->place[row].cut;
    if (near && has_parts(w, row))
        w->row[newcomer] = part_around(w, row, w->speaker[newcomer]);
    else
        w->part[newcomer] = near || (!has_parts(w, row) && !room_inside(w, row)) ? ARRIVED : ORPHAN;
}

static bool descend(struct work *w)
{
    const int *begin = w->member + w->end[0], *end = w->member + w->hosts;
    for (;;) {
        for (const int *host = begin; host < end; host++) {
            int row = w->row[*host];
            if (w->part[*host] != DESCENDS)
                continue;
            w->nearest[*host] = INFINITY;
            for (int i = 0; has_parts(w, row) && i < w->parts[row]; i++)
                ping_some(w, *host, w->part_row[row] + i, MEMBERS);
            if (!has_parts(w, row))
                ping_some(w, *host, row, MEMBERS_INSIDE);
        }
        const struct probe *last = w->probe + w->probes;
        if (last == w->probe)
            return true;
        if (!infer_ping(w))
            return false;
        for (const struct probe *p = w->probe; p < last; p++)
            if (p->least < w->nearest[p->from]) {
                w->nearest[p->from] = p->least;
                w->speaker[p->from] = p->to;
            }
        for (const int *host = begin; host < end; host++)
            if (w->part[*host] == DESCENDS)
                step(w, *host);
    }
}

/* The new places, by number. */
struct fresh {
    int *around; /* row of the place around each new place */
    int count;
};

/*
 * Makes new places of orphans. In each place, one orphan makes a new place and pings the other orphans, and those near it
 * join the new place. This goes on until no orphan is left.
 */
static bool group_orphans(struct work *w, struct fresh *fresh)
{
    const int *begin = w->member + w->end[0], *end = w->member + w->hosts;
    for (bool any = true; any;) {
        int *first = w->scratch; /* of each place: the orphan that pings */
        any = false;
        for (int row = 0; row < w->rows; row++)
            first[row] = -1;
        for (const int *host = begin; host < end; host++) {
            int row = w->row[*host];
            if (w->part[*host] != ORPHAN)
                continue;
            any = true;
            if (first[row] >= 0)
                add_probe(w, first[row], *host, PINGS_ORPHAN);
            else {
                first[row] = *host;
                fresh->around[fresh->count] = row;
                w->part[*host] = fresh->count++;
            }
        }
        const struct probe *last = w->probe + w->probes;
        if (!infer_ping(w))
            return false;
        for (const struct probe *p = w->probe; p < last; p++)
            if (p->least <= w->place[w->row[p->to]].cut)
                w->part[p->to] = w->part[p->from];
    }
    return true;
}

/* Round trips did not divide this place, but it has orphans now. So its old hosts become a part, beside parts of orphans. */
static void push_down(struct work *w, int row)
{
    int inner = w->rows++;
    w->place[inner] = w->place[row];
    w->place[inner].around = row;
    w->place[inner].up = 0;
    w->first[inner] = w->first[row];
    w->end[inner] = w->end[row];
    for (int i = 1; i < inner; i++)
        if (w->place[i].around == row)
            w->place[i].around = inner;
    w->place[row].loaded = false;
    w->place[row].alpha = w->place[row].flow = 0;
    for (int host = 0; host < w->hosts; host++)
        if (w->row[host] == row) {
            if (w->part[host] < 0)
                w->row[host] = inner;
            else
                w->place[row].alpha = fmax(w->place[row].alpha, w->nearest[host] / 2);
        }
    infer_count_parts(w);
}

/*
 * Puts newcomers that follow each other by address into the part of both their neighbours. `part` is -1 if there are no two
 * neighbours in one part; then the newcomers make a new part.
 */
static void put_newcomers(struct work *w, const int *host, int hosts, int row, int part, struct fresh *fresh)
{
    for (int i = 0; i < hosts; i++)
        if (part >= 0)
            w->row[host[i]] = part;
        else
            w->part[host[i]] = fresh->count;
    if (part < 0 && hosts > 0)
        fresh->around[fresh->count++] = row;
}

/* Finds the parts of newcomers in a place where only rates under load tell the parts apart. */
static void look_around(struct work *w, int row, struct fresh *fresh)
{
    int *waiting = w->line, count = 0, before = -1;
    for (int i = 0; i < w->hosts; i++) {
        int host = w->order ? w->order[i] : i;
        if (w->part[host] == ARRIVED && w->row[host] == row)
            waiting[count++] = host;
        else if (w->part[host] == KNOWN && inside(w, row, host)) {
            int part = part_around(w, row, host);
            put_newcomers(w, waiting, count, row, part == before ? part : -1, fresh);
            before = part;
            count = 0;
        }
    }
    put_newcomers(w, waiting, count, row, -1, fresh);
}

/* Adds the new places to the tree, and makes the hosts of each of them neighbours in w->member. */
static void add_fresh(struct work *w, const struct fresh *fresh)
{
    int *next = w->scratch, *sorted = w->line;
    const int begin = w->end[0], end = w->hosts;
    memset(next, 0, (size_t)(fresh->count + 2) * sizeof *next);
    for (int i = begin; i < end; i++)
        next[(w->part[w->member[i]] < 0 ? fresh->count : w->part[w->member[i]]) + 1]++;
    for (int k = 0; k <= fresh->count; k++)
        next[k + 1] += next[k];
    for (int i = begin; i < end; i++)
        sorted[next[w->part[w->member[i]] < 0 ? fresh->count : w->part[w->member[i]]]++] = w->member[i];
    memcpy(w->member + begin, sorted, (size_t)(end - begin) * sizeof *sorted);
    for (int k = 0; k < fresh->count; k++)
        infer_add_place(w, fresh->around[k], begin + (k > 0 ? next[k - 1] : 0), begin + next[k]);
}

static bool join_newcomers(struct work *w)
{
    struct fresh fresh = {.around = w->speaker};
    if (!descend(w) || !group_orphans(w, &fresh))
        return false;
    for (int k = 0; k < fresh.count; k++)
        if (!has_parts(w, fresh.around[k]))
            push_down(w, fresh.around[k]);
    for (int level = 0; level < w->depth; level++) /* the outermost level first */
        for (int row = 0; row < w->rows; row++)
            if (w->place[row].loaded)
                look_around(w, row, &fresh);
    int from = w->rows;
    add_fresh(w, &fresh);
    return infer_split(w, from) && infer_racks(w, from) && infer_figures(w, from);
}

struct survey *infer_join(const struct prober *prober, const struct survey *known, int depth, const int *order)
{
    struct work w = {.prober = prober, .hosts = known->hosts, .depth = depth, .order = order};
    bool found = false;
    int newcomers = 0, most = PIVOTS;
    for (int host = 0; host < known->hosts; host++)
        newcomers += known->row[host] < 0;
    if (newcomers + 1 == known->hosts) /* a single host has no places to join */
        return infer_places(prober, known->hosts, depth, order, 0);
    for (int row = 1, parts = 0; row < known->rows; row++) {
        parts = known->place[row].around == known->place[row - 1].around ? parts + 1 : 1;
        most = parts * MEMBERS > most ? parts * MEMBERS : most;
    }
    if (infer_begin(&w, newcomers * most + 1)) {
        load(&w, known);
        found = join_newcomers(&w);
    }
    return infer_end(&w, found);
}
