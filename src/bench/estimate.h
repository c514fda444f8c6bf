/* SPDX-License-Identifier: BSD-2-Clause */
/* How long it will still take, and whether others use the machine. Pure. */
#ifndef PLEACH_ESTIMATE_H
#define PLEACH_ESTIMATE_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* Seconds left where `done` of 1 took `elapsed` seconds and the limit is `limit`; below 0: too early to tell. */
double estimate_left(double done, double elapsed, double limit);

/* "about 2 min left", or "" where it is too early. Returns text. */
const char *estimate_text(double left, char *text, size_t size);

/*
 * Processor time that processes have taken on these cores since the machine started, and that its host has given to others
 * (steal): in ticks, from the text of /proc/stat. Interrupts are left out: many are our own messages. Below 0: it does not
 * tell.
 */
double load_ticks(const char *stat, const cpu_set_t *cores);

/* Is so much other work, in cores, enough to disturb measurements on a machine of so many cores? */
bool load_disturbs(double other, int cores);

#endif
