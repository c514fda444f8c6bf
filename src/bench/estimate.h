/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates the time that is left, and whether other work disturbs measurements. Pure. */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Estimates the seconds that are left, if the part `done` (0 to 1) of the work took `elapsed` seconds. `limit`: the most
 * seconds for all work. Returns a value below 0 if it is too early to estimate.
 */
double estimate_left(double done, double elapsed, double limit);

/* Is it time for another line about the progress? The lines come at least ten seconds apart. `elapsed`: since the start. */
bool estimate_due(double elapsed);

/* Writes "about 2 min left", or "" if `left` is below 0. Returns text. */
const char *estimate_text(double left, char *text, size_t size);

/*
 * Returns the ticks for which these cores have been busy since the machine started, from the text of /proc/stat. Time that
 * other virtual machines took (steal) counts, too. Interrupts do not count, as many of them come from the job's own
 * messages. Returns a value below 0 if the text does not have the ticks.
 */
double load_ticks(const char *stat, const cpu_set_t *cores);

/* Returns true if other work that keeps `other` of the job's `cores` cores busy disturbs measurements. */
bool load_disturbs(double other, int cores);
