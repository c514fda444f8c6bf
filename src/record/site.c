/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Call sites: program counters during the call, names when records are written.
 *
 * libunwind is opened, not linked: it exports _Unwind_RaiseException, and a preloaded library that links it would take
 * over the C++ exceptions of every program. RTLD_LOCAL keeps its symbols out of everybody's way.
 */
#ifdef HAVE_CONFIG_H
#include <config.h> /* LIBUNWIND_SONAME */
#endif

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "origin.h"
#include "say.h"
#include "site.h"

#ifndef LIBUNWIND_SONAME
#define LIBUNWIND_SONAME "libunwind.so.8"
#endif

/* libunwind.h renames its functions by target (_ULx86_64_...); this is the name after that. */
#define RENAMED(name) TEXT_OF(name)
#define TEXT_OF(name) #name

enum { OWN_FRAMES = 16, CACHE = 512 }; /* most frames of ours above the caller; names kept */

static int depth;
static struct {
    int (*backtrace)(void **frames, int size);
    int (*proc_info)(unw_addr_space_t, unw_word_t ip, unw_proc_info_t *, void *);
    int (*proc_name)(unw_addr_space_t, unw_word_t ip, char *name, size_t size, unw_word_t *offset, void *);
    unw_addr_space_t space;
} unwind;

void site_open(int stack)
{
    depth = stack < SITE_FRAMES ? stack : SITE_FRAMES;
    if (depth <= 0 || unwind.backtrace)
        return;

    void *library = dlopen(LIBUNWIND_SONAME, RTLD_NOW | RTLD_LOCAL); /* stays: threads keep its caches */
    if (!library) {
        say("%s cannot be opened; call sites are the caller's address alone", LIBUNWIND_SONAME);
        return;
    }
    unw_accessors_t *(*accessors)(unw_addr_space_t) = dlsym(library, RENAMED(unw_get_accessors));
    unw_addr_space_t *space = dlsym(library, RENAMED(unw_local_addr_space));
    if (accessors && space) {
        unwind.space = *space;
        unwind.proc_name = accessors(*space)->get_proc_name;
        unwind.proc_info = dlsym(library, RENAMED(unw_get_proc_info_by_ip));
    }
    unwind.backtrace = dlsym(library, RENAMED(unw_backtrace));
}

void site_take(void *frame[], void *caller)
{
    int saved = errno;
    void *all[SITE_FRAMES + OWN_FRAMES];
    int first = 0, frames = 0, kept = 0;
    if (depth > 0 && unwind.backtrace)
        frames = unwind.backtrace(all, depth + OWN_FRAMES);
    while (first < frames && all[first] != caller)
        first++;
    for (; kept < depth && first + kept < frames; kept++)
        frame[kept] = all[first + kept];
    if (kept == 0 && depth > 0)
        frame[kept++] = caller;
    if (kept < SITE_FRAMES)
        frame[kept] = NULL;
    errno = saved;
}

/*
 * The function in which ip lies, from the symbol tables that libunwind finds (those of static functions too). It takes
 * the nearest symbol below ip, however far away: in a stripped library that is some other function, so the symbol must
 * begin inside the function that the unwind table shows.
 */
static bool unwind_name(unw_word_t ip, char *name, size_t size, unw_word_t *offset)
{
    unw_proc_info_t function;
    int outcome = unwind.proc_name ? unwind.proc_name(unwind.space, ip, name, size, offset, NULL) : -UNW_ENOINFO;
    if (outcome != 0 && outcome != -UNW_ENOMEM) /* the latter: cut */
        return false;
    return !unwind.proc_info || unwind.proc_info(unwind.space, ip, &function, NULL) != 0 ||
           ip - *offset >= function.start_ip;
}

/* The file in which an address lies, without its folder, and the offset that addr2line(1) wants. */
static const char *module_of(void *address, Dl_info *info, uintptr_t *offset)
{
    struct link_map *map;
    if (!dladdr1(address, info, (void **)&map, RTLD_DL_LINKMAP) || !info->dli_fname)
        return NULL;
    const char *slash = strrchr(info->dli_fname, '/');
    *offset = (uintptr_t)address - map->l_addr;
    return slash ? slash + 1 : info->dli_fname;
}

