/* SPDX-License-Identifier: BSD-2-Clause */
/* Inherited history; see inherited.h. */
#include "inherited.h"

#include "hash.h"
#include "hold.h"

#include <stdlib.h>
#include <string.h>

enum { INHERITED_MOST = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the table; never held across an MPI call */
static struct {
    uint64_t group;
    struct kind kind;
} inherited[INHERITED_MOST];
static unsigned kept; /* number of kinds kept so far; a new one goes to entry kept % INHERITED_MOST */

uint64_t inherited_group(const struct comm *c)
{
    int *rank = world_ranks(c->user, c->ranks);
    uint64_t h = 1;
    if (!rank)
        return 0;
    for (int r = 0; r < c->ranks && h; r++)
        h = rank[r] == MPI_UNDEFINED ? 0 : hash_add(h, (uint64_t)rank[r]);
    free(rank);
    return h;
}

void inherited_keep(uint64_t group, const struct kind *k)
{
    unsigned at = 0;
    if (!group)
        return;
    HOLD(lock);
    while (at < INHERITED_MOST && (inherited[at].group != group || inherited[at].kind.key != k->key))
        at++;
    if (at == INHERITED_MOST)
        at = kept++ % INHERITED_MOST;
    inherited[at].group = group;
    inherited[at].kind = *k;
}

uint64_t inherited_find(uint64_t group, struct history *history)
{
    uint64_t h = group;
    HOLD(lock);
    for (unsigned i = 0; group && i < INHERITED_MOST && i < kept; i++)
        if (inherited[i].group == group && history_inherit(history, &inherited[i].kind))
            h = kind_hash(h, &inherited[i].kind);
    return h;
}
