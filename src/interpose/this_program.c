/* SPDX-License-Identifier: BSD-2-Clause */
/* See this_program.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "this_program.h"

#include "launcher.h"
#include "process.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COMMAND = 4096, SETTINGS = 8192, HOST = 256, LIBRARY = 128, CORES = 8 * CPU_SETSIZE }; /* bytes */

static int read_start(const char *name, char *text, int size)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC), used = 0;
    for (ssize_t got = 1; fd >= 0 && got > 0 && used<size - 1; used += got> 0 ? (int)got : 0)
        got = read(fd, text + used, (size_t)(size - 1 - used));
    if (fd >= 0)
        close(fd);
    text[used] = 0;
    return used;
}

static const char *command(void)
{
    static char text[COMMAND];
    int used = read_start("/proc/self/cmdline", text, sizeof text);
    while (used > 0 && !text[used - 1])
        used--;
    for (int i = 0; i < used; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

/* 0: unknown. Field 22 of /proc/self/stat: the start, in ticks since boot. */
static double age(void)
{
    char line[1024];
    struct timespec now;
    read_start("/proc/self/stat", line, sizeof line);
    const char *field = strrchr(line, ')'); /* field 2, in parentheses, may have any character */
    for (int i = 2; field && i < 22; i++)
        field = strchr(field + 1, ' ');
    double start = field ? (double)strtoull(field, NULL, 10) / (double)sysconf(_SC_CLK_TCK) : 0;
    clock_gettime(CLOCK_BOOTTIME, &now);
    double age = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - start;
    return start > 0 && age > 0 ? age : 0;
}

static const char *cores(void)
{
    static char text[CORES];
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    for (int i = 0, used = 0; i < CPU_SETSIZE; i++) {
        const int first = i;
        while (i < CPU_SETSIZE && CPU_ISSET(i, &set))
            i++;
        if (i > first)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%d-%d", used ? "," : "", first, i - 1);
    }
    return text;
}

struct rank_report program_facts(void)
{
    static char host[HOST], library[LIBRARY], settings[SETTINGS];
    int ranks = launcher_ranks();
    gethostname(host, sizeof host - 1);
    pmpi_words(library, sizeof library);
    settings_changed(&process.settings, settings, sizeof settings);
    if (process_initialized())
        pmpi.Comm_size(MPI_COMM_WORLD, &ranks);
    return (struct rank_report){.rank = process.rank,
                                .ranks = ranks,
                                .host = host,
                                .command = command(),
                                .pleach = PACKAGE_VERSION,
                                .mpi = library,
                                .settings = settings,
                                .note = "",
                                .unshared = "",
                                .cores = cores(),
                                .process = (int)getpid(),
                                .dry = process.settings.dry_run,
                                .run = age()};
}
