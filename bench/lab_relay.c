/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab_relay NANOSECONDS DEVICE DEVICE.. emulates long cables for scripts/lab, as not every kernel has netem. It makes these
 * network devices; two at a time are the ends of a cable. A frame that leaves at one end enters at the other after
 * NANOSECONDS. When the devices exist, the relay goes to the background. They stay as long as it runs. Exit status 1 if it
 * cannot make them; it writes why.
 *
 * The relay holds all frames for the same time. So they leave in the order in which they came, and one queue is enough.
 * Nothing limits its length but the rate of the devices, which the caller sets.
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
    double due; /* the moment when it enters, in seconds */
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

/* Reads all frames that wait at one end into the queue. */
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

/* Passes on the frames that are due. A device that is down loses them, as a cable would. */
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

    /* A frame that waits for a core is late, so the relay asks to run first. Without that right, some frames are late. */
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
