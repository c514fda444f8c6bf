/* SPDX-License-Identifier: BSD-2-Clause */
/* See frames.h. */
#include "frames.h"

#include "hash.h"
#include "python.h"
#include "say.h"
#include "unwinder.h"
#include "utf8.h"
#include "call_site.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 1 << 15, FRAME_SLOTS = 2 * FRAMES };

/* ---- Names ----------------------------------------------------------------------------------------------------------- */

/* The file's name without folder, and the offset for addr2line(1). */
static const char *module_of(void *address, Dl_info *info, uintptr_t *offset)
{
    struct link_map *map;
    if (!dladdr1(address, info, (void **)&map, RTLD_DL_LINKMAP) || !info->dli_fname)
        return NULL;
    const char *slash = strrchr(info->dli_fname, '/');
    *offset = (uintptr_t)address - map->l_addr;
    return slash ? slash + 1 : info->dli_fname;
}

/* "function+0x1f", "module+0x1234" or "0x1234". Returns the file's name or NULL. */
static const char *put_name(void *address, char text[CALL_SITE_NAME])
{
    uintptr_t call = (uintptr_t)address - 1; /* inside the call: another function may begin behind it */
    char name[CALL_SITE_NAME - 20];
    uintptr_t into, offset;
    Dl_info info;
    const char *module = module_of((void *)call, &info, &offset);
    if (unwinder_name(call, name, sizeof name, &into))
        snprintf(text, CALL_SITE_NAME, "%s+0x%lx", name, (unsigned long)into + 1);
    else if (module && info.dli_sname)
        snprintf(text, CALL_SITE_NAME, "%.*s+0x%lx", (int)sizeof name - 1, info.dli_sname,
                 (unsigned long)((char *)address - (char *)info.dli_saddr));
    else if (module)
        snprintf(text, CALL_SITE_NAME, "%.*s+0x%lx", (int)sizeof name - 1, module, (unsigned long)offset + 1);
    else
        snprintf(text, CALL_SITE_NAME, "0x%lx", (unsigned long)address);
    return module;
}

static bool begins(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static enum frame_type type_of(const char *module, const char *name)
{
    static const struct {
        const char *prefix;
        bool of_module;
        enum frame_type type;
    } table[] = {
        {"main+", false, FRAME_MAIN}, {"_start+", false, FRAME_BEYOND_MAIN}, {"__libc_start", false, FRAME_BEYOND_MAIN},
        {"libmpi", true, FRAME_MPI},  {"libc.so", true, FRAME_LIBC},         {"libpthread.so", true, FRAME_LIBC},
        {"MPI.", true, FRAME_MPI},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (begins(table[i].of_module ? module : name, table[i].prefix))
            return table[i].type;
    return FRAME_PLAIN;
}

/* ---- Kept frames ----------------------------------------------------------------------------------------------------- */

static struct frame *slot[FRAME_SLOTS];
static int kept;

static struct frame *frame_new(void *address)
{
    int saved = errno;
    char found[CALL_SITE_NAME], name[CALL_SITE_NAME];
    const char *line = python_name(address), *module = line ? NULL : put_name(address, found);
    utf8_escape(line ? line : found, name, sizeof name);
    make_printable(name, "");
    const size_t length = strlen(name);
    struct frame *f = malloc(sizeof *f + length + 1);
    if (f) {
        *f = (struct frame){.address = address, .type = type_of(module, name), .length = (int)length};
        f->name = memcpy(f + 1, name, length + 1);
    }
    errno = saved;
    return f;
}

const struct frame *frame_of(void *address)
{
    static const struct frame unnamed = {.length = 1, .name = "?"};
    uint64_t at = mix64((uintptr_t)address);
    while (slot[at % FRAME_SLOTS] && slot[at % FRAME_SLOTS]->address != address)
        at++;
    struct frame **f = &slot[at % FRAME_SLOTS];
    if (!*f && (*f = frame_new(address)))
        kept++;
    return *f ? *f : &unnamed;
}

void frames_trim(void)
{
    if (kept + CALL_SITE_FRAMES <= FRAMES)
        return;
    for (int i = 0; i < FRAME_SLOTS; i++)
        free(slot[i]);
    memset(slot, 0, sizeof slot);
    kept = 0;
}
