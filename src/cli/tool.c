/* SPDX-License-Identifier: BSD-2-Clause */
/* Asking another program; see tool.h. */
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 10 };

_Noreturn static void become(const char *const argv[], int out)
{
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    alarm(SECONDS); /* stays when it becomes the program */
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

/* Reads to the end, whether there is room or not: else the program would wait for us. */
static void read_all(int fd, char *text, size_t size)
{
    char rest[512];
    size_t used = 0;
    ssize_t got;
    do {
        bool room = used < size - 1;
        got = read(fd, room ? text + used : rest, room ? size - 1 - used : sizeof rest);
        if (got > 0 && room)
            used += (size_t)got;
    } while (got > 0 || (got < 0 && errno == EINTR));
    text[used] = 0;
}

bool tool_asked(const char *const argv[], char *text, size_t size)
{
    int end[2], status;
    text[0] = 0;
    if (pipe2(end, O_CLOEXEC) != 0)
        return false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become(argv, end[1]);
    close(end[1]);
    if (child > 0)
        read_all(end[0], text, size);
    close(end[0]);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
