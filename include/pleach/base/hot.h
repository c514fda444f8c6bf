/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HOT marks functions that run in each call or in each round. The compiler and the linker put them side by side. So a call
 * after a long computation finds its code in few pages and lines of the caches, of which nothing is left by then. A function
 * that is always inlined needs no mark.
 */
#ifndef PLEACH_HOT_H
#define PLEACH_HOT_H

#define HOT __attribute__((hot))

#endif
