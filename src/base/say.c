/* SPDX-License-Identifier: BSD-2-Clause */
/* The voice of Pleach; see say.h. */
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void say(const char *format, ...)
{
    char line[1200];
    int saved = errno, used = snprintf(line, sizeof line, "pleach: ");
    va_list ap;
    va_start(ap, format);
    used += vsnprintf(line + used, sizeof line - (size_t)used - 1, format, ap);
    va_end(ap);
    if (used > (int)sizeof line - 2)
        used = (int)sizeof line - 2;
    line[used++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)used) < 0) {
        /* Nobody can be told. */
    }
    errno = saved;
}
