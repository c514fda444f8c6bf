/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind libpleach.so. It makes up device memory without a device, and an MPI library that can send
 * from such memory.
 *
 * The memory is mapped twice. Programs get addresses in the first mapping, which the processor may not touch: a process that
 * does is killed. This library intercepts the MPI functions that take such buffers in a GPU-aware library, and passes on
 * addresses in the second mapping. MPI_Reduce_local is not one of these functions. driver.c has the functions that
 * tell whether an address is in device memory.
 */
#include "made_device.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY = 256 << 20, ALIGN = 4096 };

static char *device, *seen;
static size_t used;

__attribute__((constructor)) static void map_twice(void)
{
    int fd = memfd_create("device", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, MEMORY) != 0)
        abort();
    device = mmap(NULL, MEMORY, PROT_NONE, MAP_SHARED, fd, 0);
    seen = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (device == MAP_FAILED || seen == MAP_FAILED)
        abort();
}

void *device_alloc(size_t bytes)
{
    void *memory = device + used;
    used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (used > MEMORY)
        abort();
    return memory;
}

bool device_owns(const void *address)
{
    return (uintptr_t)address - (uintptr_t)device < MEMORY;
}

void *device_seen(const void *address)
{
    return device_owns(address) ? seen + ((const char *)address - device) : (void *)address;
}

/* Calls the function that this one intercepts. */
#define BEHIND(name, ...)                                                                                                   \
    static __typeof__(&name) behind;                                                                                        \
    if (!behind)                                                                                                            \
        *(void **)&behind = dlsym(RTLD_NEXT, #name);                                                                        \
    return behind(__VA_ARGS__)

int PMPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
    BEHIND(PMPI_Bcast, device_seen(b), n, t, root, c);
}

int PMPI_Reduce(const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c)
{
    BEHIND(PMPI_Reduce, device_seen(a), device_seen(b), n, t, op, root, c);
}

#define UNROOTED(name)                                                                                                      \
    int name(const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c)                                          \
    {                                                                                                                       \
        BEHIND(name, device_seen(a), device_seen(b), n, t, op, c);                                                          \
    }
UNROOTED(PMPI_Scan)
UNROOTED(PMPI_Exscan)
UNROOTED(PMPI_Allreduce)

int PMPI_Sendrecv(const void *a, int n, MPI_Datatype t, int to, int tag, void *b, int m, MPI_Datatype u, int from, int tags,
                  MPI_Comm c, MPI_Status *status)
{
    BEHIND(PMPI_Sendrecv, device_seen(a), n, t, to, tag, device_seen(b), m, u, from, tags, c, status);
}

int PMPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *status)
{
    BEHIND(PMPI_Recv, device_seen(b), n, t, from, tag, c, status);
}

#define SEND(name)                                                                                                          \
    int name(const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)                             \
    {                                                                                                                       \
        BEHIND(name, device_seen(a), n, t, to, tag, c, r);                                                                  \
    }
SEND(PMPI_Isend)
SEND(PMPI_Issend)
