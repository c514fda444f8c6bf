/* SPDX-License-Identifier: BSD-2-Clause */
/* The device memory that tests/device.c makes up, for programs that find its functions by dlsym(). */
#ifndef TESTS_MADE_DEVICE_H
#define TESTS_MADE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

/* So many bytes; there is no way to free them. */
typedef void *device_alloc_fn(size_t bytes);

/* What the processor may touch: the same bytes elsewhere, as a copy to the host would have them. */
typedef void *device_seen_fn(const void *device);

/* Is it device memory? */
typedef bool device_owns_fn(const void *address);

#endif
