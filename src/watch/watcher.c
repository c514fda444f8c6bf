/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The watching thread. Sleeps until a call could exceed PLEACH_PATIENCE: at least that long, if none is under way. Then
 * looks at the table.
 *
 * SIGUSR1 wakes it. Our handler calls the one that it replaces. Not if the program ignores the signal, or sets its own
 * handler later. A child of fork() has no watcher: there the signal acts as without Pleach.
 */
#include "watch.h"

#include "process.h"
#include "seconds.h"
#include "words.h"

#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sem_t asked; /* by the handler */
static pid_t owner;
static struct sigaction before;

/* ---- Being asked --------------------------------------------------------------------------------------------------- */

static void on_signal(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    bool ends = !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL;
    if (getpid() == owner)
        sem_post(&asked);
    else if (ends) {
        signal(number, SIG_DFL);
        raise(number); /* delivered when we return */
    }
    errno = saved;
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else if (!ends)
        before.sa_handler(number);
}

/* Unless the program ignores SIGUSR1. False, with errno. */
static bool listen_to_signal(void)
{
    struct sigaction ours;
    owner = getpid();
    if (sem_init(&asked, 0, 0) != 0)
        return false;
    if (sigaction(SIGUSR1, NULL, &before) != 0 || (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN))
        return true;
    ours = before;
    ours.sa_sigaction = on_signal;
    /* Without a handler, the program expects no interrupted system calls. */
    const bool handles = before.sa_flags & SA_SIGINFO || before.sa_handler != SIG_DFL;
    ours.sa_flags |= SA_SIGINFO | (handles ? 0 : SA_RESTART);
    sigaction(SIGUSR1, &ours, NULL);
    return true;
}

/* Or SIGUSR1: true. Piecemeal, as the clock may be set. */
static bool sleep_until(double end)
{
    const double most = 10;
    for (;;) {
        struct timespec t;
        double left = end - seconds_now();
        if (left <= 0)
            return false;
        clock_gettime(CLOCK_REALTIME, &t);
        double at = 1e-9 * (double)t.tv_nsec + (left < most ? left : most), whole = floor(at);
        t.tv_sec += (time_t)whole;
        t.tv_nsec = (long)(1e9 * (at - whole));
        if (sem_timedwait(&asked, &t) == 0) {
            while (sem_trywait(&asked) == 0) /* asked again */
                ;
            return true;
        }
    }
}

/* ---- Telling ------------------------------------------------------------------------------------------------------- */

enum { PHRASE = 256 };

/* "MPI_Reduce (MPI_SUM) of 800 bytes to root 0, call 3 on comm-84000001 (rank 2 of 4)" */
static void put_call(const struct sighting *s, char *text, size_t size)
{
    char call[CALL_WORDS], place[48];
    call_words(s->collective, s->bytes, s->count, s->root, s->own_op, call);
    if (s->rank == process.rank)
        snprintf(place, sizeof place, "%d ranks", s->ranks);
    else
        snprintf(place, sizeof place, "rank %d of %d", s->rank, s->ranks);
    if (s->ranks)
        snprintf(text, size, "%s, call %llu on %s (%s)", call, (unsigned long long)s->entered, s->comm, place);
    else
        snprintf(text, size, "%s on %s", call, s->comm);
}

static void put_engine(const struct sighting *s, char *text, size_t size)
{
    const struct service *service = &engine_find(s->engine)->serves[s->collective];
    const char *how = service->composed ? "" : service->segment.cells ? " in shared memory" : " to send";
    char to[RANK_WORDS], from[RANK_WORDS];
    int used = snprintf(text, size, "in engine %s", s->engine);
    text += used;
    size -= (size_t)used;
    rank_words(s->to, s->world_to, to);
    rank_words(s->from, s->world_from, from);
    if (s->step < 0)
        snprintf(text, size, ", before its first step");
    else if (s->to < 0 && s->from < 0)
        snprintf(text, size, ", after step %lld, folding or copying blocks: it waits for no rank", (long long)s->step);
    else
        snprintf(text, size, ", step %lld, waiting for %s%s%s%s%s", (long long)s->step, s->from >= 0 ? from : "",
                 s->from >= 0 ? how : "", s->from >= 0 && s->to >= 0 ? " and for " : "", s->to >= 0 ? to : "",
                 s->to >= 0 ? " to receive" : "");
}

static void put_place(const struct sighting *s, char *text, size_t size)
{
    static const char *const places[] = {
        [PHASE_FIRST] = "waiting for all ranks there to make their first collective call",
        [PHASE_NATIVE] = "in the native call, which does not tell for which ranks it waits",
        [PHASE_AGREEING] = "waiting for all ranks there to agree on how to serve it",
    };
    if (s->phase == PHASE_ENGINE)
        put_engine(s, text, size);
    else
        snprintf(text, size, "%s", places[s->phase]);
}

static void say_sighting(const struct sighting *s)
{
    static char site[CALL_SITE_TEXT]; /* there is one watcher */
    char call[PHRASE], place[PHRASE], time[UNITS_TEXT];
    time_about(seconds_now() - s->since, time);
    put_call(s, call, sizeof call);
    call_site_text(s->frame, site, sizeof site);
    if (s->phase == PHASE_OVER) {
        say("patience: rank %d is not inside an intercepted call; the last was %s, %s ago, called at %s", process.rank, call,
            time, site);
        return;
    }
    put_place(s, place, sizeof place);
    say("patience: rank %d has been %s in %s: %s; called at %s", process.rank, time, call, place, site);
}

/* After SIGUSR1: those under way or, if none, the last one. */
static void tell_all(void)
{
    struct sighting seen, last = {0};
    int under_way = 0;
    for (int i = 0; i < WATCHED; i++)
        if (watch_look(&watched[i], &seen)) {
            say_sighting(&seen);
            under_way++;
        } else if (seen.number > 0 && seen.since >= last.since)
            last = seen;
    if (under_way == 0 && last.number > 0)
        say_sighting(&last);
}

/* Once each. Returns when the next one may be. */
static double tell_late(double patience)
{
    struct sighting seen;
    double now = seconds_now(), next = now + patience;
    for (int i = 0; i < WATCHED; i++) {
        if (!watch_look(&watched[i], &seen) || seen.number == watched[i].told)
            continue;
        if (seen.since + patience <= now) {
            watched[i].told = seen.number;
            say_sighting(&seen);
        } else if (seen.since + patience < next)
            next = seen.since + patience;
    }
    return next;
}

static void *watcher(void *unused)
{
    double next = seconds_now();
    (void)unused;
    for (;;) {
        if (sleep_until(next))
            tell_all();
        next = tell_late(process.settings.patience);
    }
    return NULL;
}

/* ---- The thread ---------------------------------------------------------------------------------------------------- */

/* Blocks all signals, for the application's threads. */
static int begin_thread(void)
{
    enum { STACK = 256 << 10 }; /* text and names of functions take 50 KiB */
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attributes, watcher, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error == 0)
        pthread_setname_np(thread, "pleach-watch");
    return error;
}

bool watch_open(void)
{
    const int saved = errno;
    if (isinf(process.settings.patience))
        return false;
    for (int i = 0; i < WATCHED; i++)
        pthread_spin_init(&watched[i].lock, PTHREAD_PROCESS_PRIVATE);
    int error = listen_to_signal() ? begin_thread() : errno;
    if (error)
        say("rank %d: PLEACH_PATIENCE needs a thread, which cannot be made (%s); Pleach does not watch this rank",
            process.rank, strerror(error));
    errno = saved;
    return error == 0;
}
