/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory: what a program has on a GPU, and passes to an MPI library that can send it. The processor must not touch
 * it. Whose an address is tells the driver, if the program has loaded one; nothing is linked, and nothing is loaded.
 */
#ifndef PLEACH_DEVICE_H
#define PLEACH_DEVICE_H

#include <stdbool.h>

/*
 * Is a driver in the process? One may come at any time, so this is asked at each call. Some 20 to 40 ns, as long as no
 * library has been loaded since it was last asked.
 */
bool device_drivers(void);

/* Does a driver, of those that device_drivers() has found, say that memory at this address is not to be touched? */
bool device_memory(const void *address);

#endif
