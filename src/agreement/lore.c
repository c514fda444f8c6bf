/* SPDX-License-Identifier: BSD-2-Clause */
/* Lore; see lore.h. */
#include "lore.h"

#include "hash.h"
#include "process.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LORE_MOST = 512 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects what follows; never held across an MPI call */
static struct {
    uint64_t group;
    struct kind kind;
} lore[LORE_MOST];
static unsigned kept; /* so far; the place of the next is kept % LORE_MOST */

uint64_t lore_group(const struct comm *c)
{
    int *rank = comm_world_ranks(c);
    uint64_t h = 1;
    if (!rank)
        return 0;
    for (int r = 0; r < c->ranks && h; r++)
        h = rank[r] == MPI_UNDEFINED ? 0 : mix64(h + (uint64_t)rank[r] + 0x9e3779b97f4a7c15u);
    free(rank);
    return h;
}

void lore_keep(uint64_t group, const struct kind *k)
{
    unsigned at = 0;
    if (!group)
        return;
    pthread_mutex_lock(&lock);
    while (at < LORE_MOST && (lore[at].group != group || lore[at].kind.key != k->key))
        at++;
    if (at == LORE_MOST)
        at = kept++ % LORE_MOST;
    lore[at].group = group;
    lore[at].kind = *k;
    pthread_mutex_unlock(&lock);
}

uint64_t lore_take(uint64_t group, struct ledger *ledger)
{
    uint64_t h = group;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; group && i < LORE_MOST && i < kept; i++)
        if (lore[i].group == group && ledger_inherit(ledger, &lore[i].kind))
            h = mix64(h + lore[i].kind.key + ((uint64_t)lore[i].kind.winner << 32));
    pthread_mutex_unlock(&lock);
    return h;
}
