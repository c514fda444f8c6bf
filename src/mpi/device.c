/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The drivers of GPUs, as MPI libraries ask them:
 *
 *     CUDA         libcuda.so         cuPointerGetAttribute
 *     ROCm         libamdhip64.so     hipPointerGetAttributes
 *     Level Zero   libze_loader.so    zeMemGetAllocProperties
 *
 * CUDA and Level Zero know no memory until the program starts them; ROCm starts at the first question. Memory that moves by
 * itself may count as device memory: then MPI copies it, which is always correct.
 */
#include "device.h"

#include "hold.h"
#include "hot.h"
#include "ordinary.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* ---- CUDA ------------------------------------------------------------------------------------------------------------ */

/* As in cuda.h. Not 0: unknown address. */
enum { CUDA_MEMORY_TYPE = 2, CUDA_HOST = 1 };
static int (*cuda_attribute)(void *value, int attribute, uintptr_t address);

static void cuda_find(void *library)
{
    cuda_attribute = (__typeof__(cuda_attribute))dlsym(library, "cuPointerGetAttribute");
}

static bool cuda_owns(const void *address)
{
    unsigned type = CUDA_HOST;
    return cuda_attribute && cuda_attribute(&type, CUDA_MEMORY_TYPE, (uintptr_t)address) == 0 && type != CUDA_HOST;
}

/* ---- ROCm ------------------------------------------------------------------------------------------------------------ */

/* As in hip_runtime_api.h. Numbers of memory types differ by release, so addresses tell. */
struct hip_attributes {
    int type, device;
    void *on_device, *on_host;
    int managed;
    unsigned flags;
    uint64_t room[8]; /* for later releases */
};
static int (*hip_attributes)(struct hip_attributes *attributes, const void *address);
static int (*hip_peek_error)(void), (*hip_take_error)(void);

static void hip_find(void *library)
{
    hip_attributes = (__typeof__(hip_attributes))dlsym(library, "hipPointerGetAttributes");
    hip_peek_error = (__typeof__(hip_peek_error))dlsym(library, "hipPeekAtLastError");
    hip_take_error = (__typeof__(hip_take_error))dlsym(library, "hipGetLastError");
}

/* Clears an error that some releases keep for an unknown address: not the program's. */
static bool hip_owns(const void *address)
{
    struct hip_attributes a = {0};
    if (!hip_attributes)
        return false;
    bool clean = hip_peek_error && hip_take_error && hip_peek_error() == 0;
    bool known = hip_attributes(&a, address) == 0;
    if (!known && clean)
        hip_take_error();
    return known && a.on_device && !a.on_host;
}

/* ---- Level Zero ------------------------------------------------------------------------------------------------------ */

/* As in ze_api.h. */
enum { ZE_CONTEXT_DESC = 0xd, ZE_ALLOCATION_PROPERTIES = 0x17, ZE_DEVICE = 2, ZE_SHARED = 3, ZE_MOST = 8 };
struct ze_context_desc {
    int kind;
    const void *next;
    uint32_t flags;
};
struct ze_allocation {
    int kind;
    void *next;
    int type;
    uint64_t id, page;
};
static int (*ze_drivers)(uint32_t *count, void **driver);
static int (*ze_create)(void *driver, const struct ze_context_desc *desc, void **context);
static int (*ze_properties)(void *context, const void *address, struct ze_allocation *properties, void **device);
static void *ze_context[ZE_MOST];
static _Atomic uint32_t ze_contexts;
static pthread_mutex_t ze_lock = PTHREAD_MUTEX_INITIALIZER;

static void ze_find(void *library)
{
    ze_drivers = (__typeof__(ze_drivers))dlsym(library, "zeDriverGet");
    ze_create = (__typeof__(ze_create))dlsym(library, "zeContextCreate");
    ze_properties = (__typeof__(ze_properties))dlsym(library, "zeMemGetAllocProperties");
}

