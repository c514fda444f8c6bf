/* SPDX-License-Identifier: BSD-2-Clause */
/* See layout.h. */
#include "layout.h"

#include <stdlib.h>

/* The key: its node's number, later its node's lowest rank. */
struct layout_member {
    int key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct layout_member *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->rank > y->rank) - (x->rank < y->rank);
}

bool layout_of(const int *node, int p, struct machine *m, int *order)
{
    struct layout_member *member = malloc((size_t)p * sizeof *member);
    if (!member)
        return false;
    for (int r = 0; r < p; r++)
        member[r] = (struct layout_member){node[r], r};
    qsort(member, (size_t)p, sizeof *member, by_key);

    m->nodes = m->node_ranks = 0;
    m->node_least = p;
    for (int first = 0, end; first < p; first = end) {
        int number = member[first].key, lowest = member[first].rank;
        for (end = first; end < p && member[end].key == number; end++)
            member[end].key = lowest;
        m->nodes++;
        if (m->node_ranks < end - first)
            m->node_ranks = end - first;
        if (m->node_least > end - first)
            m->node_least = end - first;
    }
    qsort(member, (size_t)p, sizeof *member, by_key);

    m->gathered = m->consecutive = true;
    for (int r = 0; r < p; r++) {
        order[r] = member[r].rank;
        m->gathered = m->gathered && order[r] == r;
        m->consecutive = m->consecutive && m->gathered && member[r].key == r - r % m->node_ranks;
    }
    free(member);
    return true;
}

int layout_domain(const int *node, const int *domain, int p, const int *order)
{
    int ranks = 0, last = 0; /* of the domains that others follow; the most of those that end a node */
    for (int first = 0, end; first < p; first = end) {
        const int rank = order[first];
        for (end = first; end < p && node[order[end]] == node[rank] && domain[order[end]] == domain[rank]; end++)
            continue;
        const bool ends_node = end == p || node[order[end]] != node[rank];
        if (domain[rank] < 0 || (!ends_node && ranks && ranks != end - first))
            return 0;
        if (!ends_node)
            ranks = end - first;
        else if (last < end - first)
            last = end - first;
    }
    return last <= ranks ? ranks : 0;
}

int layout_hosts(const struct machine *m, const struct places *t)
{
    return t->depth - 1 - (m->node_ranks > 1);
}

/* Places are far apart if alpha between them exceeds that inside by this factor. */
#define FAR_LEVELS 4

void layout_reach(struct machine *m, struct places *t, const struct reach *reach)
{
    struct reach whole[PLACES_DEPTH + 1];
    const int hosts = layout_hosts(m, t);
    m->distant = false;
    for (int level = t->depth - 1; level >= 0; level--) {
        const struct figures *f = &m->figures[level > hosts ? LINK_NODE : LINK_NETWORK];
        const struct reach *r = &reach[level];
        whole[level] = (struct reach){.alpha = r->alpha > 0 ? r->alpha : f->alpha,
                                      .flow = r->flow > 0 ? r->flow : f->beta,
                                      .up = r->up > 0 ? r->up : f->beta};
        if (level < hosts)
            m->distant |= whole[level].alpha > FAR_LEVELS * whole[level + 1].alpha;
    }
    places_set_reach(t, whole, m->figures[m->nodes > 1 ? LINK_NETWORK : LINK_NODE].gap);
}
