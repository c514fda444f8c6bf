/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A synthetic machine, and a prober that measures on it.
 *
 * Each host has a path, which names the places that it lies in. A round trip between two hosts takes the time of the
 * innermost place that they share, times two factors. The first factor, from 0.8 to 1.3, is constant for the pair. The
 * second is drawn for each round trip: 1 plus 0.2 times an exponentially distributed number. If one of the hosts is busy,
 * 7 of 10 round trips take 300 us more. Streams get their max-min fair share of ports and uplinks, with 15 % of noise. A
 * clock adds up the times of the prober's batches.
 */
#pragma once

#include "hash.h"
#include "infer.h"
#include "place_text.h"
#include "units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SYNTHETIC_LEVELS = 3 };

/* A kind of machine. */
struct blueprint {
    const char *text;                 /* in the format of places_read() */
    int levels;                       /* levels of places, without that of hosts */
    double rtt[SYNTHETIC_LEVELS + 1]; /* us, by the number of places that two hosts share */
    double thinner[SYNTHETIC_LEVELS]; /* what all links inside a place carry, over what its uplink carries; 0: no uplinks */
};

struct synthetic {
    int hosts;
    int levels;                       /* levels of places */
    double rtt[SYNTHETIC_LEVELS + 1]; /* seconds */
    int *path;                        /* hosts * levels numbers of places, which are unique on a level */
    int *order;                       /* the hosts in the order of their places */
    bool *busy;
    double port;                      /* what a host's port carries, in bytes a second */
    double noise;                     /* 1; or 0 for no noise, except at busy hosts */
    double *uplink[SYNTHETIC_LEVELS]; /* what each place's uplink carries, over what a port carries; NULL: no uplinks */
    uint64_t seed, draws;
    int limit; /* batches until the prober gives up; 0 if it does not begin, < 0 if it never gives up */

    /* What was measured, and how long that took. */
    double pinging, streaming, sharing; /* seconds of batches of pings, of batches of streams, of sharing the results */
    int64_t pings, batches, probes;
};

/* ---- Chance ---------------------------------------------------------------------------------------------------------- */

