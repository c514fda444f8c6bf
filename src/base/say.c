/* SPDX-License-Identifier: BSD-2-Clause */
/* The voice of Pleach; see say.h. */
#include "say.h"

#include "quiet.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *speaking; /* the command, or NULL */
static bool quiet;

void say_as(const char *command)
{
    speaking = command;
}

void say_nothing(bool silent)
{
    quiet = silent;
}

bool says_nothing(void)
{
    return quiet;
}

void vsay(const char *format, va_list ap)
{
    char line[PATH_MAX + 1024];
    int saved = errno, head = snprintf(line, sizeof line, "pleach%s%.64s: ", speaking ? " " : "", speaking ? speaking : "");
    if (quiet)
        return;
    vsnprintf(line + head, sizeof line - (size_t)head - 1, format, ap);
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    strcat(line, "\n");
    write_quietly(STDERR_FILENO, line, strlen(line));
    errno = saved;
}

void say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsay(format, ap);
    va_end(ap);
}

/* The number that the first of these variables has which is set; 0: none is. A NULL ends them. */
static int first_number(const char *const *variable)
{
    for (; *variable; variable++) {
        const char *number = getenv(*variable);
        if (number)
            return atoi(number);
    }
    return 0;
}

int launcher_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
    return first_number(variables);
}

int launcher_node_ranks(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL};
    return first_number(variables);
}

int launcher_ranks(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", NULL};
    return first_number(variables);
}

bool is_speaker(void)
{
    return launcher_rank() == 0;
}
