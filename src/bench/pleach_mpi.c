/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pleach-mpi: what `pleach tune`, `bench`, `figures`, `places` and, in a job, `doctor` execute. Opens an MPI library, of
 * --mpi-library or by the launcher, and its module, which reads the options again. `pleach-mpi library` prints its path.
 */
#include "bench.h"

#include "interface.h"
#include "launcher.h"
#include "module.h"
#include "say.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *mpi;

/* Tools may be preloaded. */
static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static bool open_file(const char *name)
{
    mpi = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (mpi && !dlsym(mpi, "PMPI_Bcast")) {
        dlclose(mpi);
        mpi = NULL;
    }
    return mpi;
}

/* Of the launcher whose process, or daemon, has started this one; "": unknown. */
static void launcher_folder(char *folder, size_t size)
{
    char process[64];
    snprintf(process, sizeof process, "/proc/%d/exe", (int)getppid());
    const ssize_t length = readlink(process, folder, size - 1);
    folder[length < 0 ? 0 : length] = 0;
    for (int up = 0; up < 2; up++) { /* name, folder */
        char *slash = strrchr(folder, '/');
        folder[slash ? slash - folder : 0] = 0;
    }
}

static bool open_name(const char *folder, const char *name)
{
    static const char *const libraries[] = {"lib", "lib64"};
    char path[2 * PATH_MAX];
    for (size_t i = 0; *folder && i < sizeof libraries / sizeof libraries[0]; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, libraries[i], name);
        if (open_file(path))
            return true;
    }
    return open_file(name);
}

/* Whose ranks find each other by the launcher's settings, or any. */
static bool open_library(void)
{
    static const char *const names[] = {"libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1", "libmpi_abi.so.0",
                                        "libmpi.so.40"};
    const size_t count = sizeof names / sizeof names[0], first = launcher_mpi() == MPI_OPEN_MPI ? count - 1 : 0;
    char folder[PATH_MAX];
    launcher_folder(folder, sizeof folder);
    for (size_t i = 0; i < count; i++)
        if (open_name(folder, names[(first + i) % count]))
            return true;
    return false;
}

static const char *named(int argc, char **argv)
{
    static const char option[] = "--" BENCH_LIBRARY;
    const size_t length = strlen(option);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], option, length) == 0 && (argv[i][length] == '=' || !argv[i][length]))
            return argv[i][length] ? argv[i] + length + 1 : argv[i + 1];
    return NULL;
}

static int print_path(void)
{
    Dl_info info;
    char path[PATH_MAX];
    if (!dladdr(dlsym(mpi, "PMPI_Bcast"), &info) || !realpath(info.dli_fname, path))
        return EXIT_FAILURE;
    puts(path);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    static char version[INTERFACE_TEXT];
    char name[64], why[2 * PATH_MAX] = "";
    const char *file = named(argc, argv);
    say_nothing(!is_speaker());
    if (!(file ? open_file(file) : open_library())) {
        const char *error = file ? dlerror() : NULL;
        say("%s", error  ? error
                  : file ? "the file of --" BENCH_LIBRARY " is no MPI library"
                         : "found no MPI library: load its module, or name it by --" BENCH_LIBRARY);
        return EXIT_FAILURE;
    }
    if (argc > 1 && strcmp(argv[1], BENCH_WHICH) == 0)
        return print_path();
    const char *interface = interface_of(find, version);
    snprintf(name, sizeof name, "libpleach-bench-%s.so", interface ? interface : "");
    const struct bench *b = interface ? module_open(name, BENCH_SYMBOL, why, sizeof why) : NULL;
    if (b)
        return b->work(find, argc, argv);
    say("%s%.*s", why, interface ? 0 : (int)strcspn(version, "\n,"), version);
    return EXIT_FAILURE;
}
