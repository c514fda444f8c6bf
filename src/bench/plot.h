/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The picture of a benchmark, if one is asked for: bandwidth over message size, of native, of what the library chose, and of
 * the engines that are fastest somewhere; and what the wire lets no algorithm pass.
 */
#ifndef PLEACH_PLOT_H
#define PLEACH_PLOT_H

#include "agenda.h"

/* Collective, before anything is measured: ends the job if there will be no picture. */
void plot_check(void);

/* Takes the median of a contender. */
void plot_add(const struct agenda_item *item, const struct contender *c);

/* Draws and writes the picture. For rank 0 alone, when MPI is at its end; ends the command if that fails. */
void plot_write(void);

#endif
