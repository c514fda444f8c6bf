/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to the user; see say.h. */
#include "say.h"

#include "launcher.h"
#include "quiet.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
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

void make_printable(char *text, const char *but)
{
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c) && !strchr(but, *c))
            *c = '?';
}

void vsay(const char *format, va_list ap)
{
    char line[PATH_MAX + 1024];
    int saved = errno, head = snprintf(line, sizeof line, "pleach%s%.64s: ", speaking ? " " : "", speaking ? speaking : "");
    if (quiet)
        return;
    vsnprintf(line + head, sizeof line - (size_t)head - 1, format, ap);
    make_printable(line, "");
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

bool is_speaker(void)
{
    return launcher_rank() == 0;
}
