/* SPDX-License-Identifier: BSD-2-Clause */
/* See memo.h. */
#include "memo.h"

#include "hash.h"
#include "hot.h"
#include "own_memory.h"

#include <stdatomic.h>

/* Kinds on a communicator, and in a process: some 16 MiB with their operations. */
enum { MOST = 256, PROCESS_MOST = 4096, PLACES = 2 * MOST };

static _Atomic int64_t entries; /* of all memos, without their first ones */

static inline bool same(const struct memo_entry *x, const struct memo_key *key)
{
    const struct memo_key *k = &x->key;
    return key->count >= x->least && key->count <= x->most && k->datatype == key->datatype && k->op == key->op &&
           k->root == key->root && k->collective == key->collective && k->in_place == key->in_place;
}

static uint64_t hash_of(const struct memo_key *k)
{
    const uint64_t call = (uint64_t)k->root << 8 | (uint64_t)k->collective << 1 | k->in_place;
    const uint64_t band = (uint64_t)(k->count & ~band_bits(k->count));
    return mix64(mix64(mix64(band ^ call << 32) + k->datatype) + k->op);
}

static struct memo_entry **slot_of(const struct memo *m, const struct memo_key *key)
{
    uint64_t i = hash_of(key);
    while (m->slot[i % PLACES] && !same(m->slot[i % PLACES], key))
        i++;
    return &m->slot[i % PLACES];
}

HOT struct memo_entry *memo_find(struct memo *m, const struct memo_key *key)
{
    struct memo_entry *const latest = m->latest;
    if (latest && same(latest, key))
        return latest;
    struct memo_entry *found = latest ? latest->next : NULL;
    if (found && same(found, key))
        return m->latest = found;
    found = m->slot ? *slot_of(m, key) : NULL;
    if (!found && m->begun && same(&m->first, key))
        found = &m->first;
    if (found && latest)
        latest->next = found;
    m->latest = found ? found : latest;
    return found;
}

/* Behind the first. NULL: no memory, or enough of them. */
static struct memo_entry *new_entry(struct memo *m)
{
    struct memo_entry *x = NULL;
    if (!m->slot)
        m->slot = own_memory(PLACES * sizeof(struct memo_entry *));
    if (!m->slot || m->used == MOST)
        return NULL;
    if (atomic_fetch_add(&entries, 1) < PROCESS_MOST)
        x = own_memory(sizeof *x);
    entries -= !x;
    m->used += x != NULL;
    return x;
}

static void empty(struct memo *m)
{
    for (int i = 0; i < PLACES && m->used > 0; i++)
        if (m->slot[i]) {
            operation_end(&m->slot[i]->operation);
            own_memory_free(m->slot[i]);
            m->slot[i] = NULL;
            m->used--;
            entries--;
        }
    m->latest = m->first.next = NULL;
}

struct memo_entry *memo_place(struct memo *m, const struct memo_key *key)
{
    struct memo_entry *x = memo_find(m, key);
    if (x)
        return x;
    x = m->begun ? new_entry(m) : NULL;
    if (!x && m->used > 0) {
        empty(m);
        x = new_entry(m);
    }
    if (x)
        *slot_of(m, key) = x;
    else {
        operation_end(&m->first.operation);
        m->first = (struct memo_entry){.valid = false};
        x = &m->first;
    }
    m->begun = true;
    x->key = *key;
    x->least = x->most = key->count;
    return m->latest = x;
}

void memo_extend(struct memo_entry *x, int64_t count)
{
    const struct answer *a = &x->answer;
    const int64_t bits = band_bits(count), bytes = a->question.facts.bytes;
    x->key.count = x->view.count = x->least = x->most = count;
    x->size = bytes > 0 ? bytes / count : 0;
    if (a->most == a->least || x->size == 0)
        return;
    const int64_t least = ceil_div(a->least, x->size), most = a->most / x->size;
    x->least = least > (count & ~bits) ? least : count & ~bits;
    x->most = most < (count | bits) ? most : count | bits;
}

void memo_free(struct memo *m)
{
    operation_end(&m->first.operation);
    empty(m);
    own_memory_free(m->slot);
}
