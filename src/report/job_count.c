/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts a rank report, for which the merge has room. Rows count in the groups of their kinds (merge.h). The merge keeps
 * single calls until it has the other ranks' rank reports.
 */
#include "hash.h"
#include "merge.h"

/* ---- Groups --------------------------------------------------------------------------------------------------------- */

/*
 * The key of the group that a kind belongs to in a dimension. Fields that do not distinguish groups of this dimension get
 * fixed values.
 */
static struct job_group key_of(const struct job_group *k, int dimension)
{
    struct job_group key = {.collective = k->collective, .size = -1, .site = NULL};
    if (dimension == BY_SIZE || dimension == BY_SIZE_AND_SITE)
        key.size = k->size;
    if (dimension == BY_SITE || dimension == BY_SIZE_AND_SITE)
        key.site = k->site;
    if (dimension == BY_SERVICE) {
        key.engine = k->engine;
        key.would = k->would;
        key.reason = k->reason;
    }
    return key;
}

static uint64_t key_hash(const struct job_group *k)
{
    uint64_t h = mix64((uint64_t)k->collective + 1);
    h = mix64(h ^ (uint64_t)(k->size + 1));
    h = mix64(h ^ (uint64_t)k->engine << 32 ^ (uint64_t)k->would << 16 ^ (uint64_t)k->reason);
    return mix64(h ^ (uintptr_t)k->site);
}

static bool same_key(const struct job_group *a, const struct job_group *b)
{
    return a->collective == b->collective && a->size == b->size && a->engine == b->engine && a->would == b->would &&
           a->reason == b->reason && a->site == b->site;
}

static bool same_group(const void *entries, int64_t entry, const void *key)
{
    return same_key(&((const struct grown_group *)entries)[entry].group, key);
}

static bool same_kind(const void *entries, int64_t entry, const void *key)
{
    return same_key(&((const struct merge_kind *)entries)[entry].key, key);
}

static int64_t group_for(struct merge *j, const struct job_group *kind, int d)
{
    struct job_group key = key_of(kind, d);
    uint64_t hash = key_hash(&key);
    int64_t found = index_find(&j->group_index[d], hash, same_group, j->group[d], &key);
    if (found >= 0)
        return found;
    index_add(&j->group_index[d], hash, j->groups[d]);
    j->group[d][j->groups[d]] = (struct grown_group){.group = key, .rank = -1};
    return j->groups[d]++;
}

static int64_t kind_for(struct merge *j, const struct rank_row *r)
{
    struct job_group key = {.collective = r->collective, .size = r->size, .engine = r->engine, .would = r->would};
    key.reason = r->reason;
    key.site = r->site < 0 ? keep_text(j, "") : j->site[r->site];
    uint64_t hash = key_hash(&key);
    int64_t found = index_find(&j->kind_index, hash, same_kind, j->kind, &key);
    if (found >= 0)
        return found;
    struct merge_kind *k = &j->kind[j->kinds];
    k->key = key;
    for (int d = 0; d < DIMENSIONS; d++)
        k->group[d] = group_for(j, &key, d);
    index_add(&j->kind_index, hash, j->kinds);
    return j->kinds++;
}

static bool same_share(const void *entries, int64_t entry, const void *key)
{
    const struct share *a = (const struct share *)entries + entry, *b = key;
    return a->dimension == b->dimension && a->group == b->group && a->rank == b->rank;
}

/* The number of a rank's share in a group, in a job of logs, which has room for a new one; sets *known. */
static int64_t share_of(struct merge *j, int dimension, int64_t group, int rank, bool *known)
{
    const struct share key = {.dimension = dimension, .group = group, .rank = rank};
    const uint64_t hash = mix64(mix64((uint64_t)group << 3 ^ (uint64_t)dimension) ^ (uint64_t)rank);
    const int64_t found = index_find(&j->share_index, hash, same_share, j->share, &key);
    *known = found >= 0;
    if (*known)
        return found;
    index_add(&j->share_index, hash, j->shares);
    j->share[j->shares] = key;
    return j->shares++;
}

/* Counts the calls of a row of a rank. The rows of a rank report come together; those of logs may come by turns. */
static void count_in(struct merge *j, int rank, int d, int64_t group, const struct rank_row *r)
{
    struct grown_group *g = &j->group[d][group];
    if (g->rank != rank) {
        bool known = false;
        if (j->job.log)
            g->share = share_of(j, d, group, rank, &known);
        g->rank = rank;
        g->here = 0;
        g->group.ranks += !known;
    }
    double *const here = j->job.log ? &j->share[g->share].seconds : &g->here;
    *here += r->tally.seconds;
    if (*here > g->group.most || g->group.ranks == 1) {
        g->group.most = *here;
        g->group.most_rank = rank;
    }
    tally_add(&g->group.tally, &r->tally);
    if (d == BY_SERVICE)
        own_share_add(&g->group.own, r->own);
    if (r->would != 0)
        tally_add(&g->group.engines, &r->tally);
    if (r->would != 0 && !r->tried && !j->job.log)
        tally_add(&g->group.modelled, &r->tally);
    if (r->tried)
        tally_add(&g->group.tried, &r->tally);
}

