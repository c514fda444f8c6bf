/* SPDX-License-Identifier: BSD-2-Clause */
/* Time left, and disturbances. Pure. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* Seconds, if the part `done` (0 to 1) took `elapsed`. `limit`: of all work. < 0: too early. */
double estimate_left(double done, double elapsed, double limit);

/* Is a line on the progress due, every ten seconds? `elapsed`: since the start. */
bool estimate_due(double elapsed);

/* "about 2 min left", or "" if < 0. Returns text. */
const char *estimate_text(double left, char *text, size_t size);

/*
 * Ticks for which these cores were busy, by /proc/stat; with steal, without interrupts, which the job's messages make. < 0:
 * unknown.
 */
double load_ticks(const char *stat, const cpu_set_t *cores);

/* Does other work on so many cores disturb? */
bool load_disturbs(double other, int cores);
