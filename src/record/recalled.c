/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code at an address has its return address at a fixed distance on the stack. So a call is at an earlier one's site if it
 * comes from the same address, at the same depth, and each return address lies in its place. A place is read only if the one
 * before is right.
 *
 * Code that takes varying amounts of the stack (alloca()) has no fixed distance: an old return address, not overwritten,
 * could pass for the present one.
 */
#include "recalled.h"

#include "hash.h"
#include "unwinder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Sites; frames of one; frames of Pleach before; calls between two learnt. */
enum { KEPT = 64, FRAMES = 8, BEFORE = 24, LEARN_EVERY = 32 };

static struct site {
    void *here;
    int frames;
    void *frame[FRAMES];
    void *const *place[FRAMES];
} kept[KEPT];

/* pthread_self(); 0: none yet. */
static _Atomic uintptr_t owner;
static unsigned misses;
static volatile bool learning; /* against signal handlers */

void recalled_forget(void)
{
    memset(kept, 0, sizeof kept);
}

static bool owns(void)
{
    const uintptr_t self = (uintptr_t)pthread_self();
    uintptr_t before = atomic_load_explicit(&owner, memory_order_relaxed);
    return before == self || (!before && atomic_compare_exchange_strong(&owner, &before, self));
}

static struct site *place_of(const void *here, const void *caller)
{
    return &kept[mix64((uintptr_t)here ^ (uintptr_t)caller << 16) % KEPT];
}

bool recalled_capture(void *here, void *caller, void *frame[])
{
    const struct site *s = place_of(here, caller);
    if (s->here != here || s->frame[0] != caller || learning || !owns())
        return false;
    for (int i = 1; i < s->frames; i++)
        if (*s->place[i] != s->frame[i])
            return false;
    for (int i = 0; i < s->frames; i++)
        frame[i] = s->frame[i];
    frame[s->frames] = NULL;
    return true;
}

struct sought {
    struct site *site;
    int found;
};

/* False: the last, or not where an x86 has return addresses. */
static bool find_place(void *to, void *ip, void *const *stack)
{
    struct sought *s = to;
    const bool fits = ip == s->site->frame[s->found];
    if (s->found > 0 && (!fits || stack[-1] != ip))
        return false;
    s->site->place[s->found] = stack - 1;
    s->found += fits;
    return s->found < s->site->frames;
}

void recalled_learn(void *here, void *const frame[], int frames)
{
    struct site s = {.frames = frames};
    struct sought search = {.site = &s};
    if (frames < 1 || frames > FRAMES || learning || !owns() || misses++ % LEARN_EVERY != 0)
        return;
    learning = true;
    memcpy(s.frame, frame, (size_t)frames * sizeof frame[0]);
    unwinder_walk(BEFORE + FRAMES, find_place, &search);
    if (search.found == frames) {
        s.here = here;
        *place_of(here, frame[0]) = s;
    }
    learning = false;
}
