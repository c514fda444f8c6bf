/* SPDX-License-Identifier: BSD-2-Clause */
/* See caller.h. */
#include "caller.h"

#include "module.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* By its name; `skip` such ones come before. */
struct likely {
    int skip;
    char *path;
};

static int find_library(struct dl_phdr_info *info, size_t size, void *to)
{
    struct likely *l = to;
    const char *slash = strrchr(info->dlpi_name, '/');
    (void)size;
    if (!slash || strncmp(slash, "/libmpi", 7) != 0 || l->skip-- > 0)
        return 0;
    l->path = strdup(info->dlpi_name);
    return l->path != NULL;
}

void *caller_library(void)
{
    struct likely l = {0};
    for (int n = 1; dl_iterate_phdr(find_library, &l); n++) {
        void *library = dlopen(l.path, RTLD_LAZY | RTLD_NOLOAD);
        free(l.path);
        if (library && dlsym(library, "PMPI_Bcast"))
            return library;
        if (library)
            dlclose(library);
        l.skip = n;
    }
    return NULL;
}

static void *symbol_of(void *object, const char *name)
{
    void *found = object ? dlsym(object, name) : NULL;
    if (object)
        dlclose(object);
    return found;
}

void *caller_next(const char *name, void *caller)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (!next)
        next = symbol_of(module_of(caller), name);
    return next ? next : symbol_of(caller_library(), name);
}

static void *_Atomic mpi;
static atomic_bool second;

/* For dlsym(): objects behind us or, without MPI there, the MPI library of the caller's object, or a plugin's. */
static void *where(void *caller)
{
    if (dlsym(RTLD_NEXT, "PMPI_Bcast"))
        return RTLD_NEXT;
    void *object = module_of(caller), *bcast = object ? dlsym(object, "PMPI_Bcast") : NULL;
    void *library = bcast ? module_of(bcast) : NULL;
    if (object)
        dlclose(object);
    return library ? library : caller_library();
}

bool caller_find_mpi(void *caller)
{
    return mpi || (mpi = where(caller));
}

void *caller_mpi(const char *name)
{
    void *volatile found = dlsym(mpi, name); /* no tail call: RTLD_NEXT is behind dlsym()'s caller */
    return found;
}

bool caller_second_mpi(void)
{
    return second;
}

static bool has_second(void *object)
{
    const void *bcast = mpi && mpi != RTLD_NEXT && object ? dlsym(object, "PMPI_Bcast") : NULL;
    const bool has = bcast && bcast != dlsym(mpi, "PMPI_Bcast");
    if (has)
        second = true;
    return has;
}

void *_Atomic callers_known[CALLERS];

/* Do all objects find it? Then it is the program's, or another tool's that passes calls on to MPI. */
static bool is_everywhere(const char *name, const void *found)
{
    return found == dlsym(RTLD_NEXT, name) || found == dlsym(RTLD_DEFAULT, name);
}

struct objects {
    ElfW(Addr) found, ours;
};

static int is_one_of(struct dl_phdr_info *info, size_t size, void *objects)
{
    const struct objects *o = objects;
    (void)size;
    return info->dlpi_addr == o->ours ? 1 : info->dlpi_addr == o->found ? 2 : 0;
}

/* Ours, or of an object before ours: another preloaded tool. A stand-in comes behind us. */
static bool is_not_behind_us(const void *found)
{
    Dl_info its, our;
    if (!dladdr(found, &its) || !dladdr(&callers_known, &our))
        return false;
    struct objects o = {(ElfW(Addr))its.dli_fbase, (ElfW(Addr))our.dli_fbase};
    return o.found == o.ours || dl_iterate_phdr(is_one_of, &o) == 2;
}

static void *find_stand_in(const char *name, void *caller)
{
    void *object = module_of(caller), *from = object ? object : RTLD_NEXT;
    const bool other = has_second(object);
    void *found = dlsym(from, name) && !other ? NULL : dlsym(from, name + 1);
    if (found && !other && (is_everywhere(name + 1, found) || is_not_behind_us(found)) && dlsym(RTLD_NEXT, name))
        found = NULL;
    if (object)
        dlclose(object);
    return found;
}

/*
 * Looks up a caller once for each function. They take one of PROBES places from their hash on, for ever; without room, the
 * caller counts as MPI's.
 */
static void *kept_stand_in(const char *name, void *caller)
{
    enum { MOST = 1024, PROBES = 8 };
    static struct {
        void *_Atomic caller; /* NULL: free; BUSY: being filled */
        const char *name;
        void *found;
    } known[MOST + PROBES];
    static char BUSY;
    const uintptr_t at = ((uintptr_t)caller ^ (uintptr_t)name << 1) * UINT64_C(0x9e3779b97f4a7c15) >> 54;
    for (uintptr_t i = at; i < at + PROBES; i++) {
        void *none = NULL, *there = atomic_load_explicit(&known[i].caller, memory_order_acquire);
        if (there == caller && known[i].name == name)
            return known[i].found;
        if (!there && atomic_compare_exchange_strong(&known[i].caller, &none, &BUSY)) {
            known[i].name = name;
            known[i].found = find_stand_in(name, caller);
            atomic_store_explicit(&known[i].caller, caller, memory_order_release);
            return known[i].found;
        }
    }
    return NULL;
}

void *caller_stand_in(const char *name, void *caller)
{
    const int saved = errno;
    void *found = caller_known(caller) ? NULL : kept_stand_in(name, caller);
    if (!found)
        atomic_store_explicit(caller_place(caller), caller, memory_order_relaxed);
    errno = saved;
    return found;
}
