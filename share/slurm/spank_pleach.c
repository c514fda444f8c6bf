/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plugin for Slurm: srun --pleach preloads Pleach into the tasks; --pleach=report also writes report.JOB.html. Compile it
 * against the site's Slurm, and again for each of its major releases, and name it in plugstack.conf with the library:
 *
 *     cc -shared -fPIC -o spank_pleach.so spank_pleach.c
 *     required /path/to/spank_pleach.so /path/to/libpleach.so
 */
#include <slurm/spank.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

SPANK_PLUGIN(pleach, 1)

static bool preloads, reports;

static int take_option(int number, const char *argument, int remote)
{
    (void)number;
    (void)remote;
    preloads = true;
    reports = argument && strcmp(argument, "report") == 0;
    if (!argument || reports)
        return ESPANK_SUCCESS;
    slurm_error("--pleach=%s: only --pleach and --pleach=report are known", argument);
    return ESPANK_BAD_ARG;
}

/* Slurm calls the following functions by their names. */
int slurm_spank_init(spank_t spank, int count, char **arguments)
{
    static struct spank_option option = {"pleach",
                                         "report",
                                         "preload Pleach, which makes large collectives of MPI programs faster; with "
                                         "=report, write report.JOB.html, too",
                                         2, /* the argument is optional */
                                         0,
                                         take_option};
    (void)count;
    (void)arguments;
    return spank_option_register(spank, &option);
}

int slurm_spank_task_init(spank_t spank, int count, char **arguments)
{
    char before[4096] = "", list[8192];
    if (!preloads || count < 1)
        return ESPANK_SUCCESS;
    spank_getenv(spank, "LD_PRELOAD", before, sizeof before);
    snprintf(list, sizeof list, "%s%s%s", arguments[0], *before ? ":" : "", before);
    if (reports)
        spank_setenv(spank, "PLEACH_REPORT", "report.%j.html", 0);
    return spank_setenv(spank, "LD_PRELOAD", list, 1);
}
