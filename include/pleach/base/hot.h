/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * HOT marks functions that run in most native calls, or in most short calls through a segment. The compiler and the linker
 * put them side by side. After a long computation none of this code is in the caches, and the fewer pages and lines it
 * takes, the sooner a call has it: on two cores, an all-reduce of 4 KiB then takes an eighth less. A function that is always
 * inlined needs no mark.
 */
#pragma once

#define HOT __attribute__((hot))
