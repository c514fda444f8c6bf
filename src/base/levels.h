/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For loops that the compiler turns into vector instructions, once for each level of processors: GCC does so whatever
 * CFLAGS say, Clang only if it optimises. Loops begin at the start of a cache line. Without that alignment some loops lose
 * 40 %, and each change of a file moves the loss to other loops. Include it before all functions.
 */
#pragma once

#if defined __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* without optimisation there are no vectors */
#define VECTORS _Pragma("clang loop vectorize(assume_safety)")
#else
#pragma GCC optimize("O3", "align-loops=64")
#define VECTORS _Pragma("GCC ivdep")
#endif

#ifdef __x86_64__
enum { LEVELS = 2 };
#define TARGET_0
#define TARGET_1 __attribute__((target("avx2")))
#define EACH_LEVEL(X) X(0) X(1)
#else
enum { LEVELS = 1 };
#define TARGET_0
#define EACH_LEVEL(X) X(0)
#endif

/* The application's elements may have any type and any alignment. */
#define ELEMENT __attribute__((may_alias, aligned(1)))
