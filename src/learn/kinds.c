/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds of calls: keys, places in a history, turns of candidates; see history.h. */
#include "common_start.h"
#include "hash.h"
#include "hot.h"
#include "judge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The first bit of each part of a key. KEY_USED is always set: no key is 0. */
enum { KEY_SIZE = 0, KEY_ROOT = 6, KEY_OP = 8, KEY_COLLECTIVE = 10, KEY_SUM = 13, KEY_USED = 14, SIZE_MASK = 63 };

/* Has this sum a kind apart from other operations that round? Trials may choose among engines that give it the same bits. */
static bool sum_alone(const struct facts *f)
{
    return f->symmetric && (f->ranks == 2 || f->collective == COLL_ALLREDUCE);
}

uint16_t kind_key(const struct facts *f)
{
    int size = 63 - __builtin_clzll((unsigned long long)f->bytes);
    return (uint16_t)(1 << KEY_USED | sum_alone(f) << KEY_SUM | (int)f->collective << KEY_COLLECTIVE | (int)f->op << KEY_OP |
                      (int)root_place(f->root, f->ranks) << KEY_ROOT | size << KEY_SIZE);
}

int kind_size_class(const struct kind *k)
{
    return k->key & SIZE_MASK;
}

/* Or a free place. */
static struct kind *place_of(struct history *h, uint16_t key)
{
    unsigned at = (unsigned)spread64(key) % KINDS;
    while (h->kind[at].key != key && h->kind[at].key != 0)
        at = (at + 1) % KINDS;
    return &h->kind[at];
}

struct kind *history_find(struct history *h, const struct facts *f)
{
    struct kind *k = place_of(h, kind_key(f));
    return k->key && !h->closed ? k : NULL;
}

bool history_open(const struct history *h)
{
    return !h->closed && h->kinds < KINDS - 1; /* one place stays free, which ends the search of place_of() */
}

struct kind *history_enter(struct history *h, const struct facts *f, bool shadow, int incumbent, const int *row,
                           const double *seconds, int count)
{
    struct kind *k = place_of(h, kind_key(f));
    assert(history_open(h) && !k->key && count >= 0 && count <= CANDIDATES);
    h->kinds++;
    *k = (struct kind){.key = kind_key(f),
                       .shadow = shadow,
                       .shares = f->machine->one_node && f->machine->cell > 0,
                       .candidates = (uint8_t)count,
                       .next = 1,
                       .bytes = f->bytes};
    k->incumbent = CANDIDATES;
    for (int i = 0; i < count; i++) {
        k->incumbent = row[i] == incumbent ? (uint8_t)i : k->incumbent;
        k->row[i] = (uint8_t)row[i];
        k->predicted[i] = (float)(seconds[i] / (double)f->bytes);
    }
    if (count <= 1)
        k->next = UINT32_MAX;
    return k;
}

void history_leave(struct kind *k)
{
    k->state = KIND_NEW;
    k->next = UINT32_MAX;
    memset(k->told, 0, sizeof k->told);
}

const struct kind *history_start(struct history *h, const struct kind_traits *traits, const struct rule *rule)
{
    const struct evidence *e = &rule->evidence;
    const double scale = 1e-6 / (double)e->at;
    const float seconds[] = {(float)(e->native_us * scale), (float)(e->us * scale)};
    const int best = __builtin_ctzll(rule->engine.rows), first = e->native_us > 0 ? 0 : 1;
    struct kind *k = place_of(h, traits->key);
    if (!history_open(h))
        return NULL;
    h->kinds++;
    *k = (struct kind){.key = traits->key,
                       .state = KIND_SETTLED,
                       .shadow = traits->shadow,
                       .again = traits->again,
                       .shares = traits->shares,
                       .own = true,
                       .incumbent = first ? CANDIDATES : 0,
                       .best = (uint8_t)best,
                       .next = traits->shadow && !traits->again ? UINT32_MAX : FIRST_CHECK,
                       .seconds = seconds[1],
                       .native = seconds[0],
                       .spread = 1,
                       .bytes = e->at};
    for (int i = first; i <= (best > 0); i++) {
        k->row[k->candidates] = i ? (uint8_t)best : 0;
        k->predicted[k->candidates] = seconds[i];
        k->told[k->candidates++] = (struct samples){seconds[i], seconds[i], seconds[i]};
    }
    return k;
}

/* ---- The next call --------------------------------------------------------------------------------------------------- */

int kind_live(const struct kind *k)
{
    int count = 0;
    for (int i = 0; i < k->candidates; i++)
        count += !k->dropped[i];
    return count;
}

int kind_candidate(const struct kind *k)
{
    int count = kind_live(k), left = (k->turn + (count % 2 ? 0 : k->round)) % count, i = 0;
    while (k->dropped[i] || left-- > 0)
        i++;
    return i;
}

HOT int kind_serves(const struct kind *k)
{
    if (k->shadow || k->state == KIND_NEW)
        return -1;
    return k->state == KIND_TRIED ? k->row[kind_candidate(k)] : k->best;
}

int kind_tries(const struct kind *k)
{
    return k->shadow && k->state == KIND_TRIED ? k->row[kind_candidate(k)] : -1;
}

HOT void kind_count(struct kind *k, const struct facts *f, const struct timed *when)
{
    if (k->calls < UINT32_MAX - 1) /* a `next` of UINT32_MAX is never reached */
        k->calls++;
    k->bytes = f->bytes;
    if (when && k->noted < TIMED) {
        k->timed_bytes[k->noted] = f->bytes;
        k->timed[k->noted++] = *when;
    }
}

float kind_least_predicted(const struct kind *k)
{
    float least = k->predicted[0];
    for (int i = 1; i < k->candidates; i++)
        least = fminf(least, k->predicted[i]);
    return least;
}

static bool takes_at_most(const struct kind *k, double seconds)
{
    return kind_least_predicted(k) * (double)(INT64_C(1) << kind_size_class(k)) <= seconds;
}

static bool kind_swift(const struct kind *k)
{
    return k->shares && takes_at_most(k, SHORT_MOST);
}

bool kind_short(const struct kind *k)
{
    return (INT64_C(1) << kind_size_class(k)) < SHORT_BYTES || kind_swift(k);
}

uint64_t kind_pause(const struct kind *k)
{
    return kind_swift(k) ? START_PAUSE : 0;
}

bool kind_warms(const struct kind *k)
{
    return takes_at_most(k, WARM_MOST) && (k->shadow || kind_short(k));
}

uint64_t kind_hash(uint64_t h, const struct kind *k)
{
    const float known[] = {k->seconds, k->native, k->spread};
    uint32_t bits[3];
    memcpy(bits, known, sizeof bits);
    const uint64_t words[] = {k->key,      k->state,   k->best,      k->round,  k->turn,        k->noted, k->calls, k->next,
                              k->confirms, k->checked, k->incumbent, k->warmed, k->implausible, k->own,
                              bits[0],     bits[1],    bits[2]};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        h = hash_add(h, words[i]);
    for (int i = 0; i < k->candidates; i++)
        h = hash_add(h, k->row[i] + (k->dropped[i] ? 256u : 0));
    return h;
}

bool kind_warming(const struct kind *k)
{
    return k->state == KIND_TRIED && !k->shadow && !k->warmed && kind_warms(k);
}
