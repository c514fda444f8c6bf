/* SPDX-License-Identifier: BSD-2-Clause */
/* See call_site.h. */
#include "call_site.h"

#include "frames.h"
#include "hash.h"
#include "origin.h"
#include "python.h"
#include "recalled.h"
#include "unwinder.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { OWN_FRAMES = 16 };

static int depth;

void call_site_open(int stack)
{
    depth = stack < CALL_SITE_FRAMES ? stack : CALL_SITE_FRAMES;
    if (depth <= 0)
        return;
    python_open(); /* perhaps loaded since the last call */
    if (unwinder_open())
        recalled_forget();
}

/*
 * As call_site_capture(). *plain: false if frames may differ between calls of a site. Some releases of libunwind give
 * addresses one byte too low.
 */
static int unwound(void *frame[], void *caller, bool *plain)
{
    void *all[CALL_SITE_FRAMES + OWN_FRAMES];
    int first = 0, frames = 0, kept = 0;
    if (depth > 0 && unwinder_frames)
        frames = unwinder_frames(all, depth + OWN_FRAMES);
    while (first < frames && all[first] != caller && (char *)all[first] + 1 != caller)
        first++;
    const int before = first < frames ? (int)((char *)caller - (char *)all[first]) : 0;
    for (; first < frames && !python_runs((char *)all[first] + before); first++)
        if (kept < depth)
            frame[kept++] = (char *)all[first] + before;
    if (kept == 0 && depth > 0)
        frame[kept++] = caller;
    *plain = first == frames;
    if (!*plain)
        kept += python_capture(frame + kept, depth < CALL_SITE_FRAMES - kept ? depth : CALL_SITE_FRAMES - kept);
    if (kept < CALL_SITE_FRAMES)
        frame[kept] = NULL;
    return kept;
}

#ifndef NDEBUG
static bool finds(void *const frame[], void *caller)
{
    void *other[CALL_SITE_FRAMES];
    bool plain;
    const int frames = unwound(other, caller, &plain);
    return memcmp(frame, other, (size_t)frames * sizeof other[0]) == 0;
}
#endif

void call_site_capture(void *frame[], void *caller)
{
    const int saved = errno;
    void *const here = __builtin_frame_address(0);
    bool plain;
    if (recalled_capture(here, caller, frame)) {
        assert(finds(frame, caller));
    } else {
        const int frames = unwound(frame, caller, &plain);
        if (plain)
            recalled_learn(here, frame, frames);
    }
    errno = saved;
}

/*
 * Frames to show: f[*first] to f[END - 1], END is returned. Without those of an MPI library inside (bindings), and of the C
 * library outside, but never none.
 */
static int shown(void *const frame[], const struct frame *f[CALL_SITE_FRAMES], int *first)
{
    int end = 0;
    *first = 0;
    frames_trim();
    while (end < CALL_SITE_FRAMES && frame[end]) {
        f[end] = frame_of(frame[end]);
        if (f[end]->type == FRAME_BEYOND_MAIN && end > 0)
            break;
        if (f[end++]->type == FRAME_MAIN)
            break;
    }
    while (*first < end - 1 && f[*first]->type == FRAME_MPI)
        ++*first;
    while (end - 1 > *first && f[end - 1]->type == FRAME_LIBC)
        end--;
    return end;
}

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile bool names; /* this thread has the lock, or is about to take it */

/* False if this thread has it: a signal handler has called exit(), and the frames may be half changed. */
static bool begin_naming(void)
{
    if (names)
        return false;
    names = true;
    pthread_mutex_lock(&naming);
    return true;
}

static void end_naming(void)
{
    pthread_mutex_unlock(&naming);
    names = false;
}

static char *put(char *to, const char *text, int length)
{
    memcpy(to, text, (size_t)length);
    return to + length;
}

int call_site_text(void *const frame[], char *text, int size)
{
    static const char outwards[] = " < ";
    const struct frame *f[CALL_SITE_FRAMES];
    char *to = text;
    int first = 0;
    assert(size >= CALL_SITE_TEXT);
    (void)size;
    const bool begun = begin_naming();
    const int end = begun ? shown(frame, f, &first) : 0;
    for (int i = first; i < end; i++) {
        to = i > first ? put(to, outwards, sizeof outwards - 1) : to;
        to = put(to, f[i]->name, f[i]->length);
    }
    if (begun)
        end_naming();
    to = to == text ? put(to, "-", 1) : to;
    *to = 0;
    return (int)(to - text);
}

/* False if it was there, or without room. */
static bool see(struct call_site_seen *seen, void *address)
{
    uint64_t slot = mix64((uintptr_t)address);
    for (;; slot++) {
        void **a = &seen->address[slot % (2 * CALL_SITE_SEEN)];
        if (*a == address || (!*a && seen->count == CALL_SITE_SEEN))
            return false;
        if (!*a) {
            *a = address;
            seen->count++;
            return true;
        }
    }
}

int call_site_origin(void *const frame[], struct call_site_seen *seen, char *text, int size)
{
    const struct frame *f[CALL_SITE_FRAMES];
    int first, length = 0;
    assert(size >= CALL_SITE_ORIGIN);
    if (!begin_naming())
        return 0;
    const int end = shown(frame, f, &first);
    for (int i = first; i < end && !length; i++)
        if (!python_name(frame[i]) && see(seen, frame[i]))
            length = origin_text((char *)frame[i] - 1, f[i]->name, text, size);
    end_naming();
    return length;
}
