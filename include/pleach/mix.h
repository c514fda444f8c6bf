/* SPDX-License-Identifier: BSD-2-Clause */
/* Reproducible random numbers. */
#ifndef PLEACH_MIX_H
#define PLEACH_MIX_H

#include <stdint.h>

/* The output function of splitmix64 (Steele, Lea, Flood 2014): spreads a number over all 64 bits, one to one. */
static inline uint64_t mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
