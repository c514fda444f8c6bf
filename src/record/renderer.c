/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads the renderer; see renderer.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "renderer.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "libpleach-report.so"

/* Writes the folder, with a slash at its end, of the library or program that contains this code; "" if unknown. */
static void library_folder(char folder[PATH_MAX])
{
    static const char here;
    Dl_info info;
    *folder = 0;
    if (dladdr(&here, &info) && info.dli_fname && realpath(info.dli_fname, folder))
        strrchr(folder, '/')[1] = 0;
}

/*
 * Finds the renderer's file. Looks first in the folder of this library and in two folders below it; so the file is found in
 * a build folder, and in an installed tree that was moved, too. Then looks in PLEACH_PKGLIBDIR.
 */
static bool find_file(char file[2 * PATH_MAX])
{
    static const char *const below[] = {"pleach/", "", ".libs/"};
    char folder[PATH_MAX];
    library_folder(folder);
    for (size_t i = 0; *folder && i < sizeof below / sizeof below[0]; i++) {
        snprintf(file, 2 * PATH_MAX, "%s%s" NAME, folder, below[i]);
        if (access(file, R_OK) == 0)
            return true;
    }
    snprintf(file, 2 * PATH_MAX, "%s/" NAME, PLEACH_PKGLIBDIR);
    return access(file, R_OK) == 0;
}

const struct renderer *renderer_open(char *why, size_t size)
{
    static const struct renderer *renderer;
    char file[2 * PATH_MAX];
    if (renderer)
        return renderer;
    if (!find_file(file)) {
        snprintf(why, size, NAME " is neither in the folder pleach beside this library nor in %s", PLEACH_PKGLIBDIR);
        return NULL;
    }
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const struct renderer *found = library ? dlsym(library, "pleach_renderer") : NULL;
    if (!found) {
        const char *error = dlerror();
        snprintf(why, size, "%s", error ? error : NAME " cannot be loaded");
    } else if (strcmp(found->version, PACKAGE_VERSION) != 0) {
        snprintf(why, size, "%s belongs to Pleach %s, not to Pleach %s", file, found->version, PACKAGE_VERSION);
    } else {
        renderer = found;
    }
    return renderer;
}