const char *site_name(void *address, char *text, int size)
{
    int saved = errno;
    uintptr_t call = (uintptr_t)address - 1; /* the call itself: what follows it may be another function */
    char name[SITE_NAME - 20];               /* leaves room for the offset */
    unw_word_t into;
    uintptr_t offset;
    Dl_info info;
    const char *module = module_of((void *)call, &info, &offset);
    if (unwind_name(call, name, sizeof name, &into))
        snprintf(text, size, "%s+0x%lx", name, (unsigned long)into + 1);
    else if (module && info.dli_sname)
        snprintf(text, size, "%.*s+0x%lx", (int)sizeof name - 1, info.dli_sname,
                 (unsigned long)((char *)address - (char *)info.dli_saddr));
    else if (module)
        snprintf(text, size, "%.*s+0x%lx", (int)sizeof name - 1, module, (unsigned long)offset + 1);
    else
        snprintf(text, size, "0x%lx", (unsigned long)address);
    errno = saved;
    return text;
}

/* What a frame means for the text of a site. */
enum frame_kind { FRAME_PLAIN, FRAME_MPI, FRAME_LIBC, FRAME_MAIN, FRAME_BEYOND_MAIN };

struct known_frame {
    void *address;
    enum frame_kind kind;
    char name[SITE_NAME];
};

static bool begins(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static enum frame_kind kind_of(void *address, const char *name)
{
    static const struct {
        const char *prefix;
        bool of_module;
        enum frame_kind kind;
    } table[] = {
        {"main+", false, FRAME_MAIN}, {"_start+", false, FRAME_BEYOND_MAIN}, {"__libc_start", false, FRAME_BEYOND_MAIN},
        {"libmpi", true, FRAME_MPI},  {"libc.so", true, FRAME_LIBC},
    };
    uintptr_t offset;
    Dl_info info;
    const char *module = module_of((void *)((uintptr_t)address - 1), &info, &offset);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (begins(table[i].of_module ? module : name, table[i].prefix))
            return table[i].kind;
    return FRAME_PLAIN;
}

static const struct known_frame *frame_of(void *address)
{
    static struct known_frame cache[CACHE];
    struct known_frame *f = &cache[((uintptr_t)address * 0x9e3779b97f4a7c15u >> 32) % CACHE];
    if (f->address != address) {
        site_name(address, f->name, sizeof f->name);
        f->kind = kind_of(address, f->name);
        f->address = address;
    }
    return f;
}

/*
 * The frames that are shown, [*first .. end), end being returned: from the application's own call to main. Left out as long
 * as others remain: an MPI library's frames at the inner end (Fortran bindings), the C library's at the outer end (the start
 * of the process or thread).
 */
static int shown(void *const frame[], int *first)
{
    int end = 0;
    *first = 0;
    while (end < SITE_FRAMES && frame[end]) {
        enum frame_kind kind = frame_of(frame[end])->kind;
        if (kind == FRAME_BEYOND_MAIN && end > 0)
            break;
        end++;
        if (kind == FRAME_MAIN)
            break;
    }
    while (*first < end - 1 && frame_of(frame[*first])->kind == FRAME_MPI)
        ++*first;
    while (end - 1 > *first && frame_of(frame[end - 1])->kind == FRAME_LIBC)
        end--;
    return end;
}

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER; /* names are cached */

int site_text(void *const frame[], char *text, int size)
{
    int first, used = 0;
    assert(size >= SITE_TEXT);
    pthread_mutex_lock(&naming);
    const int end = shown(frame, &first);
    if (first == end)
        used = snprintf(text, (size_t)size, "-");
    for (int i = first; i < end; i++)
        used += snprintf(text + used, (size_t)(size - used), "%s%s", i > first ? " < " : "", frame_of(frame[i])->name);
    pthread_mutex_unlock(&naming);
    return used;
}

/* Adds an address; false if it is there, or there is no room. */
static bool see(struct site_seen *seen, void *address)
{
    uintptr_t slot = (uintptr_t)address * 0x9e3779b97f4a7c15u >> 32;
    for (;; slot++) {
        void **a = &seen->address[slot % (2 * SITE_SEEN)];
        if (*a == address || (!*a && seen->count == SITE_SEEN))
            return false;
        if (!*a) {
            *a = address;
            seen->count++;
            return true;
        }
    }
}

int site_origin(void *const frame[], struct site_seen *seen, char *text, int size)
{
    int first, length = 0;
    assert(size >= SITE_ORIGIN);
    pthread_mutex_lock(&naming);
    const int end = shown(frame, &first);
    for (int i = first; i < end && !length; i++)
        if (see(seen, frame[i]))
            length = origin_text((char *)frame[i] - 1, frame_of(frame[i])->name, text, size);
    pthread_mutex_unlock(&naming);
    return length;
}
