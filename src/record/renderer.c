/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads the renderer; see renderer.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "renderer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "libpleach-report.so"

/* The folder, with a slash at its end, of the library or program that contains this code; NULL if unknown. */
static char *library_folder(void)
{
    static const char here;
    Dl_info info;
    char *path = dladdr(&here, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
    if (path)
        strrchr(path, '/')[1] = 0;
    return path;
}

/*
 * Finds the renderer's file. Looks first in the folder of this library and in two folders below it; so the file is found in
 * a build folder, and in an installed tree that was moved, too. Then looks in PLEACH_PKGLIBDIR. The caller frees the name.
 */
static char *find_file(void)
{
    static const char *const below[] = {"pleach/", "", ".libs/"};
    char *folder = library_folder(), *file = NULL;
    for (size_t i = 0; folder && i < sizeof below / sizeof below[0]; i++) {
        if (asprintf(&file, "%s%s" NAME, folder, below[i]) < 0)
            file = NULL;
        if (file && access(file, R_OK) == 0)
            break;
        free(file);
        file = NULL;
    }
    free(folder);
    return file ? file : access(PLEACH_PKGLIBDIR "/" NAME, R_OK) == 0 ? strdup(PLEACH_PKGLIBDIR "/" NAME) : NULL;
}

const struct renderer *renderer_open(char *why, size_t size)
{
    static const struct renderer *renderer;
    if (renderer)
        return renderer;
    char *file = find_file();
    if (!file) {
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
    free(file);
    return renderer;
}
