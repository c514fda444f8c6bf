/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host: a program without MPI. It loads a plugin with RTLD_LOCAL, as an interpreter does, and the plugin brings MPI with it.
 *     host ./plugin.so
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "./plugin.so";
    void *plugin = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    int (*run)(void) = NULL, (*begin)(void) = NULL, (*share)(void *, int) = NULL;
    if (plugin) {
        *(void **)&run = dlsym(plugin, "plugin_run");
        *(void **)&begin = dlsym(plugin, "plugin_begin");
        *(void **)&share = dlsym(plugin, "plugin_share");
    }
    if (!run) {
        fprintf(stderr, "host: %s\n", dlerror());
        return 1;
    }
    if (begin && share) {
        static int data[20021];
        begin();
        if (!getenv("ALOOF") && share(data, 20021) != 0) {
            fputs("host: a tail call fails\n", stderr);
            return 1;
        }
    }
    const int status = run();
    if (begin && share && !getenv("ALOOF")) { /* the plugin is that in C */
        dlclose(plugin);
        if (dlopen(name, RTLD_NOW | RTLD_NOLOAD)) {
            fputs("host: the plugin stays\n", stderr);
            return 1;
        }
    }
    return status;
}
