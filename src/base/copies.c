/* SPDX-License-Identifier: BSD-2-Clause */
/* See copies.h. */
#include "copies.h"

#include <stdint.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096 }; /* copied at once, and then still in the cache */

#ifdef __SSE2__
#include <emmintrin.h>

enum { VECTOR = sizeof(__m128i) };

/* Writes whole lines: else the processor would read them first. */
static void copy_lines(char *to, const char *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += LINE) {
        __m128i line[LINE / VECTOR];
        for (int i = 0; i < LINE / VECTOR; i++)
            line[i] = _mm_loadu_si128((const void *)(from + at + i * VECTOR));
        for (int i = 0; i < LINE / VECTOR; i++)
            _mm_stream_si128((void *)(to + at + i * VECTOR), line[i]);
    }
    _mm_sfence(); /* a store with release order does not wait for these */
}

void copy_past_cache(void *to, const void *from, size_t bytes)
{
    char *out = to;
    const char *in = from;
    size_t before = -(uintptr_t)out % LINE;
    before = before < bytes ? before : bytes;
    const size_t lines = (bytes - before) / LINE * LINE, end = before + lines;
    memcpy(out, in, before);
    copy_lines(out + before, in + before, lines);
    memcpy(out + end, in + end, bytes - end);
}
#else
void copy_past_cache(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

void claim_lines(void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        volatile char *first = (char *)at + i;
        *first = *first;
    }
}

void copy_and_claim(void *to, void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PAGE) {
        const size_t more = bytes - at < PAGE ? bytes - at : PAGE;
        memcpy((char *)to + at, (char *)from + at, more);
        claim_lines((char *)from + at, more);
    }
}