/* A random number in [0, 1), which depends on the arguments alone. */
static inline double chance(uint64_t seed, uint64_t x)
{
    return (double)(mix64(mix64(seed) + x * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

static inline double draw(struct synthetic *m)
{
    return chance(m->seed, ++m->draws);
}

/* ---- Machines -------------------------------------------------------------------------------------------------------- */

static inline void *synthetic_zeros(int count, size_t size)
{
    void *memory = calloc((size_t)count, size);
    assert(memory);
    return memory;
}

/* Numbers the places inside place `row`, from `level` inwards, in the hosts' paths. next[level] is the next number. */
static inline void synthetic_fill(struct synthetic *m, const struct places *t, int row, int level, int *next)
{
    for (int part = places_part(row); level < m->levels && part < t->place[row].next; part = t->place[part].next) {
        for (int i = t->place[part].first; i < t->place[part].end; i++)
            m->path[m->order[i] * m->levels + level] = next[level];
        next[level]++;
        synthetic_fill(m, t, part, level + 1, next);
    }
}

/*
 * Adds the uplinks of a level; the inner levels already have theirs. An uplink carries 1/thinner of the sum that the uplinks
 * or ports just inside its place carry.
 */
static inline void synthetic_add_uplinks(struct synthetic *m, int level, double thinner)
{
    const double *inner = level + 1 < m->levels ? m->uplink[level + 1] : NULL;
    double *sum = synthetic_zeros(m->hosts, sizeof *sum);
    bool *seen = synthetic_zeros(m->hosts, sizeof *seen);
    for (int host = 0; host < m->hosts; host++) {
        const int *path = m->path + (size_t)host * (size_t)m->levels;
        if (!inner)
            sum[path[level]] += 1 / thinner;
        else if (!seen[path[level + 1]])
            sum[path[level]] += inner[path[level + 1]] / thinner;
        if (inner)
            seen[path[level + 1]] = true;
    }
    free(seen);
    m->uplink[level] = sum;
}

/* Makes a machine by this blueprint, with hosts in random order; `busy` is the share of busy hosts. */
static inline struct synthetic synthetic_new(const struct blueprint *b, double busy, uint64_t seed)
{
    const char *why;
    struct places *t = places_read(b->text, 20000, &why);
    assert(t && b->levels <= SYNTHETIC_LEVELS);
    struct synthetic m = {
        .hosts = places_ranks(t), .levels = b->levels, .port = 125e6, .noise = 1, .seed = seed, .limit = -1};
    m.path = synthetic_zeros(m.hosts * m.levels + 1, sizeof *m.path);
    m.order = synthetic_zeros(m.hosts, sizeof *m.order);
    m.busy = synthetic_zeros(m.hosts, sizeof *m.busy);
    for (int i = 0; i < m.hosts; i++)
        m.order[i] = i;
    for (int i = m.hosts - 1; i > 0; i--) {
        int k = (int)(draw(&m) * (i + 1)), swap = m.order[i];
        m.order[i] = m.order[k];
        m.order[k] = swap;
    }
    for (int i = 0; i < m.hosts; i++)
        m.busy[i] = draw(&m) < busy;
    for (int level = 0; level <= m.levels; level++)
        m.rtt[level] = b->rtt[level] * 1e-6;
    int next[SYNTHETIC_LEVELS] = {0};
    synthetic_fill(&m, t, 0, 0, next);
    for (int level = m.levels - 1; level >= 0; level--)
        if (b->thinner[level] > 0)
            synthetic_add_uplinks(&m, level, b->thinner[level]);
    places_free(t);
    return m;
}

static inline void synthetic_free(struct synthetic *m)
{
    free(m->path);
    free(m->order);
    free(m->busy);
    for (int level = 0; level < SYNTHETIC_LEVELS; level++)
        free(m->uplink[level]);
}

/* The number of levels, from the outermost one, on which two hosts share a place. */
static inline int synthetic_shared(const struct synthetic *m, int a, int b)
{
    int level = 0;
    while (level < m->levels && m->path[a * m->levels + level] == m->path[b * m->levels + level])
        level++;
    return level;
}

/* ---- Round trips ----------------------------------------------------------------------------------------------------- */

static inline double synthetic_round_trip(struct synthetic *m, int a, int b, double usual)
{
    double seconds = usual * (1 - m->noise * 0.2 * log(1 - draw(m)));
    if ((m->busy[a] || m->busy[b]) && draw(m) < 0.7)
        seconds += 300e-6;
    return seconds;
}

/* Performs a probe: sets its results, and returns the seconds that it takes. */
static inline double synthetic_probe(struct synthetic *m, struct probe *p)
{
    uint64_t low = (uint64_t)(p->from < p->to ? p->from : p->to), high = (uint64_t)(p->from < p->to ? p->to : p->from);
    double usual =
        m->rtt[synthetic_shared(m, p->from, p->to)] * (1 + m->noise * (0.5 * chance(~m->seed, low << 32 | high) - 0.2));
    double rtt[64], sum = 0;
    int pings = p->pings;
    assert(p->from != p->to && p->pings >= PINGS_LONG && p->pings <= 64);
    for (int i = 0; i < pings; i++) {
        sum += rtt[i] = synthetic_round_trip(m, p->from, p->to, usual);
        if (i == 1 && rtt[0] > PING_LONG && rtt[1] > PING_LONG)
            pings = PINGS_LONG;
    }
    qsort(rtt, (size_t)pings, sizeof rtt[0], ascending_numbers);
    p->least = rtt[0];
    p->median = rtt[pings / 2];
    m->pings += pings;
    return sum;
}

/* The seconds until all ranks have a result. It crosses the outermost boundary once, then spreads over near hosts. */
static inline double synthetic_share(const struct synthetic *m, int bytes)
{
    return m->rtt[0] / 2 + ceil(log2(m->hosts)) * m->rtt[m->levels] / 2 + bytes / m->port;
}

/*
 * A host begins its probes in their order, and has up to PINGS_OPEN of them open at once: it needs the time of a list
 * schedule on PINGS_OPEN lanes, plus the intervals between its pings. A batch takes as long as its slowest host.
 */
static inline bool synthetic_ping(void *self, struct probe *probe, int count)
{
    struct synthetic *m = self;
    if (m->batches == m->limit)
        return false;
    double *lane = synthetic_zeros(m->hosts * PINGS_OPEN, sizeof *lane), longest = 0;
    int64_t *sent = synthetic_zeros(m->hosts, sizeof *sent);
    for (struct probe *p = probe; p < probe + count; p++) {
        double *first = lane + (size_t)p->from * PINGS_OPEN, *const end = first + PINGS_OPEN;
        int64_t before = m->pings;
        for (double *l = first; l < end && *first != 0; l++)
            first = *l < *first ? l : first;
        *first += synthetic_probe(m, p);
        sent[p->from] += m->pings - before;
        longest = fmax(longest, *first + (double)sent[p->from] * PING_INTERVAL);
    }
    m->pinging += longest;
    m->sharing += synthetic_share(m, count * 8);
    m->batches++;
    m->probes += count;
    free(lane);
    free(sent);
    return true;
}

/* ---- Streams --------------------------------------------------------------------------------------------------------- */

/*
 * The resources of a stream from a to b: a's port, b's port, and at each boundary that it crosses, the uplink out and the
 * one in.
 */
enum { SYNTHETIC_USES = 2 + 2 * SYNTHETIC_LEVELS };

static inline int synthetic_uses(const struct synthetic *m, int a, int b, int use[SYNTHETIC_USES])
{
    int uses = 0;
    use[uses++] = 2 * a;
    use[uses++] = 2 * b + 1;
    for (int level = synthetic_shared(m, a, b); level < m->levels; level++)
        if (m->uplink[level]) {
            use[uses++] = 2 * (m->hosts * (level + 1) + m->path[a * m->levels + level]);
            use[uses++] = 2 * (m->hosts * (level + 1) + m->path[b * m->levels + level]) + 1;
        }
    return uses;
}

/*
 * Computes the max-min fair shares of streams, as parts of a port. It divides the scarcest resource first, which settles the
 * shares of the streams that use it.
 */
static inline void synthetic_shares(const struct synthetic *m, const int (*end)[2], int streams, double *share)
{
    int all = 2 * m->hosts * (m->levels + 1), *users = synthetic_zeros(all, sizeof *users), use[SYNTHETIC_USES];
    double *left = synthetic_zeros(all, sizeof *left);
    for (int i = 0; i < all; i++) {
        int level = i / 2 / m->hosts - 1;
        left[i] = level < 0 ? 1 : m->uplink[level] ? m->uplink[level][i / 2 % m->hosts] : INFINITY;
    }
    for (int i = 0; i < streams; i++) {
        share[i] = 0;
        for (int k = synthetic_uses(m, end[i][0], end[i][1], use); k-- > 0;)
            users[use[k]]++;
    }
    for (int open = streams; open > 0;) {
        double scarce = INFINITY;
        for (int i = 0; i < all; i++)
            if (users[i] > 0)
                scarce = fmin(scarce, left[i] / users[i]);
        for (int i = 0; i < streams; i++) {
            int uses = synthetic_uses(m, end[i][0], end[i][1], use);
            bool bound = false;
            for (int k = 0; k < uses && share[i] == 0; k++)
                bound |= users[use[k]] > 0 && left[use[k]] / users[use[k]] <= scarce * (1 + 1e-9);
            if (!bound)
                continue;
            share[i] = scarce;
            open--;
            for (int k = 0; k < uses; k++) {
                users[use[k]]--;
                left[use[k]] -= scarce;
            }
        }
    }
    free(users);
    free(left);
}

static inline bool synthetic_exchange(void *self, struct flow *flow, int count, int64_t bytes)
{
    struct synthetic *m = self;
    if (m->batches == m->limit)
        return false;
    int(*end)[2] = synthetic_zeros(2 * count, sizeof *end);
    double *share = synthetic_zeros(2 * count, sizeof *share), longest = 0;
    bool *seen = synthetic_zeros(m->hosts, sizeof *seen);
    for (int i = 0; i < count; i++) {
        assert(flow[i].a != flow[i].b && !seen[flow[i].a] && !seen[flow[i].b]);
        seen[flow[i].a] = seen[flow[i].b] = true;
        end[2 * i][0] = end[2 * i + 1][1] = flow[i].a;
        end[2 * i][1] = end[2 * i + 1][0] = flow[i].b;
    }
    synthetic_shares(m, (const int(*)[2])end, 2 * count, share);
    for (int i = 0; i < count; i++) {
        double usual = (double)bytes / m->port / fmin(share[2 * i], share[2 * i + 1]);
        usual += m->rtt[synthetic_shared(m, flow[i].a, flow[i].b)] / 2;
        flow[i].seconds = usual * (1 + m->noise * 0.15 * (2 * draw(m) - 1));
        longest = fmax(longest, flow[i].seconds);
    }
    m->streaming += longest;
    m->sharing += synthetic_share(m, count * 4);
    m->batches++;
    free(end);
    free(share);
    free(seen);
    return true;
}

static inline bool synthetic_begin(void *self, bool mine, int probes)
{
    const struct synthetic *m = self;
    return mine && probes > 0 && m->limit != 0;
}

static inline struct prober synthetic_prober(struct synthetic *m)
{
    return (struct prober){.self = m, .begin = synthetic_begin, .ping = synthetic_ping, .exchange = synthetic_exchange};
}
