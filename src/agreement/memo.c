/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps what is known of calls that come again; see memo.h. */
#include "memo.h"

#include "hash.h"
#include "hot.h"
#include "own_memory.h"

#include <stdatomic.h>

/*
 * By hand: the most kinds of calls on a communicator are more than a program makes by turns, and those of a process take
 * some 16 MiB with their operations.
 */
enum { MOST = 256, PROCESS_MOST = 4096 };

static _Atomic int64_t entries; /* behind the first ones, of all memos */

static inline bool same(const struct memo_entry *x, const struct memo_key *key)
{
    const struct memo_key *k = &x->key;
    return k->count == key->count && k->datatype == key->datatype && k->op == key->op && k->root == key->root &&
           k->collective == key->collective && k->in_place == key->in_place;
}

static uint64_t hash_of(const struct memo_key *k)
{
    const uint64_t call = (uint64_t)k->root << 8 | (uint64_t)k->collective << 1 | k->in_place;
    return mix64(mix64(mix64((uint64_t)k->count ^ call << 32) + k->datatype) + k->op);
}

static bool is_entry(const void *kept, int64_t entry, const void *key)
{
    return same(((struct memo_entry *const *)kept)[entry], key);
}

HOT struct memo_entry *memo_find(struct memo *m, const struct memo_key *key)
{
    if (m->latest && same(m->latest, key))
        return m->latest;
    const int64_t entry = m->used > 0 ? index_find(&m->index, hash_of(key), is_entry, m->kept, key) : -1;
    struct memo_entry *const found = entry >= 0 ? m->kept[entry] : m->begun && same(&m->first, key) ? &m->first : NULL;
    m->latest = found ? found : m->latest;
    return found;
}

static void forget(struct memo_entry *x)
{
    operation_end(&x->operation);
    *x = (struct memo_entry){.valid = false};
}

/* Makes memory for the list of entries and their index, unless there is some. */
static bool begin_table(struct memo *m)
{
    if (!m->kept)
        m->kept = own_memory(MOST * sizeof *m->kept);
    if (!m->index.slots && (m->index.slot = own_memory(2 * MOST * sizeof *m->index.slot)))
        m->index.slots = 2 * MOST; /* at most half of the slots are taken */
    return m->kept && m->index.slots;
}

/* Makes memory for one more entry. Returns false if memory is short, or there are enough of them. */
static bool grow(struct memo *m)
{
    if (m->made == MOST || atomic_fetch_add(&entries, 1) >= PROCESS_MOST || !begin_table(m) ||
        !(m->kept[m->made] = own_memory(sizeof(struct memo_entry)))) {
        entries -= m->made < MOST;
        return false;
    }
    m->made++;
    return true;
}

/* Returns an entry for one more kind, behind the first one. If there is none, empties all of them; NULL: there is none. */
static struct memo_entry *next_entry(struct memo *m)
{
    if (m->used == m->made && !grow(m)) {
        for (int64_t i = 0; i < m->used; i++)
            forget(m->kept[i]);
        index_clear(&m->index);
        m->used = 0;
    }
    return m->made > 0 ? m->kept[m->used] : NULL;
}

struct memo_entry *memo_take(struct memo *m, const struct memo_key *key)
{
    struct memo_entry *x = memo_find(m, key);
    if (x)
        return x;
    x = m->begun ? next_entry(m) : NULL;
    if (x)
        index_add(&m->index, hash_of(key), m->used++);
    else
        forget(x = &m->first);
    m->begun = true;
    x->key = *key;
    return m->latest = x;
}

void memo_free(struct memo *m)
{
    operation_end(&m->first.operation);
    for (int64_t i = 0; i < m->made; i++) {
        operation_end(&m->kept[i]->operation);
        own_memory_free(m->kept[i]);
    }
    entries -= m->made;
    own_memory_free(m->kept);
    own_memory_free(m->index.slot);
}
