/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a call would reach; see caller.h. */
#include "caller.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *caller_object(void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

void *caller_next(const char *name, void *caller)
{
    void *next = dlsym(RTLD_NEXT, name), *object = next ? NULL : caller_object(caller);
    if (object) {
        next = dlsym(object, name);
        dlclose(object);
    }
    return next;
}

/* What all objects of the process see: the program's own stand-in, or a tool before or behind us, which calls MPI. */
static bool is_everywhere(const char *name, const void *found)
{
    return found == dlsym(RTLD_NEXT, name) || found == dlsym(RTLD_DEFAULT, name);
}

void *caller_stand_in(const char *name, void *caller)
{
    enum { CALLERS = 64 };
    static void *_Atomic known[CALLERS]; /* who means MPI: to look costs microseconds */
    void *_Atomic *place = &known[((uintptr_t)caller >> 2) % CALLERS];
    if (atomic_load_explicit(place, memory_order_relaxed) == caller)
        return NULL;
    void *object = caller_object(caller), *from = object ? object : RTLD_NEXT;
    void *found = dlsym(from, name) ? NULL : dlsym(from, name + 1);
    if (found && is_everywhere(name + 1, found) && dlsym(RTLD_NEXT, name))
        found = NULL;
    if (object)
        dlclose(object);
    if (!found)
        atomic_store_explicit(place, caller, memory_order_relaxed);
    return found;
}
