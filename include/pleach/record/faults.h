/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page faults. MPI libraries allocate memory in native reductions and scans. glibc gives the top of its heap, and large
 * blocks, back to the system when they are freed, and the next call takes page faults for all of it. Variables of the
 * environment keep the memory.
 */
#pragma once

#include <stdint.h>

/* These variables, as a shell takes them. */
#define FAULTS_REMEDY "MALLOC_TRIM_THRESHOLD_=1073741824 MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TOP_PAD_=67108864"

/* The page faults of the calling thread so far, without those that read from a disk. Takes a system call. */
int64_t faults_now(void);

/*
 * The seconds that a page fault takes, measured at the first call; 0 if that fails, or if the environment keeps memory
 * already. Only one thread at a time may call it.
 */
double faults_cost(void);
