/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For loops that become vector instructions, once for each level of processors; Clang needs optimisation. Loops begin at a
 * cache line. Include it before all functions.
 */
#pragma once

#if defined __clang__
#pragma clang diagnostic ignored "-Wpass-failed" /* without optimisation */
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

/* Elements are the application's, at any alignment. */
#define ELEMENT __attribute__((may_alias, aligned(1)))
