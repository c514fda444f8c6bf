/* SPDX-License-Identifier: BSD-2-Clause */
/* See say.h. */
#include "say.h"

#include "launcher.h"
#include "quiet.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *speaking;
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

/* Long lines are cut without memory. */
void vsay(const char *format, va_list ap)
{
    char start[1024], *line = start;
    const int saved = errno;
    va_list again;
    if (quiet)
        return;
    va_copy(again, ap);
    const int head = snprintf(start, sizeof start, "pleach%s%.64s: ", speaking ? " " : "", speaking ? speaking : "");
    const int length = head + vsnprintf(start + head, sizeof start - (size_t)head - 1, format, ap);
    char *all = length < (int)sizeof start - 1 ? NULL : malloc((size_t)length + 2);
    if (all) {
        memcpy(all, start, (size_t)head);
        vsnprintf(all + head, (size_t)(length - head) + 1, format, again);
        line = all;
    }
    va_end(again);
    make_printable(line, "");
    strcat(line, "\n");
    write_quietly(STDERR_FILENO, line, strlen(line));
    free(all);
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
