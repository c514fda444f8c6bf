/* SPDX-License-Identifier: BSD-2-Clause */
/* Reproducible random numbers, and hashes. */
#pragma once

#include <stdint.h>

/* The output function of splitmix64 (Steele, Lea, Flood 2014), one-to-one. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Begin with any h, and add one number after the other. */
static inline uint64_t hash_add(uint64_t h, uint64_t x)
{
    return mix64(h + x + 0x9e3779b97f4a7c15u);
}

/* FNV-1a (Fowler, Noll, Vo; RFC 9923). */
static inline uint64_t hash_text(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *c = text; *c; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    return h;
}

/* For keys that differ in their low bits: times the golden ratio, the upper half. */
static inline uint64_t spread64(uint64_t x)
{
    return x * 0x9e3779b97f4a7c15u >> 32;
}
