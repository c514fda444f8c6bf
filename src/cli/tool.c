/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs another program for its output; see tool.h. */
#include "tool.h"

#include "seconds.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void become(const char *const argv[], int out)
{
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    setpgid(0, 0);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

/*
 * Reads the output to its end, as the program would wait if nobody read it. Drops output for which `text` has no room. False
 * if the time is over before the end.
 */
static bool read_all(int fd, double seconds, char *text, size_t size)
{
    char rest[512] = "";
    size_t used = 0;
    const double last = seconds_now() + seconds;
    for (ssize_t got = 1; got != 0;) {
        const double left = last - seconds_now();
        if (left < 0 || poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, (int)(1e3 * left) + 1) == 0)
            return false;
        bool room = used < size - 1;
        got = read(fd, room ? text + used : rest, room ? size - 1 - used : sizeof rest);
        if (got > 0 && room)
            text[used += (size_t)got] = 0;
    }
    return true;
}

bool tool_asked(const char *const argv[], double seconds, char *text, size_t size)
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
    bool ended = child > 0 && read_all(end[0], seconds, text, size);
    close(end[0]);
    if (child > 0 && !ended && kill(-child, SIGKILL) != 0) /* the child's process group has all that the child started */
        kill(child, SIGKILL);
    return child > 0 && waitpid(child, &status, 0) == child && ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
