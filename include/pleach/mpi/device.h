/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory: memory of a GPU, which a program passes to an MPI library that can send it. The processor must not touch
 * it. The GPU's driver tells which addresses are device memory, if the program has loaded one. We link and load no driver.
 */
#ifndef PLEACH_DEVICE_H
#define PLEACH_DEVICE_H

#include <stdbool.h>

/*
 * May this be device memory? Ask at each call: a driver may be loaded at any time. Ordinary memory (ordinary.h) takes a few
 * instructions; for other addresses it looks whether a library was loaded since the last time, under the loader's lock.
 */
bool device_possible(const void *address);

/* Is this device memory, by any of the drivers that device_possible() has found? Asks the drivers. */
bool device_memory(const void *address);

#endif
