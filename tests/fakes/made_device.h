/* SPDX-License-Identifier: BSD-2-Clause */
/* The device memory that fakes/device.c makes up, for programs that find its functions by dlsym(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Allocates `bytes` bytes; no function frees them. */
typedef void *device_alloc_fn(size_t bytes);

/* Returns the address at which the processor may read and write these bytes. */
typedef void *device_seen_fn(const void *device);

/* Is it device memory? */
typedef bool device_owns_fn(const void *address);
