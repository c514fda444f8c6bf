/* SPDX-License-Identifier: BSD-2-Clause */
/* See tool.h. */
#include "tool.h"

#include "seconds.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILL_SECONDS 1 /* enough, unless the kernel holds it */

_Noreturn static void become(const char *const argv[], int out, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a killed job's rank would spin for ever */
    if (getppid() == parent)
        execv(argv[0], (char *const *)argv);
    _exit(127);
}

/* To the end, so that the program does not wait. Drops what does not fit. False: no end before `last`. */
static bool read_all(int fd, double last, char *text, size_t size)
{
    char rest[512] = "";
    size_t used = 0;
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

/* It may go on after closing its output. False: no end before `last`. */
static bool wait_for(pid_t process, double last, int *status)
{
    pid_t ended;
    while ((ended = waitpid(process, status, WNOHANG)) == 0 && seconds_now() < last)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return ended == process;
}

bool tool_asked(const char *const argv[], double seconds, char *text, size_t size)
{
    const double last = seconds_now() + seconds;
    int end[2], status;
    text[0] = 0;
    if (pipe2(end, O_CLOEXEC) != 0)
        return false;
    fflush(stdout);
    const pid_t parent = getpid(), child = fork();
    if (child == 0)
        become(argv, end[1], parent);
    close(end[1]);
    bool ended = child > 0 && read_all(end[0], last, text, size) && wait_for(child, last, &status);
    close(end[0]);
    if (child > 0 && !ended) {
        if (kill(-child, SIGKILL) != 0) /* with all that it started */
            kill(child, SIGKILL);
        wait_for(child, last + KILL_SECONDS, &status);
    }
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
