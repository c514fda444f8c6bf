/* SPDX-License-Identifier: BSD-2-Clause */
/* Whom a call would reach; see caller.h. */
#include "caller.h"

#include <dlfcn.h>
#include <stddef.h>

void *_Atomic callers_known[CALLERS];

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
    if (caller_known(caller))
        return NULL;
    void *object = caller_object(caller), *from = object ? object : RTLD_NEXT;
    void *found = dlsym(from, name) ? NULL : dlsym(from, name + 1);
    if (found && is_everywhere(name + 1, found) && dlsym(RTLD_NEXT, name))
        found = NULL;
    if (object)
        dlclose(object);
    if (!found)
        atomic_store_explicit(caller_place(caller), caller, memory_order_relaxed);
    return found;
}
