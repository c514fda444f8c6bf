/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab_relay NANOSECONDS RATE DEVICE DEVICE.. emulates cables for scripts/lab, as not every kernel has netem. It makes these
 * network devices; two at a time are the ends of a cable. A frame that leaves at one end enters at the other after
 * NANOSECONDS. If RATE is not 0, the frames from the first end of a cable to the second follow each other at RATE bytes per
 * second, and a frame enters when its last byte does. Frames to the first end are not slowed down, as if the switch between
 * two cables passed on a frame when it begins. When the devices exist, the relay goes to the background. They stay as long
 * as it runs. Exit status 1 if it cannot make them; it writes why.
 *
 * Frames of one direction leave in the order in which they came, so each direction has a queue. Nothing limits its length
 * but the rate of the devices, which the caller sets.
 */
#include "seconds.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MOST = 512, LONGEST = 1 << 16 }; /* devices; bytes of a frame */

/* After a frame, and before one is due, the relay polls for this time without sleeping: a core takes long to wake up. */
static const double AWAKE = 50e-6;

struct frame {
    struct frame *next;
    double due; /* the moment when it enters, in seconds */
    size_t length;
    char bytes[];
};

/* The frames on their way to an end, and the moment when the last byte of the latest one leaves the other end. */
static struct queue {
    struct frame *first, **last;
    double clear;
} queue[MOST];

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

/* Reads all frames that wait at one end into the queue of the other. Each takes `a_byte` seconds per byte, then `hold`. */
static void take(int fd, struct queue *q, double a_byte, double hold)
{
    static char bytes[LONGEST];
    for (ssize_t length; (length = read(fd, bytes, sizeof bytes)) > 0;) {
        struct frame *f = malloc(sizeof *f + (size_t)length);
        if (!f)
            fail("frames");
        q->clear = fmax(q->clear, seconds_now()) + a_byte * (double)length;
        *f = (struct frame){.due = q->clear + hold, .length = (size_t)length};
        memcpy(f->bytes, bytes, (size_t)length);
        *q->last = f;
        q->last = &f->next;
    }
}

/* Passes on the frames that are due; a device that is down loses them, as a cable would. Returns the next due time. */
static double pass(int fd, struct queue *q)
{
    while (q->first && q->first->due <= seconds_now()) {
        struct frame *f = q->first;
        if (write(fd, f->bytes, f->length) < 0)
            f->length = 0;
        q->first = f->next;
        if (!q->first)
            q->last = &q->first;
        free(f);
    }
    return q->first ? q->first->due : INFINITY;
}

int main(int argc, char **argv)
{
    struct pollfd end[MOST];
    const int ends = argc - 3;
    const double hold = argc > 2 ? 1e-9 * atof(argv[1]) : -1, rate = argc > 2 ? atof(argv[2]) : -1;
    if (hold < 0 || rate < 0 || ends < 2 || ends > MOST || ends % 2) {
        fprintf(stderr, "usage: lab_relay NANOSECONDS RATE DEVICE DEVICE..\n");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < ends; i++) {
        end[i] = (struct pollfd){.fd = make_device(argv[3 + i]), .events = POLLIN};
        queue[i].last = &queue[i].first;
    }
    pid_t child = fork();
    if (child)
        return child < 0 ? (perror("fork"), EXIT_FAILURE) : EXIT_SUCCESS;

    /* A frame that waits for a core is late, so the relay asks to run first. If it may not, some frames are late. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    double active = 0;
    for (;;) {
        double due = INFINITY;
        for (int i = 0; i < ends; i++)
            due = fmin(due, pass(end[i].fd, &queue[i]));
        const double now = seconds_now(), wait = now < active + AWAKE ? 0 : fmin(fmax(due - AWAKE - now, 0), 1);
        const struct timespec timeout = {.tv_sec = (time_t)wait, .tv_nsec = (long)(fmod(wait, 1) * 1e9)};
        if (ppoll(end, (nfds_t)ends, &timeout, NULL) > 0)
            active = seconds_now();
        for (int i = 0; i < ends; i++)
            if (end[i].revents)
                take(end[i].fd, &queue[i ^ 1], rate > 0 && i % 2 == 0 ? 1 / rate : 0, hold);
    }
}
