/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libunwind exports _Unwind_RaiseException: linked with, or without RTLD_LOCAL, it would take over the C++ exceptions of
 * every program.
 */
#include <config.h>

#include "unwinder.h"

#include "say.h"

#include <dlfcn.h>
#include <string.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

/* libunwind.h renames functions by target (_ULx86_64_...). */
#define RENAMED(name) TEXT_OF(name)
#define TEXT_OF(name) #name

int (*unwinder_frames)(void **frames, int size);

static struct {
    int (*proc_info)(unw_addr_space_t, unw_word_t ip, unw_proc_info_t *, void *);
    int (*proc_name)(unw_addr_space_t, unw_word_t ip, char *name, size_t size, unw_word_t *offset, void *);
    unw_addr_space_t space;
    int (*context)(unw_context_t *);
    int (*begin)(unw_cursor_t *, unw_context_t *);
    int (*step)(unw_cursor_t *);
    int (*reg)(unw_cursor_t *, int, unw_word_t *);
} unwind;

bool unwinder_open(void)
{
    if (unwinder_frames)
        return true;
    void *library = dlopen(LIBUNWIND_SONAME, RTLD_NOW | RTLD_LOCAL); /* never closed: threads keep caches */
    if (!library) {
        say("%s cannot be opened; a call site is the caller's address alone", LIBUNWIND_SONAME);
        return false;
    }
    unw_accessors_t *(*accessors)(unw_addr_space_t) = dlsym(library, RENAMED(unw_get_accessors));
    unw_addr_space_t *space = dlsym(library, RENAMED(unw_local_addr_space));
    if (accessors && space) {
        unwind.space = *space;
        unwind.proc_name = accessors(*space)->get_proc_name;
        unwind.proc_info = dlsym(library, RENAMED(unw_get_proc_info_by_ip));
    }
    unwind.context = dlsym(library, RENAMED(unw_tdep_getcontext)); /* missing where it is a macro: nothing is recalled */
    unwind.begin = dlsym(library, RENAMED(unw_init_local));
    unwind.step = dlsym(library, RENAMED(unw_step));
    unwind.reg = dlsym(library, RENAMED(unw_get_reg));
    unwinder_frames = dlsym(library, RENAMED(unw_backtrace));
    return unwinder_frames != NULL;
}

/*
 * libunwind takes the nearest symbol below ip, of static functions, too. In a stripped library it may be another function's.
 */
bool unwinder_name(uintptr_t ip, char *name, size_t size, uintptr_t *offset)
{
    unw_proc_info_t function;
    unw_word_t into = 0;
    name[0] = '\0';
    const int outcome = unwind.proc_name ? unwind.proc_name(unwind.space, ip, name, size, &into, NULL) : -UNW_ENOINFO;
    *offset = into;
    if (outcome != 0 && strlen(name) < size - 1) /* the error for a cut name depends on the release */
        return false;
    return name[0] &&
           (!unwind.proc_info || unwind.proc_info(unwind.space, ip, &function, NULL) != 0 || ip - into >= function.start_ip);
}

void unwinder_walk(int most, bool (*each)(void *to, void *ip, void *const *stack), void *to)
{
    static unw_context_t context;
    static unw_cursor_t cursor;
    unw_word_t ip, stack;
    if (!unwind.context || unwind.context(&context) != 0 || unwind.begin(&cursor, &context) != 0)
        return;
    for (int i = 0; i < most && unwind.step(&cursor) > 0; i++)
        if (unwind.reg(&cursor, UNW_REG_IP, &ip) != 0 || unwind.reg(&cursor, UNW_REG_SP, &stack) != 0 ||
            !each(to, (void *)(uintptr_t)ip, (void *const *)(uintptr_t)stack))
            return;
}
