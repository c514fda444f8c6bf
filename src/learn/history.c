/* SPDX-License-Identifier: BSD-2-Clause */
/* See history.h. */
#include "history.h"

#include "hash.h"
#include "judge.h"
#include "own_memory.h"

#include <stddef.h>
#include <string.h>

void history_clear(struct history *h)
{
    memset(h, 0, offsetof(struct history, kind));
    for (int i = 0; i < KINDS; i++)
        if (h->kind[i].key)
            memset(&h->kind[i], 0, sizeof h->kind[i]);
}

void history_free(struct history *h)
{
    if (h)
        history_clear(h);
    own_memory_free_zeros(h);
}

uint64_t history_rows(const struct history *h)
{
    uint64_t rows = 0;
    for (const struct kind *k = h->kind; k < h->kind + KINDS; k++) {
        if (k->key && k->state == KIND_SETTLED)
            rows |= UINT64_C(1) << k->best;
        for (int i = 0; i < k->candidates && k->state == KIND_TRIED; i++)
            rows |= (uint64_t)!k->dropped[i] << k->row[i];
    }
    return rows;
}

/* Of all that must be the same on all ranks. */
static uint64_t hash_of(const struct history *h, const struct kind *of)
{
    uint64_t hash = mix64(mix64(h->syncs) + of->key) + (uint64_t)of->bytes;
    for (int i = 0; i < of->noted; i++)
        hash = mix64(hash + (uint64_t)of->timed_bytes[i]);
    for (const struct kind *k = h->kind; k < h->kind + KINDS; k++)
        hash = k->key ? kind_hash(hash, k) : hash;
    return hash;
}

static uint64_t since_sync(const struct history *h)
{
    uint64_t ns = 0;
    for (const struct kind *k = h->kind; k < h->kind + KINDS; k++)
        if (k->calls > k->added) {
            const double seconds = k->seconds > 0 ? k->seconds : kind_least_predicted(k);
            ns += (uint64_t)(1e9 * seconds * (double)k->bytes * (k->calls - k->added));
        }
    return ns;
}

void history_say(const struct history *h, const struct kind *k, const struct trial_budget *p, uint64_t word[WORDS])
{
    memset(word, 0, WORDS * sizeof word[0]);
    word[WORD_HASH] = hash_of(h, k);
    word[WORD_NOT_HASH] = ~word[WORD_HASH];
    word[WORD_LOST] = p->lost;
    word[WORD_NOT_SPENT] = ~(p->spent + since_sync(h));
    for (int i = 0; i < k->noted; i++) {
        word[WORD_PREEMPTED] += k->timed[i].preempted;
        word[WORD_TIMED + 2 * i] = k->timed[i].start;
        word[WORD_TIMED + 2 * i + 1] = k->timed[i].end;
    }
}

uint64_t history_spending(double seconds)
{
    return (uint64_t)(1e9 * seconds / TRIALS_SHARE);
}

static void mark_added(struct history *h)
{
    for (struct kind *k = h->kind; k < h->kind + KINDS; k++)
        k->added = k->calls;
}

bool history_hear(struct history *h, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p)
{
    h->syncs++;
    if (word[WORD_HASH] != ~word[WORD_NOT_HASH]) {
        h->closed = true;
        return false;
    }
    p->lost += (uint64_t)sync_ns;
    p->spent += since_sync(h);
    mark_added(h);
    switch (k->state) {
    case KIND_TRIED:
        return judge_trial(k, word, p);
    case KIND_SETTLED:
        if (!k->shadow)
            return judge_check(k, word, sync_ns);
        /* fall through */
    default:
        if (!judge_begin(k, word, sync_ns))
            k->next = judge_twice(k->next);
        return false;
    }
}
