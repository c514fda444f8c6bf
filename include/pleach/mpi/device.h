/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory is memory of a GPU, which a program may pass to MPI, but the processor must not access. The GPU's driver
 * knows it, if the program has loaded one; Pleach neither links nor loads it.
 */
#pragma once

#include <stdbool.h>

/*
 * May one of them be device memory? Ask at each call, as drivers may be loaded any time. A few instructions for ordinary
 * memory (ordinary.h), else mostly some ns.
 */
bool device_possible(const void *a, const void *b);

/* Does a driver that device_possible() has found call it device memory? */
bool device_memory(const void *address);