/* Questions need a context: one for each driver. 0 until the program calls zeInit. */
static uint32_t ze_open(void)
{
    void *driver[ZE_MOST];
    uint32_t count = atomic_load(&ze_contexts), drivers = ZE_MOST;
    if (count > 0)
        return count;
    HOLD(ze_lock);
    count = atomic_load(&ze_contexts);
    if (count == 0 && ze_drivers && ze_create && ze_properties && ze_drivers(&drivers, driver) == 0) {
        for (uint32_t i = 0; i < drivers && i < ZE_MOST; i++)
            if (ze_create(driver[i], &(struct ze_context_desc){.kind = ZE_CONTEXT_DESC}, &ze_context[count]) == 0)
                count++;
        atomic_store(&ze_contexts, count);
    }
    return count;
}

static bool ze_owns(const void *address)
{
    const uint32_t count = ze_open();
    bool owns = false;
    for (uint32_t i = 0; i < count && !owns; i++) {
        struct ze_allocation a = {.kind = ZE_ALLOCATION_PROPERTIES};
        void *device = NULL;
        owns = ze_properties(ze_context[i], address, &a, &device) == 0 && (a.type == ZE_DEVICE || a.type == ZE_SHARED);
    }
    return owns;
}

/* ---- The drivers of this process ------------------------------------------------------------------------------------- */

enum { DRIVERS = 3 };
static const struct {
    const char *library; /* its file name begins so */
    void (*find)(void *library);
    bool (*owns)(const void *address);
} drivers[DRIVERS] = {
    {"libcuda.so", cuda_find, cuda_owns}, {"libamdhip64.so", hip_find, hip_owns}, {"libze_loader.so", ze_find, ze_owns}};

static _Atomic unsigned found;  /* a bit for each driver */
static _Atomic uint64_t looked; /* at so many loaded libraries */
static pthread_mutex_t look_lock = PTHREAD_MUTEX_INITIALIZER;

struct look {
    uint64_t loaded;
    char path[DRIVERS][PATH_MAX];
};

static int count_loaded(struct dl_phdr_info *library, size_t size, void *loaded)
{
    (void)size;
    *(uint64_t *)loaded = library->dlpi_adds;
    return 1; /* each entry has the number */
}

static int note_driver(struct dl_phdr_info *library, size_t size, void *to)
{
    struct look *look = to;
    const char *path = library->dlpi_name ? library->dlpi_name : "", *slash = strrchr(path, '/');
    (void)size;
    look->loaded = library->dlpi_adds;
    for (int i = 0; i < DRIVERS; i++)
        if (strncmp(slash ? slash + 1 : path, drivers[i].library, strlen(drivers[i].library)) == 0)
            snprintf(look->path[i], PATH_MAX, "%s", path);
    return 0;
}

/* Handles of dlopen() stay open: we keep pointers. */
static void look_for_drivers(void)
{
    static struct look look;
    HOLD(look_lock);
    if (atomic_load(&looked) == 0)
        ordinary_find();
    memset(&look, 0, sizeof look);
    dl_iterate_phdr(note_driver, &look);
    for (int i = 0; i < DRIVERS; i++) {
        void *library = look.path[i][0] && !(found >> i & 1) ? dlopen(look.path[i], RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (library) {
            drivers[i].find(library);
            atomic_fetch_or(&found, 1u << i);
        }
    }
    atomic_store(&looked, look.loaded);
}

static int64_t coarse_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * Counting loaded libraries takes a lock of the loader. Loading and starting a driver takes longer than the coarse clock
 * needs to go on, so a `no` holds until then.
 */
HOT bool device_possible(const void *a, const void *b)
{
    static _Atomic int64_t answered; /* the latest answer */
    uint64_t loaded = 0;
    if (ordinary_memory(a) && ordinary_memory(b))
        return false;
    const int64_t now = coarse_clock();
    if (atomic_load(&found) == 0 && atomic_load_explicit(&answered, memory_order_acquire) == now)
        return false;
    dl_iterate_phdr(count_loaded, &loaded);
    if (loaded != atomic_load(&looked))
        look_for_drivers();
    atomic_store_explicit(&answered, now, memory_order_release);
    return atomic_load(&found) != 0;
}

bool device_memory(const void *address)
{
    const unsigned here = atomic_load(&found);
    bool owned = false;
    for (int i = 0; i < DRIVERS && !owned; i++)
        owned = here >> i & 1 && drivers[i].owns(address);
    return owned;
}
