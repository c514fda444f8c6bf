/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates: the time that is left, and whether other work disturbs measurements. Pure. */
#ifndef PLEACH_ESTIMATE_H
#define PLEACH_ESTIMATE_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* Seconds left if the part `done` (0 to 1) took `elapsed` of at most `limit` seconds; below 0: too early to tell. */
double estimate_left(double done, double elapsed, double limit);

/* Writes "about 2 min left", or "" if `left` is below 0. Returns text. */
const char *estimate_text(double left, char *text, size_t size);

/*
 * The ticks for which these cores have been busy since the machine started, by the text of /proc/stat: with processes, or
 * with other virtual machines (steal). Interrupts do not count, as many of them come from the job's own messages. Below 0:
 * the text does not tell.
 */
double load_ticks(const char *stat, const cpu_set_t *cores);

/* True if other work that keeps `other` cores busy disturbs measurements on a machine of `cores` cores. */
bool load_disturbs(double other, int cores);

#endif
