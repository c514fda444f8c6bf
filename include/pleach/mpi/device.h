/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device memory is memory of a GPU. A program may pass it to an MPI library that can send it, but the processor must not
 * access it. If the program has loaded the GPU's driver, the driver knows which addresses are device memory. Pleach neither
 * links nor loads a driver.
 */
#pragma once

#include <stdbool.h>

/*
 * May one of these addresses be device memory? Ask again at each intercepted call, because the process may load a driver at
 * any time. The question takes a few instructions for ordinary memory (ordinary.h). For other addresses it takes some 5 ns
 * or, at most once in some milliseconds, 20 to 40 ns, if the process has loaded no library since the last question.
 */
bool device_possible(const void *a, const void *b);

/* Does any driver that device_possible() has found call this address device memory? */
bool device_memory(const void *address);
