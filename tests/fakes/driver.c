/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library with the queries for device memory that three drivers have. The test installs it under the names of the drivers.
 * The queries know the memory that device.c makes up, and answer for other addresses as the real drivers do. CUDA and
 * Level Zero know no memory until the program starts them (driver_start).
 */
#include "made_device.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int started, hip_error;
static void *const driver = &started, *const context = &hip_error;

void driver_start(void)
{
    started = 1;
}

static bool owns(const void *address)
{
    device_owns_fn *ask = (device_owns_fn *)dlsym(RTLD_DEFAULT, "device_owns");
    return ask && ask(address);
}

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address)
{
    if (!started)
        return 3; /* CUDA_ERROR_NOT_INITIALIZED */
    if (attribute != 2 || !owns((void *)address))
        return 1; /* CUDA_ERROR_INVALID_VALUE */
    *(unsigned *)value = 2;
    return 0;
}

int hipPointerGetAttributes(char *attributes, const void *address)
{
    if (!owns(address))
        return hip_error = 1; /* hipErrorInvalidValue */
    memset(attributes, 0, 40);
    memcpy(attributes + 8, &address, sizeof address);
    return 0;
}

int hipPeekAtLastError(void)
{
    return hip_error;
}

int hipGetLastError(void)
{
    int last = hip_error;
    hip_error = 0;
    return last;
}

int zeDriverGet(uint32_t *count, void **drivers)
{
    if (!started)
        return 0x78000001; /* ZE_RESULT_ERROR_UNINITIALIZED */
    if (*count > 0)
        drivers[0] = driver;
    *count = 1;
    return 0;
}

int zeContextCreate(void *of, const int *description, void **created)
{
    if (of != driver || *description != 0xd)
        abort();
    *created = context;
    return 0;
}

int zeMemGetAllocProperties(void *in, const void *address, char *properties, void **device)
{
    int kind, type = owns(address) ? 2 : 0;
    memcpy(&kind, properties, sizeof kind);
    if (in != context || kind != 0x17)
        abort();
    memcpy(properties + 16, &type, sizeof type);
    *device = NULL;
    return 0;
}
