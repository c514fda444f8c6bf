/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of lessons; see learn.h. */
#include "learn.h"

#include "newfile.h"
#include "say.h"
#include "textfile.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHY = 1024 }; /* bytes of a reason; a name takes at most 700 of them */

static struct {
    atomic_bool on;
    pid_t owner;            /* the process that opened the file */
    pthread_mutex_t lock;   /* guards what follows */
    char file[PATH_MAX];    /* absolute, as programs change their working folder */
    bool complained;        /* a failure has been reported */
    struct lessons learned; /* lessons of this run */
    struct lessons all;     /* `learned`, and the lessons of `text` on other kinds of calls */
    char *text;             /* the file's text when last read or written; NULL: no file, or not written by Pleach */
} learn = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Reports the first failure, and no further one. `of`: the kinds of calls that it concerns. */
static void say_once(const char *why, const char *of)
{
    if (!learn.complained)
        say("PLEACH_LEARN: %s; what this run learns%s is not kept", why, of);
    learn.complained = true;
}

static void say_full(void)
{
    char why[WHY];
    snprintf(why, sizeof why, "%.700s has no room for more than %d kinds of calls", learn.file, LESSONS_MOST);
    say_once(why, " of others");
}

/* Reads the lessons of the file into `all`. False, with the reason, if the file must not be replaced. */
static bool read_file(char *why)
{
    char reason[256];
    if (access(learn.file, F_OK) != 0 && errno == ENOENT) {
        free(learn.text);
        learn.text = NULL;
        learn.all.count = 0;
        return true;
    }
    char *text = textfile_read(learn.file, reason, sizeof reason);
    bool same = text && learn.text && strcmp(text, learn.text) == 0;
    bool good = text && (same || lessons_read(&learn.all, text));
    if (!text)
        snprintf(why, WHY, "%.700s cannot be read: %s", learn.file, reason);
    else if (!good)
        snprintf(why, WHY, "%.700s was not written by Pleach, or was changed since, and Pleach does not replace it",
                 learn.file);
    free(learn.text);
    learn.text = good ? text : NULL;
    if (!good)
        free(text);
    return good;
}

/* Writes the file's lessons, and this run's lessons as far as the file has room. False, with the reason, if that fails. */
static bool write_file(char *why)
{
    bool room = true;
    for (int i = 0; i < learn.learned.count; i++)
        room &= lessons_put(&learn.all, &learn.learned.lesson[i]);
    if (!room)
        say_full();
    char *text = lessons_text(&learn.all);
    if (!text)
        snprintf(why, WHY, "%.700s cannot be written: out of memory", learn.file);
    if (!text || !newfile_write(learn.file, text, why, WHY)) {
        free(text);
        return false;
    }
    free(learn.text);
    learn.text = text;
    return true;
}

void learn_open(const char *file)
{
    char why[WHY];
    int saved = errno;
    if (learn.owner)
        return;

    learn.owner = getpid();
    if (!newfile_path(file, learn.file, sizeof learn.file))
        snprintf(why, sizeof why, "%s: %s", file, strerror(errno));
    else if (read_file(why) && newfile_possible(learn.file, why, sizeof why) && (learn.text || write_file(why)))
        atomic_store(&learn.on, true); /* the file exists even if nothing is learned: PLEACH_RULES may name it */
    if (!atomic_load(&learn.on))
        say_once(why, "");
    errno = saved;
}

void learn_add(const struct lesson *lesson)
{
    char why[WHY];
    int saved = errno, uncancelled;
    if (!atomic_load(&learn.on) || getpid() != learn.owner)
        return;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    pthread_mutex_lock(&learn.lock);
    if (!lessons_put(&learn.learned, lesson))
        say_full();
    else if (!read_file(why) || !write_file(why))
        say_once(why, "");
    pthread_mutex_unlock(&learn.lock);
    pthread_setcancelstate(uncancelled, NULL);
    errno = saved;
}