void count_rows(struct merge *j, const struct rank_report *p, int64_t reporter)
{
    struct job_rank *rank = &j->reporter[reporter].rank;
    for (int i = 0; i < p->rows; i++) {
        const struct rank_row *r = &p->row[i];
        j->row_kind[i] = kind_for(j, r);
        const struct merge_kind *k = &j->kind[j->row_kind[i]];
        for (int d = 0; d < DIMENSIONS; d++)
            count_in(j, rank->rank, d, k->group[d], r);
        tally_add(&j->job.all, &r->tally);
        rank->calls += r->tally.calls;
        rank->seconds += r->tally.seconds;
    }
}

bool count_each(struct merge *j, double seconds)
{
    bool good = true;
    for (int d = 0; good && d < TABLES; d++)
        good = histogram_add(&j->group[d][j->kind[j->row_kind[0]].group[d]].group.times, job_ns(seconds), 1);
    return good;
}

/* ---- Single calls --------------------------------------------------------------------------------------------------- */

/*
 * Serves the search for the row to which a single call belongs. A single call has no reason, `would` or `tried`. If rows
 * differ in these properties alone, match[] has the row with most calls.
 */
struct matching {
    const struct rank_report *part;
    const int *match;
};

static bool same_row(const void *entries, int64_t entry, const void *key)
{
    const struct matching *m = entries;
    const struct rank_row *a = &m->part->row[m->match[entry]], *b = key;
    return a->collective == b->collective && a->size == b->size && a->engine == b->engine && a->site == b->site;
}

static uint64_t row_hash(const struct rank_row *r)
{
    return mix64(mix64((uint64_t)r->collective << 32 ^ (uint64_t)r->engine) ^ (uint64_t)(r->size + 1) << 32 ^
                 (uint64_t)(r->site + 1));
}

static void match_rows(struct merge *j, const struct rank_report *p)
{
    struct matching m = {p, j->match};
    index_clear(&j->match_index);
    j->matches = 0;
    for (int i = 0; i < p->rows; i++) {
        const struct rank_row *r = &p->row[i];
        int64_t found = index_find(&j->match_index, row_hash(r), same_row, &m, r);
        if (found < 0) {
            index_add(&j->match_index, row_hash(r), j->matches);
            j->match[j->matches++] = i;
        } else if (r->tally.calls > p->row[j->match[found]].tally.calls) {
            j->match[found] = i;
        }
    }
}

/* The kind of a single call: that of the row to which it belongs; -1 if the rank has no such row. */
static int64_t kind_of_call(const struct merge *j, const struct rank_report *p, const struct rank_call *c)
{
    struct matching m = {p, j->match};
    struct rank_row key = {
        .collective = c->collective, .size = rank_report_size(c->bytes), .engine = c->engine, .site = c->site};
    int64_t found = index_find(&j->match_index, row_hash(&key), same_row, &m, &key);
    return found < 0 ? -1 : j->row_kind[j->match[found]];
}

static bool same_call(const void *entries, int64_t entry, const void *key)
{
    const struct grown_call *a = &((const struct grown_call *)entries)[entry];
    const struct rank_call *b = key;
    return a->comm == b->comm && a->number == b->number;
}

static int64_t call_for(struct merge *j, const struct rank_call *c)
{
    uint64_t hash = mix64(mix64(c->comm) ^ (uint64_t)c->number);
    int64_t found = index_find(&j->call_index, hash, same_call, j->call, c);
    if (found >= 0)
        return found;
    struct grown_call *g = &j->call[j->calls];
    *g = (struct grown_call){.comm = c->comm, .number = c->number, .reporter = -1};
    g->call.ranks = c->ranks;
    g->call.collective = c->collective;
    g->call.bytes = c->bytes;
    g->broken = !rank_report_keeps(c->number, &g->call.each);
    index_add(&j->call_index, hash, j->calls);
    return j->calls++;
}

void count_calls(struct merge *j, const struct rank_report *p)
{
    struct reporter *t = &j->reporter[j->reporters];
    match_rows(j, p);
    t->first = j->reported_calls;
    t->calls = p->calls;
    for (int i = 0; i < p->calls; i++) {
        const struct rank_call *c = &p->call[i];
        int64_t number = call_for(j, c);
        struct grown_call *g = &j->call[number];
        g->broken |= g->reporter == (int)j->reporters || g->call.ranks != c->ranks || g->call.collective != c->collective;
        g->reporter = (int)j->reporters;
        const int64_t kind = kind_of_call(j, p, c);
        if (g->reported++ == 0 || p->rank < g->lowest) {
            g->lowest = p->rank;
            g->call.engine = c->engine;
            g->call.reason = kind < 0 ? REASON_NONE : j->kind[kind].key.reason;
            g->call.site = kind < 0 ? NULL : j->kind[kind].key.site;
        }
        j->reported[j->reported_calls++] = (struct reported){number, kind, c->start, c->seconds};
    }
}
