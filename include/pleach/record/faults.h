/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page faults. Native reductions and scans allocate; glibc gives freed memory back to the system, and the next call takes
 * page faults for it. The environment can keep the memory.
 */
#pragma once

#include <stdint.h>

/* Variables that keep the memory, as a shell takes them. */
#define FAULTS_REMEDY "MALLOC_TRIM_THRESHOLD_=1073741824 MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TOP_PAD_=67108864"

/* The calling thread's page faults so far, without reads from a disk. Takes a system call. */
int64_t faults_now(void);

/* Seconds of a page fault, measured at the first call; 0: failed, or the environment keeps memory. One thread at a time. */
double faults_cost(void);
