/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Remembers choices for simulated ranks. A choice depends on its arguments alone, and nine in ten choices repeat an earlier
 * one, of another rank or in another history. So each choice is made once, and kept under a key of all that it depends on.
 * The linker puts these functions in the place of the real ones; see tests.am.
 */
#pragma once

#include "choose.h"
#include "hash.h"

#include <string.h>

struct plan __real_choose_answer(const struct settings *s, const struct policy *p, const struct question *q,
                                 struct choices *unused);
struct plan __wrap_choose_answer(const struct settings *s, const struct policy *p, const struct question *q,
                                 struct choices *unused);
int __real_choose_candidates(const struct settings *s, const struct policy *p, const struct facts *f, struct choices *unused,
                             int row[CANDIDATES], double seconds[CANDIDATES]);
int __wrap_choose_candidates(const struct settings *s, const struct policy *p, const struct facts *f, struct choices *unused,
                             int row[CANDIDATES], double seconds[CANDIDATES]);

enum { REMEMBERED = 1 << 18, KEY_WORDS = 11 };

/*
 * All that a choice depends on. A simulated machine (set_machine() in simulated.h) has one factor for all native calls, the
 * same algorithms of MPI for all collectives, and no places.
 */
struct key {
    uint64_t word[KEY_WORDS];
};

static inline struct key key_of(const struct settings *s, const struct rule *rule, const struct facts *f, int learned,
                                bool trial)
{
    const struct machine *m = f->machine;
    struct key k = {{(uintptr_t)s, (uintptr_t)rule, (uint64_t)f->collective << 32 | (uint64_t)f->op << 16 | f->barred,
                     (uint64_t)f->ranks << 32 | (uint64_t)f->root, (uint64_t)f->bytes, (uint64_t)f->units,
                     (uint64_t)learned << 32 | (uint64_t)trial << 1 | f->symmetric,
                     (uint64_t)m->nodes << 32 | (uint64_t)m->node_ranks,
                     (uint64_t)m->oversubscribed << 48 | (uint64_t)m->cell << 8 | (uint64_t)m->busy << 3 |
                         (uint64_t)m->shared_tried << 2 | (uint64_t)m->one_node << 1 | m->measured,
                     (uint64_t)m->algorithms.of[0] << 1 | m->algorithms.carried}};
    memcpy(&k.word[KEY_WORDS - 1], &m->native[0][0], sizeof(double));
    return k;
}

/* The row of the table for this key. Other keys may have the same row. */
static inline uint64_t key_place(const struct key *k)
{
    uint64_t h = 0;
    for (int i = 0; i < KEY_WORDS; i++)
        h = mix64(h + k->word[i] + 0x9e3779b97f4a7c15u);
    return h % REMEMBERED;
}

struct plan __wrap_choose_answer(const struct settings *s, const struct policy *p, const struct question *q,
                                 struct choices *unused)
{
    static struct {
        struct key key;
        struct plan plan;
    } kept[REMEMBERED], *at;
    (void)unused;
    const struct key key = key_of(s, q->rule, &q->facts, q->learned, q->trial);
    at = &kept[key_place(&key)];
    if (!at->plan.engine || memcmp(&at->key, &key, sizeof key) != 0) {
        at->key = key;
        at->plan = __real_choose_answer(s, p, q, NULL);
    }
    return at->plan;
}

int __wrap_choose_candidates(const struct settings *s, const struct policy *p, const struct facts *f, struct choices *unused,
                             int row[CANDIDATES], double seconds[CANDIDATES])
{
    static struct {
        struct key key;
        int count, row[CANDIDATES];
        double seconds[CANDIDATES];
    } kept[REMEMBERED], *at;
    (void)unused;
    const struct key key = key_of(s, NULL, f, -1, false);
    at = &kept[key_place(&key)];
    if (!at->key.word[0] || memcmp(&at->key, &key, sizeof key) != 0) {
        at->key = key;
        at->count = __real_choose_candidates(s, p, f, NULL, at->row, at->seconds);
    }
    memcpy(row, at->row, sizeof at->row);
    memcpy(seconds, at->seconds, sizeof at->seconds);
    return at->count;
}
