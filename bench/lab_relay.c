/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab_relay NANOSECONDS DEVICE DEVICE..: long cables for scripts/lab, as not every kernel has netem. Makes these network
 * devices, each two of them the ends of a cable: a frame that comes out at one goes in at the other after that time. Goes
 * to the background when they are there; they stay as long as it does. Exit status 1: it cannot, and says why.
 *
 * All frames are held for the same time, so they leave in the order in which they came: one queue is enough. It is as long
 * as the rate of the devices and the time allow, for which others see.
 */
#include "seconds.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST = 512, LONGEST = 1 << 16 }; /* devices; bytes of a frame */

struct frame {
    struct frame *next;
    double due; /* when it goes in */
    int to;
    size_t length;
    char bytes[];
};

static struct frame *first, **last = &first;

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static int make_device(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0)
        fail("/dev/net/tun");
    return fd;
}

/* Takes all frames that wait at one end. */
static void take(int from, int to, double due)
{
    static char bytes[LONGEST];
    for (ssize_t length; (length = read(from, bytes, sizeof bytes)) > 0;) {
        struct frame *f = malloc(sizeof *f + (size_t)length);
        if (!f)
            fail("frames");
        *f = (struct frame){.due = due, .to = to, .length = (size_t)length};
        memcpy(f->bytes, bytes, (size_t)length);
        *last = f;
        last = &f->next;
    }
}

/* Passes on what is due. A device that is down loses it, as a cable would. */
static void pass(double now)
{
    while (first && first->due <= now) {
        struct frame *f = first;
        if (write(f->to, f->bytes, f->length) < 0)
            f->length = 0;
        first = f->next;
        if (!first)
            last = &first;
        free(f);
    }
}

int main(int argc, char **argv)
{
    struct pollfd end[MOST];
    const int ends = argc - 2;
    const double hold = argc > 1 ? 1e-9 * atof(argv[1]) : -1;
    if (hold < 0 || ends < 2 || ends > MOST || ends % 2) {
        fprintf(stderr, "usage: lab_relay NANOSECONDS DEVICE DEVICE..\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < ends; i++)
        end[i] = (struct pollfd){.fd = make_device(argv[2 + i]), .events = POLLIN};
    pid_t child = fork();
    if (child)
        return child < 0 ? (perror("fork"), EXIT_FAILURE) : EXIT_SUCCESS;

    /* A frame would be late if it waited for a core. Where that is not ours to ask for, it sometimes is. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    for (;;) {
        double wait = first ? first->due - seconds_now() : 0;
        wait = wait > 0 ? wait : 0;
        const struct timespec timeout = {.tv_sec = (time_t)wait, .tv_nsec = (long)((wait - (double)(time_t)wait) * 1e9)};
        if (ppoll(end, (nfds_t)ends, first ? &timeout : NULL, NULL) > 0)
            for (int i = 0; i < ends; i++)
                if (end[i].revents)
                    take(end[i].fd, end[i ^ 1].fd, seconds_now() + hold);
        pass(seconds_now());
    }
}
