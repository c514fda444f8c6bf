/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory: memory of a GPU, which a program passes to an MPI library that can send it. The processor must not touch
 * it. The GPU's driver tells which addresses are device memory, if the program has loaded one. We link and load no driver.
 */
#ifndef PLEACH_DEVICE_H
#define PLEACH_DEVICE_H

#include <stdbool.h>

/*
 * Is a driver in the process? Ask at each call: a driver may be loaded at any time. Takes some 20 to 40 ns if no library was
 * loaded since the last time.
 */
bool device_drivers(void);

/* Is this device memory, by any of the drivers that device_drivers() has found? */
bool device_memory(const void *address);

#endif
