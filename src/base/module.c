/* SPDX-License-Identifier: BSD-2-Clause */
/* See module.h. */
#include "module.h"

#include <config.h>

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of this code, with a slash; or NULL. */
static char *own_folder(void)
{
    static const char here;
    Dl_info info;
    char *path = dladdr(&here, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
    if (path)
        strrchr(path, '/')[1] = 0;
    return path;
}

/* A readable file's name, for free(); or NULL. */
static char *readable(const char *folder, const char *below, const char *name)
{
    char *file = NULL;
    if (asprintf(&file, "%s%s%s", folder, below, name) < 0)
        return NULL;
    if (access(file, R_OK) == 0)
        return file;
    free(file);
    return NULL;
}

static char *find_file(const char *name)
{
    static const char *const below[] = {"pleach/", "", ".libs/"};
    char *folder = own_folder(), *file = NULL;
    for (size_t i = 0; folder && !file && i < sizeof below / sizeof below[0]; i++)
        file = readable(folder, below[i], name);
    free(folder);
    return file ? file : readable(PLEACH_PKGLIBDIR, "/", name);
}

const void *module_open(const char *name, const char *symbol, char *why, size_t size)
{
    char *file = find_file(name);
    if (!file) {
        snprintf(why, size, "%s is neither in the folder pleach beside this library nor in %s", name, PLEACH_PKGLIBDIR);
        return NULL;
    }
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const char *const *found = library ? dlsym(library, symbol) : NULL;
    if (!found) {
        const char *error = dlerror();
        snprintf(why, size, "%s", error ? error : file);
    } else if (strcmp(*found, PACKAGE_VERSION) != 0) {
        snprintf(why, size, "%s belongs to Pleach %s, not to Pleach %s", file, *found, PACKAGE_VERSION);
        found = NULL;
    }
    free(file);
    return found;
}

void *module_of(const void *address)
{
    Dl_info info;
    struct link_map *map;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map->l_name[0])
        return NULL;
    return dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
}
